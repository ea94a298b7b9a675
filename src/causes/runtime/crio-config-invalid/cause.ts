import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const invalid = line(
  [
    'config validation',
    'validating runtime config',
    'validating root config',
    'validating network config',
    'validating image config',
    'invalid conmon path',
    'failed to translate monitor fields',
    'loading configuration:',
    'decode configuration',
    'unable to load configuration',
    'update config from',
    'conmon cgroup should be',
    'invalid for cgroupfs',
  ],
  ['crio-log', 'system-log'],
  /(?:(?:(?:library )?config validation|validating (?:\w{2,12} )?config(?:uration)?|loading configuration|validating runtime|update config from [^\n:]{1,80}?|[Ll]oad config[^\n:]{0,60}): (?<error>[^\n]{3,300})|(?<conmon>invalid conmon path: [^\n"]{3,200}|(?:cgroupfs manager )?conmon cgroup (?:should be [^\n"]{3,100}|\S{0,200} invalid for cgroupfs)))/i,
);
const fatal = line(
  ['crio.service: Main process exited', 'crio.service: Failed with result', 'Failed to start Container Runtime Interface for OCI'],
  'system-log',
  /crio\.service: (?:Main process exited|Failed with result)|Failed to start Container Runtime Interface for OCI/,
);
const running = line('Starting CRI-O, version', [], /crio\.service - [^\n]{0,80}active \(running\)/);

export const cause = defineCause({
  id: 'crio-config-invalid',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['runtime-down', 'kubelet-down', 'node-not-ready', 'creating', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'CRI-O configuration invalid',
    title: 'CRI-O on {node} does not start: its configuration is not valid ({error})',
    why: 'CRI-O checks /etc/crio/crio.conf and /etc/crio/crio.conf.d before it starts: the paths of conmon and of the OCI runtimes (runc, crun) must exist, and every value must fit. Here: {error}. It exits, its socket is not there, and the kubelet has no runtime.',
  },

  clues: {
    invalid: proves(
      invalid,
      ({ fields, channel }) =>
        channel !== 'container-log' || /conmon|crun|runc|runtime|crio/.test(`${fields['error'] ?? ''}${fields['conmon'] ?? ''}`),
    ),
    fatal: supports(fatal),
    running: excludes(running),
  },
  says: {
    invalid: 'CRI-O refuses its configuration: {error}',
    fatal: 'the unit crio.service fails',
    running: 'CRI-O is running',
  },
  slots: (place, { invalid: said }) => ({
    node: place.name,
    program: /\b(?<program>conmon|runc|crun)\\*" not found in \$PATH/.exec(said?.fields['error'] ?? '')?.groups?.['program'] ?? '',
    error: (said?.fields['error'] ?? said?.fields['conmon'] ?? 'see its journal').replace(/[\\"]+$/, '').slice(0, 200),
  }),

  fixes: [
    {
      say: 'See the configuration in force and what is installed',
      risk: 'reads-only',
      steps: [
        {
          say: 'settings and programs',
          run: "crio config 2>/dev/null | grep -nE 'conmon|runtime_path|default_runtime|cgroup_manager'; ls /etc/crio/crio.conf.d; command -v conmon runc crun",
          on: 'node',
        },
        { say: 'the last words', run: 'journalctl -u crio -b --no-pager | tail -20', on: 'node' },
      ],
    },
    {
      say: 'conmon cgroup: with cgroup_manager = "cgroupfs" it must be "pod", with systemd "pod" or a slice such as system.slice',
      risk: 'touches-node',
      steps: [
        {
          say: 'a drop-in that fits both managers',
          run: `printf '[crio.runtime]\\nconmon_cgroup = "pod"\\n' > /etc/crio/crio.conf.d/99-conmon-cgroup.conf && systemctl restart crio`,
          on: 'node',
        },
      ],
      verified: 'systemctl is-active crio says active, and crictl info answers',
    },
    {
      say: 'Correct the path or value, or install the missing program (conmon, runc, crun)',
      risk: 'touches-node',
      steps: [
        {
          say: 'an empty conmon path means: look in $PATH',
          run: 'sed -i.before \'s#^\\s*conmon = .*#conmon = ""#\' /etc/crio/crio.conf; apt-get install -y conmon runc || dnf install -y conmon runc',
          on: 'node',
        },
        { say: 'start it', run: 'systemctl restart crio && systemctl restart kubelet', on: 'node' },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: '{{program}}', rhel: '{{program}}', suse: '{{program}}', alpine: '{{program}}', arch: '{{program}}' },
          command: '{{program}}',
        },
        { do: 'units', action: 'restart', units: ['crio', 'kubelet'] },
      ],
      verified: 'systemctl is-active crio says active, and crictl info answers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['cri-o pkg/config/config.go (Validate)', 'cri-o issues 2903, 3818'],
});
