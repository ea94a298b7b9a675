import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['containerd-log', 'docker-log', 'kubelet-log', 'pod-events', 'pod-spec'] as const;
const shimGone = line(
  [
    'ttrpc: closed',
    'ttrpc: client shutting down',
    'failed to start shim',
    'failed to create shim: ',
    '/run/containerd/s/',
    'unsupported shim version',
    'shim error: ',
  ],
  ASKED,
  /(?<closed>ttrpc: closed|ttrpc: client shutting down[^\n"]{0,20}?(?=: read unix|: unknown|"|$))|failed to (?:start|create) shim: (?<start>(?!OCI runtime|context deadline|open \/dev\/|Cannot find usable config|failed to launch |(?:start failed: )?exec: [\\"]{1,8}(?:docker-)?containerd-shim(?:-runc-v[12])?[\\"]|failed to resolve runtime path: runtime [\\"]{1,8}io\.containerd\.runc)[^\n"]{3,300})|dial unix (?:\\0)?@?(?<socket>\/[^\s:"\\]{0,60}containerd[^\s:"\\]{0,200}|\S{0,20}\/run\/containerd\/s\/\w{6,80})(?:\.sock)?: connect: (?<refused>connection refused|no such file or directory|connection timed out)|listen unix \S{0,200}\/run\/containerd\/s\/\w{6,80}: bind: (?<bind>address already in use)|(?<version>unsupported shim version[^\n"]{0,60})/,
);
const sandboxGone = line(
  [
    'cannot join network of a non running container',
    'no running task found',
    'namespace path: lstat /proc/',
    'failed to get sandbox container task',
    'bad init namespaces',
    'failed to Statfs',
  ],
  ASKED,
  /(?<docker>cannot join network of a non running container)|(?<task>no running task found: task \w{6,64} not found|failed to get sandbox container task)|failed to Statfs [\\"]{1,8}(?<netns>\/proc\/\d{1,10}\/ns\/net)[\\"]{1,8}: no such file|namespace path: lstat (?<path>\/proc\/\d{1,10}\/ns\/\w{2,10}): no such file/i,
);
const notCleaned = line(
  [
    'TaskExit event',
    'failed to delete task',
    'cleanup dead shim',
    'failed to clean up after shim disconnected',
    'failed to delete dead shim',
  ],
  ['containerd-log', 'docker-log', 'kubelet-log'],
  /failed to handle (?:container|sandbox|backOff event)[^\n]{0,40}TaskExit event[^\n]{0,300}|failed to (?:stop sandbox|delete task|clean up after shim disconnected|delete dead shim)[^\n]{0,200}?(?:deadline exceeded|failed|not found|closed)/,
);
const noFork = line(
  ['resource temporarily unavailable', 'cannot allocate memory'],
  [],
  /(?:fork\/exec|pthread_create|newosproc|start shim)[^\n]{0,300}?(?:resource temporarily unavailable|cannot allocate memory)/,
);
const handlerBinary = line(
  ['executable file not found in', 'binary not installed'],
  [],
  /containerd-shim-(?!runc)[\w-]{1,40}[^\n]{0,60}?executable file not found|runtime \\*"[^"\\]{1,100}\\*" binary not installed/,
);

export const cause = defineCause({
  id: 'shim-died-or-leaked',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: [
    'creating',
    'create-error',
    'config-error',
    'crash-loop',
    'restarts',
    'stuck-terminating',
    'failed',
    'not-ready',
    'init-stuck',
    'other-trouble',
  ],
  effectOf: ['oom-node-global', 'pid-limit-reached', 'disk-full-root', 'os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Container shim or sandbox died',
    title: 'The shim or sandbox that holds containers on {node} {verb}: {what}',
    why: 'containerd runs every pod through a small helper, containerd-shim, which holds the processes and reports their end. It is gone or does not answer on {node}: {what}. Its containers end without a code of their own (255, Unknown) or cannot be created, stopped or cleaned up. Usual reasons: the shim was killed (out of memory, by hand), its socket below /run was removed, or containerd was upgraded without a restart, so that the shim is of another version.',
  },

  clues: {
    shimGone: proves(shimGone, notByContainers),
    sandboxGone: proves(sandboxGone, notByContainers),
    oom: proves('kernel.oom', ({ process }) => /^containerd-shim/.test(process ?? '')),
    notCleaned: supports(notCleaned),
    vanished: supports('container.terminated', ({ exitCode, reason }) => exitCode === 255 && reason === 'Unknown'),
    noFork: excludes(noFork, notByContainers),
    handlerBinary: excludes(handlerBinary),
  },
  says: {
    shimGone: 'the runtime cannot talk to or start the shim: {what}',
    sandboxGone: 'the sandbox (pause) process of the pod is gone: {what}',
    oom: 'the kernel killed {process} for memory',
    notCleaned: 'the runtime could not handle the end of a container',
    vanished: 'a container ended unseen (255, Unknown)',
    noFork: 'the node cannot start any more processes or has no memory',
    handlerBinary: 'the program of another runtime handler is not installed',
  },
  slots: (place, { shimGone: gone, sandboxGone: sandbox, oom }) => {
    const fields = gone?.fields ?? {};
    const start = fields['start'] ?? '';
    const known = /address already in use/.test(start)
      ? 'its socket is already in use'
      : /unsupported shim version[^:]{0,20}/.exec(start)?.[0];
    const refused = fields['bind']
      ? 'its socket is already in use'
      : fields['refused']
        ? `its socket answers "${fields['refused']}"`
        : undefined;
    const process = oom?.process ?? 'containerd-shim';
    const version = /unsupported shim version/.test(`${fields['version'] ?? ''}${start}`);
    return {
      node: place.name,
      verb: version ? 'does not fit the running containerd, which was upgraded but not restarted' : 'died',
      process,
      what: (
        fields['version'] ??
        known ??
        refused ??
        fields['start'] ??
        fields['closed'] ??
        (oom ? `${process} was killed for memory` : sandbox ? 'the sandbox (pause) process of a pod is gone' : 'connection lost')
      )
        .trim()
        .slice(0, 160),
    };
  },

  fixes: [
    {
      say: 'See which shims run, and what ended the missing one',
      risk: 'reads-only',
      steps: [
        {
          say: 'shims and their pods',
          run: 'ps -eo pid,ppid,etime,rss,args | grep [c]ontainerd-shim; ls /run/containerd/s | wc -l',
          on: 'node',
        },
        {
          say: 'the log around the end, and kills by the kernel',
          run: "journalctl -u containerd --since '1 hour ago' --no-pager | grep -iE 'shim|TaskExit' | tail -30; dmesg -T | grep -iE 'killed process|oom' | tail",
          on: 'node',
        },
        {
          say: 'versions must match',
          run: 'containerd --version; containerd-shim-runc-v2 -v; which -a containerd-shim-runc-v2',
          on: 'node',
        },
      ],
    },
    {
      say: 'Delete the pods whose shim is gone; the kubelet makes them anew',
      risk: 'restarts-pods',
      steps: [{ say: 'one pod after the other', run: 'kubectl -n NAMESPACE delete pod POD', on: 'cluster' }],
      changes: [{ do: 'restart-pods' }],
      verified: 'the new pods run and stay up on {node}',
    },
    {
      say: 'Restart containerd so that it cleans up dead shims; install containerd and its shim from one package',
      risk: 'touches-node',
      steps: [
        { say: 'restart', run: 'systemctl restart containerd', on: 'node' },
        { say: 'a pod that still hangs: remove its sandbox', run: 'crictl pods | grep NotReady; crictl rmp -f SANDBOX_ID', on: 'node' },
        {
          say: 'Debian, Ubuntu',
          run: 'apt-get install --reinstall -y containerd.io || apt-get install --reinstall -y containerd',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'yum reinstall -y containerd.io', on: 'node', family: 'rhel' },
      ],
      changes: [{ do: 'units', action: 'restart', units: ['containerd'] }],
      verified: 'the new pods run and stay up on {node}',
    },
    {
      say: 'Leave memory for the system: systemReserved and kubeReserved of the kubelet; keep cleaners of /run and /tmp away from /run/containerd',
      risk: 'touches-node',
      for: ['oom'],
      steps: [{ say: 'in /var/lib/kubelet/config.yaml, then', run: 'systemctl restart kubelet', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'containerd core/runtime/v2/shim.go, manager.go, binary.go',
    'containerd internal/cri/server/events.go',
    'containerd issues 3971, 6402, 8381, 8921',
  ],
});
