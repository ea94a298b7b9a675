import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const tooLow = line(
  ['vm.max_map_count', 'max number of threads [', 'kernel.shmmax', 'kernel parameter'],
  ['container-log', 'prose'],
  /max virtual memory areas vm\.max_map_count \[(?<have>\d{1,12})\] (?:is )?(?:is )?too low(?:,? (?:increase to at least|should be) \[(?<want>\d{1,12})\])?|(?<threads>max number of threads \[\d{1,12}\] for user \[[^\]\n]{1,40}\] (?:is )?(?:is )?too low,? increase to at least \[\d{1,12}\])|vm\.max_map_count[^\n]{0,40}?(?:too low|must be at least|should be|set to at least|increase)[^\n]{0,60}?(?<least>\d{5,12})|(?<shm>exceeded your kernel's SHM\w{3,4} parameter|kernel\.shm\w{3,4}[^\n]{0,40}too (?:low|small))/i,
);
const cannotSet = line(
  ['sysctl: error setting key', 'sysctl: setting key', 'sysctl: permission denied on key', 'sysctl: cannot stat'],
  ['container-log'],
  /sysctl: (?:error setting key|setting key|permission denied on key|cannot stat)[ :'"]{0,4}(?<key>[\w./-]{4,80}?)['"]?(?::|,| to|$)(?!\s{0,4}No such file)[^\n]{0,60}/,
);
export const cause = defineCause({
  id: 'app-kernel-setting-too-low',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['max-user-namespaces-or-sysctl-hardening', 'sysctl-not-allowed'],

  text: {
    name: 'Kernel setting of node too low',
    title: '{container} refuses to start: the kernel setting {setting} of the node is too low{figures}',
    why: 'The program (Elasticsearch, OpenSearch, SonarQube and others check this at start) needs {setting}{figures}. That is a setting of the kernel of the whole node: it cannot be set for one pod, only on the node itself or by a privileged container there.',
  },

  clues: {
    tooLow: proves(tooLow, byContainers),
    cannotSet: supports(cannotSet),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    tooLow: 'the program says that {setting} is too low{figures}',
    cannotSet: 'a container tries to set {key} and may not',
    well: 'the pod runs and is ready',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { tooLow: told, cannotSet: tried }) => {
    const setting = told?.fields['threads']
      ? 'the limit of threads (nproc)'
      : told?.fields['shm']
        ? 'kernel.shmmax'
        : ((tried && !told ? tried.fields['key'] : undefined) ?? 'vm.max_map_count');
    const want = told?.fields['want'] ?? told?.fields['least'];
    const have = told?.fields['have'];
    return {
      ...namesOf(place),
      setting,
      key: tried?.fields['key'] ?? 'it',
      sysctl: /^[\w.]+$/.test(setting) ? setting : 'vm.max_map_count',
      value: want ?? '262144',
      raisedKey: /^[a-z]\w*(?:\.\w+)+$/.test(setting) ? setting : '',
      raisedValue: want ?? (setting === 'vm.max_map_count' ? '262144' : ''),
      figures: want ? ` (${have ? `${have}, ` : ''}at least ${want} is needed)` : '',
    };
  },

  fixes: [
    {
      say: 'See the setting on the node',
      risk: 'reads-only',
      steps: [{ say: 'on each node that may run the pod', run: 'sysctl {{sysctl}}', on: 'node' }],
    },
    {
      say: 'Set {setting} on the nodes, at once and for every boot',
      risk: 'touches-node',
      steps: [
        {
          say: 'running programs are not disturbed',
          run: "printf '{{sysctl}} = {{value}}\\n' > /etc/sysctl.d/90-{{sysctl}}.conf && sysctl --system",
          on: 'node',
        },
        { say: 'put it into the node image or the cloud-init of the node pool as well' },
      ],
      changes: [{ do: 'sysctl', key: '{{raisedKey}}', value: '{{raisedValue}}', atLeast: true }],
      verified: '{container} starts',
    },
    {
      say: 'Or let a privileged init container (or a DaemonSet) set it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'command: ["sysctl", "-w", "{sysctl}={value}"] with securityContext.privileged: true',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        {
          say: 'for tests only: Elasticsearch with discovery.type=single-node skips the check, node.store.allow_mmap: false does without it',
        },
      ],
      verified: '{container} starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Elasticsearch bootstrap checks (BootstrapChecks.java)', 'linux Documentation/admin-guide/sysctl/vm.rst'],
});
