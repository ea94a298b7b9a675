import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const restore = line(
  [
    'could not restore state from checkpoint',
    'differs from state checkpoint policy',
    'policy from state file',
    'delete the CPU manager state file',
    'GetOrCreate() on checkpoint state',
  ],
  'kubelet-log',
  /(?:could not restore state from checkpoint: (?<reason>[\s\S]{1,200}?), please drain this node and delete (?:the )?(?:(?<manager>CPU|memory) manager|(?<pods>pod allocation)) checkpoint file [\\"]{1,4}(?<file>\/[^\s"\\]{1,200})|error calling GetOrCreate\(\) on checkpoint state: (?<dra>[^\n"\\]{3,200})|configured policy [\\"]{1,4}(?<now>[\w-]{1,40})[\\"]{1,4} differs from state checkpoint policy [\\"]{1,4}(?<then>[\w-]{0,40})|policy configured [\\"]{1,4}(?<set>[\w-]{1,40})[\\"]{1,4} != policy from state file [\\"]{1,4}(?<saved>[\w-]{0,40})|delete the CPU manager state file [\\"]{1,4}(?<old>\/[^\s"\\]{1,200})|could not restore state from checkpoint: (?<brief>checkpoint is corrupted|unexpected end of JSON input|invalid character[^\n"\\]{0,60}))/i,
);
const invalid = line(
  [
    'please drain node and remove policy state file',
    'expected machine state is different from the real one',
    "doesn't match with CPUs in state",
    'are present in defaultCpuSet',
    'are not present in defaultCpuSet',
  ],
  'kubelet-log',
  /(?<head>Could not initialize checkpoint manager|(?:Static policy )?invalid state), please drain node and remove policy state file|(?<machine>the expected machine state is different from the real one)|(?<cpus>current set of available CPUs [\\"]{1,4}[\d,-]{1,200}[\\"]{1,4} doesn't match with CPUs in state [\\"]{1,4}[\d,-]{0,200})|(?<reserved>not all reserved cpus: [\\"]{1,4}[\d,-]{1,200}[\\"]{1,4} are present)/i,
);
const reserve = line(
  [
    'the static policy requires systemreserved.cpu',
    'you should specify the system reserved memory',
    'determined by Node Allocatable feature',
    'unable to reserve the required amount of CPUs',
  ],
  'kubelet-log',
  /(?<cpu>the static policy requires systemreserved\.cpu \+ kubereserved\.cpu to be greater than zero)|(?<memory>you should specify the system reserved memory)|the total amount [\\"]{1,4}(?<got>[\w.]{1,30})[\\"]{1,4} of type [\\"]{1,4}(?<type>[\w-]{1,40})[\\"]{1,4} is not equal to the value [\\"]{1,4}(?<want>[\w.]{1,30})|(?<size>unable to reserve the required amount of CPUs[^\n"]{0,100})/i,
);
const cameUp = line(['Started kubelet', 'Successfully registered node'], [], /Started kubelet(?![.:]| -)|Successfully registered node/);
const noSpace = line('checkpoint', [], /checkpoint[^\n]{0,200}no space left on device/i);

const FILES: Readonly<Record<string, string>> = { memory: 'memory_manager_state', DRA: 'dra_manager_state' };

