import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const reserved = line(
  ['failed to reserve sandbox name', 'error reserving pod name', 'pod sandbox with name'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /failed to reserve sandbox name \\*"(?<name>[^"\\]{1,300})\\*"(?:[^\n]{0,400}?reserved for \\*"(?<id>\w{6,64}))?|error reserving pod name (?<pod>\S{1,300}) for id (?<held>\w{6,64})|pod sandbox with name \\*"(?<crio>[^"\\]{1,300})\\*" already exists/,
);
const otherPod = line(
  ['already in use by container', 'failed to reserve container name', 'error reserving ctr name'],
  [],
  /Conflict\. The (?:container )?name|failed to reserve container name|error reserving ctr name/,
);

export const cause = defineCause({
  id: 'sandbox-name-reserved',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'other-trouble'],
  effectOf: ['runtime-slow-deadline-exceeded', 'runtime-database-damaged', 'node-rebooted', 'disk-io-error', 'kernel-bug-or-hung-task'],

  text: {
    name: 'Sandbox name still reserved',
    title: 'The sandbox name of {pod} is still reserved on {node} for an earlier attempt{id}',
    why: 'The runtime keeps the name of a pod sandbox while it creates it. An earlier RunPodSandbox took so long (slow or overloaded disk, a network plugin that hangs, an unclean shutdown) that the kubelet gave up with "context deadline exceeded"; the runtime still works on it or has left it behind, so every retry finds the name reserved. It is a follow-up: what held up the first attempt is the root.',
  },

  clues: {
    reserved: proves(reserved, notByContainers),
    deadline: supports('pod.event', ({ reason, message }) => reason === 'FailedCreatePodSandBox' && /deadline ?exceeded/i.test(message)),
    rebooted: supports('node.event', ({ reason }) => reason === 'Rebooted'),
    otherPod: excludes(otherPod),
  },
  says: {
    reserved: 'the runtime says the sandbox name is reserved{id}',
    deadline: 'an earlier attempt to create the sandbox was not answered in time',
    rebooted: 'the node was rebooted before',
    otherPod: 'it is the name of a container, not of the sandbox, that is taken',
  },
  slots: (place, { reserved: said }) => {
    const id = said?.fields['id'] ?? said?.fields['held'];
    const parts = (said?.fields['name'] ?? said?.fields['pod'] ?? said?.fields['crio'] ?? '').replace(/^k8s_(?:POD_)?/, '').split('_');
    return {
      node: place.name,
      pod: parts.length > 1 ? `pod ${parts[1]}/${parts[0]}` : 'a pod',
      id: id ? ` (${id.slice(0, 13)})` : '',
      runtime: !said ? '' : said.fields['name'] === undefined ? 'crio' : 'containerd',
      sandbox: id ?? 'SANDBOX_ID',
    };
  },

  fixes: [
    {
      say: 'Find what held up the first attempt: the first RunPodSandbox error, the disk, the network plugin',
      risk: 'reads-only',
      steps: [
        {
          say: 'the first error of the sandbox in both logs',
          run: "journalctl -u kubelet -u containerd --since '1 hour ago' --no-pager | grep -E 'RunPodSandbox|{{sandbox}}' | head -20",
          on: 'node',
        },
        {
          say: 'a disk or plugin that hangs',
          run: "cat /proc/pressure/io; ps -eo pid,stat,etime,wchan:30,args | grep -E ' D|/opt/cni/bin/' | grep -v grep",
          on: 'node',
        },
      ],
    },
    {
      say: 'Wait a few minutes: the name is freed when the slow attempt ends. Else remove the leftover sandbox',
      risk: 'touches-node',
      steps: [
        { say: 'is it there, and in which state', run: 'crictl pods -a --id {{sandbox}}', on: 'node' },
        { say: 'stop and remove it', run: 'crictl stopp {{sandbox}}; crictl rmp -f {{sandbox}}', on: 'node' },
      ],
      verified: 'a sandbox is created and no more "reserved" events come',
    },
    {
      say: 'If it is not listed, only the runtime itself knows the name: restart containerd (or crio); containers keep running',
      risk: 'touches-node',
      steps: [{ say: 'restart the runtime', run: 'systemctl restart containerd', on: 'node' }],
      changes: [{ do: 'units', action: 'restart', units: ['{{runtime}}'] }],
      verified: 'a sandbox is created and no more "reserved" events come',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd internal/cri/server/sandbox_run.go, internal/registrar',
    'cri-o server/sandbox_run_linux.go',
    'containerd/cri issue 1014',
  ],
});
