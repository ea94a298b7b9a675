import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const noStart = line(
  ['fork/exec /opt/cni', 'fork/exec /usr/lib', 'fork/exec /var/lib', '/cni/bin/'],
  CHANNELS,
  /fork\/exec (?<path>\/[^\s:"\\]{3,200}\/cni\/[^\s:"\\]{1,200}|\/opt\/cni\/bin\/[^\s:"\\]{1,100}|\/usr\/lib(?:exec)?\/cni\/[^\s:"\\]{1,100}): (?<error>exec format error|permission denied|text file busy|input\/output error|no such file or directory|operation not permitted|cannot allocate memory)/,
);
const killed = line(
  ['netplugin failed with no error message', 'netplugin failed but error parsing', 'netplugin failed: '],
  CHANNELS,
  /(?:plugin type=[\\"“”]{1,8}(?<plugin>[\w.-]{1,80})[\\"“”]{1,8}[^\n]{0,60}?)?netplugin failed(?: with no error message(?:: (?<signal>signal: [a-z ]{3,30}|exit status \d{1,3}|[^\n"\\]{3,80}))?| but error parsing its diagnostic message (?<parsed>[^\n]{0,160})|: [\\"“”]{1,8}(?<stderr>[^\n]{3,240}))/,
);
/** Each call of the plugin takes a lock on its state file; one that hangs or died keeps it. */
const locked = line(
  ['timed out locking store', 'Failed to initialize key-value store of network plugin'],
  CHANNELS,
  /plugin type=[\\"“”]{1,8}(?<plugin>[\w.-]{1,80})[\\"“”]{1,8}[^\n]{0,200}?(?<lock>timed out locking store)|(?<bare>timed out locking store)/,
);
const denial = supports(
  'kernel.denial',
  ({ process }) => process === undefined || /cni|calico|flannel|bridge|portmap|multus|cilium/.test(process),
);
const missing = line('failed to find plugin', ['pod-events', 'kubelet-log']);

export const cause = defineCause({
  id: 'cni-plugin-cannot-run',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating', 'other-trouble'],
  effectOf: ['disk-io-error', 'disk-full-root', 'oom-node-global', 'calico-init-hangs', 'max-user-namespaces-or-sysctl-hardening'],

  text: {
    name: 'CNI plugin cannot run',
    title: 'The CNI plugin {plugin} on {node} cannot run: {what}',
    why: 'The runtime of {node} starts the program {plugin} for every pod, and it ends without doing its work: {what}. {hint} Until it runs, pods of the node stay in ContainerCreating or Terminating.',
  },

  clues: {
    noStart: proves(noStart),
    killed: proves(killed),
    locked: proves(locked),
    denial,
    missing: excludes(missing),
  },
  says: {
    noStart: 'the plugin {plugin} cannot be started: {what}',
    killed: 'the plugin {plugin} ended without an answer: {what}',
    locked: 'the plugin {plugin} waits in vain for the lock of its state file',
    denial: 'the kernel denied something to a network plugin',
    missing: 'the plugin is not installed at all',
  },
  slots: (place, { noStart: start, killed: end, locked: waits }) => {
    const what =
      start?.fields['error'] ??
      end?.fields['signal'] ??
      end?.fields['stderr']?.replace(/[\\"]+/g, '').trim() ??
      end?.fields['parsed']?.replace(/[\\"]+/g, '').trim() ??
      (waits ? 'the lock of its state file is held by another call of it, which hangs or has died' : 'no error message');
    return {
      node: place.name,
      plugin: start?.fields['path'] ?? end?.fields['plugin'] ?? waits?.fields['plugin'] ?? 'in /opt/cni/bin',
      file: start?.fields['path'] ?? '/opt/cni/bin/PLUGIN',
      what: what.slice(0, 160),
      hint:
        waits && !start && !end
          ? 'Azure CNI keeps its state in /var/run/azure-vnet.json and locks it with a file beside it.'
          : /exec format/.test(what)
            ? 'The file is for another CPU architecture, or empty.'
            : /permission denied|not permitted/.test(what)
              ? 'It is not executable, its file system is mounted noexec, or SELinux or a security agent forbids it.'
              : /killed/.test(what)
                ? 'Something killed it: the kernel for lack of memory, or a security agent (antivirus) of the host.'
                : /busy/.test(what)
                  ? 'Somebody is writing the file at this moment: the add-on installs it anew.'
                  : 'A damaged file, a crash of the plugin, or a host without memory does this.',
    };
  },

  fixes: [
    {
      say: 'Look at the file and at who stopped it',
      risk: 'reads-only',
      steps: [
        { say: 'size, rights, architecture', run: 'ls -l /opt/cni/bin; file {{file}}; uname -m; findmnt -T /opt/cni/bin', on: 'node' },
        { say: 'does it start at all? It should print its version', run: 'CNI_COMMAND=VERSION {{file}} < /dev/null', on: 'node' },
        {
          say: 'kernel and security agents',
          run: "dmesg -T | grep -iE 'oom|killed process|denied' | tail -5; ausearch -m avc -ts recent 2>/dev/null | tail -5",
          on: 'node',
        },
      ],
    },
    {
      say: 'Install the plugin anew, for the right architecture',
      risk: 'touches-node',
      steps: [
        { say: 'the standard plugins', run: 'apt-get install --reinstall -y kubernetes-cni', on: 'node', family: 'debian' },
        { say: 'the standard plugins', run: 'dnf reinstall -y kubernetes-cni', on: 'node', family: 'rhel' },
        {
          say: 'a plugin of the add-on is copied by its pod: make it anew',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -Ei "flannel|calico|cilium|multus|aws-node"',
          on: 'cluster',
        },
        { say: 'rights and SELinux labels', run: 'chmod 755 /opt/cni/bin/*; restorecon -R /opt/cni/bin 2>/dev/null', on: 'node' },
        { say: 'tell security agents to leave /opt/cni/bin alone' },
      ],
      verified: 'the plugin prints its version, and waiting pods start',
    },
    {
      say: 'Where a lock is left over: see that no call of the plugin runs any more, and remove the lock',
      risk: 'touches-node',
      steps: [
        {
          say: 'calls that hang, and the lock',
          run: 'ps -eo pid,etime,args | grep -E "/opt/cni/bin/" | grep -v grep; ls -l /var/run/azure-vnet*.lock',
          on: 'node',
        },
        { say: 'only with no call running', run: 'rm -f /var/run/azure-vnet.json.lock', on: 'node' },
      ],
      verified: 'waiting pods start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containernetworking/cni pkg/invoke/raw_exec.go'],
});