export const cause = defineCause({
  id: 'kubelet-cpu-or-memory-manager-state',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Resource manager state does not fit',
    title: 'The kubelet of {node} refuses to start: its {manager} manager state does not fit ({reason})',
    why: 'The managers of the kubelet (CPU, memory, pod allocation, DRA) keep their policy and assignments in checkpoint files. After the policy, the reserved resources or the hardware (CPUs, NUMA nodes, memory) has changed, the old file {file} no longer fits; after a hard reset it may be damaged. The kubelet exits instead of guessing, and systemd starts it again in a loop.',
  },

  clues: {
    restore: proves(restore),
    invalid: proves(invalid),
    reserve: proves(reserve),
    policy: supports(
      'kubelet.setting',
      ({ key, value }) => /^(?:cpuManagerPolicy|memoryManagerPolicy)$/.test(key) && !/^"?none/i.test(value),
    ),
    cameUp: excludes(cameUp, ({ channel }) => channel === 'kubelet-log'),
    noSpace: excludes(noSpace),
  },
  says: {
    restore: 'the kubelet cannot restore its checkpoint: {reason}',
    invalid: 'the kubelet finds its saved state invalid: {reason}',
    reserve: 'the policy asks for other reserved resources: {reason}',
    policy: 'a policy is set: {policy}',
    cameUp: 'the kubelet has started since',
    noSpace: 'the disk is full: no checkpoint can be written',
  },
  slots: (place, { restore: old, invalid: state, reserve: wanted, policy }) => {
    const now = old?.fields['now'] ?? old?.fields['set'];
    const then = old?.fields['then'] ?? old?.fields['saved'];
    const changed = now === undefined ? undefined : `policy ${now} is set, the state was saved by policy ${then || 'none'}`;
    const text =
      old?.fields['reason'] ?? old?.fields['brief'] ?? old?.fields['dra'] ?? (state ? Object.values(state.fields).join(' ') : '');
    const manager =
      old?.fields['manager'] ??
      old?.fields['pods'] ??
      (old?.fields['dra'] ? 'DRA' : undefined) ??
      (/memory/i.test(old?.fields['file'] ?? '') || state?.fields['machine'] || wanted?.fields['memory'] || wanted?.fields['got']
        ? 'memory'
        : 'CPU');
    const reserved = wanted?.fields['got']
      ? `reservedMemory of ${wanted.fields['type'] ?? 'memory'} sums up to ${wanted.fields['got']}, it must be ${wanted.fields['want'] ?? 'another value'}`
      : Object.values(wanted?.fields ?? {})[0];
    return {
      node: place.name,
      manager,
      reason: plain(changed ?? (reserved || text)) || 'it was saved under other settings',
      // Cut short, the line does not tell whose file it is.
      checkpoint:
        wanted || old?.fields['brief']
          ? ''
          : (old?.fields['file'] ?? old?.fields['old'] ?? `/var/lib/kubelet/${FILES[manager] ?? 'cpu_manager_state'}`),
      file: old?.fields['file'] ?? old?.fields['old'] ?? `/var/lib/kubelet/${FILES[manager] ?? 'cpu_manager_state'}`,
      policy: policy ? `${policy.key} ${policy.value}` : 'static',
    };
  },

  fixes: [
    {
      say: 'Drain {node}, delete the state file and start the kubelet',
      risk: 'touches-node',
      steps: [
        {
          say: 'move the pods away, they were pinned by the old state',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'delete the checkpoint, start again',
          run: 'systemctl stop kubelet; rm -f {{file}}; systemctl start kubelet',
          on: 'node',
        },
        { say: 'let the node in again', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      changes: [
        { do: 'remove-file', path: '{{checkpoint}}' },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'the kubelet stays active and {node} is Ready',
    },
    {
      say: 'When the reserved resources are at fault: make them fit the policy',
      risk: 'touches-node',
      for: ['reserve'],
      steps: [
        {
          say: 'cpuManagerPolicy static needs CPU in kubeReserved or systemReserved (or reservedSystemCPUs); memoryManagerPolicy Static needs reservedMemory = kubeReserved + systemReserved + evictionHard memory',
          run: "grep -nE -A4 'ManagerPolicy|Reserved|reservedMemory|evictionHard' /var/lib/kubelet/config.yaml",
          on: 'node',
        },
      ],
    },
    {
      say: 'Or set the policy back to what it was',
      risk: 'touches-node',
      steps: [
        { say: 'cpuManagerPolicy: none and memoryManagerPolicy: None are the defaults', run: 'systemctl restart kubelet', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/cm/cpumanager/state/state_checkpoint.go, policy_static.go',
    'kubernetes pkg/kubelet/cm/memorymanager/state/state_checkpoint.go, policy_static.go, memory_manager.go',
    'kubernetes pkg/kubelet/status/state/state_checkpoint.go, pkg/kubelet/cm/dra/claiminfo.go',
  ],
});

function plain(text: string): string {
  return text
    .replace(/[\\"]+/g, '')
    .trim()
    .slice(0, 160);
}
