import { defineCause, excludes, line, minutes, notByContainers, on, proves, supports } from '../../define-cause.ts';

const UNITS = 'kubelet|containerd|docker|crio|cri-docker|cri-dockerd|etcd|k3s|k3s-agent|rke2-server|rke2-agent|kube-\\w{3,20}';
const exec = line(
  [
    'Failed at step EXEC spawning',
    'Failed to locate executable',
    'status=203/EXEC',
    'Failed to execute command',
    'Unable to locate executable',
  ],
  ['system-log', 'unit-state'],
  /(?:Failed at step EXEC spawning (?<program>\/[^\s:]{2,200}): (?<why>[A-Z][\w ]{3,60})|(?:Failed|Unable) to locate executable (?<located>[^\s:]{2,200}): (?<reason>[A-Z][\w ]{3,60})|Failed to execute command: (?<command>[A-Z][\w ]{3,60})|ExecStart=(?<start>\/\S{2,200})[^\n]{0,600}?code=exited, status=203\/EXEC)/,
);
/** The same without the line that names the program: 203 is what systemd itself returns when it cannot execute it. */
const noExec = line(
  'status=203/EXEC',
  'system-log',
  new RegExp(`(?<unit>${UNITS})\\.service: [Mm]ain process exited, code=exited,? status=203/EXEC`),
);
const before = line(
  'ExecStartPre=',
  'unit-state',
  /ExecStartPre=(?<command>[^\n]{2,300}?) \(code=exited, status=(?<status>(?!0)[^\s)]{1,30})\)/,
);
const control = line(
  ['Control process exited', 'control process exited'],
  'system-log',
  new RegExp(`(?<unit>${UNITS})\\.service: [Cc]ontrol process exited, code=exited,? status=(?<status>(?!0/)[\\w/-]{1,30})`),
);
const environment = line(
  ['Failed to load environment files', "Failed to run 'start-pre' task", 'bad unit file setting', 'bad-setting'],
  'system-log',
  new RegExp(
    `(?<unit>${UNITS})\\.service: (?<what>Failed to load environment files: [\\w ]{3,60}|Failed to run 'start-pre' task: [\\w ]{3,60}|Unit configuration has fatal error|bad unit file setting)`,
  ),
);
/** k3s and rke2 do not start beside it: it breaks the routes of pods. The line itself stands in every journal of theirs. */
const cloudSetup = line(
  'is-enabled --quiet nm-cloud-setup',
  'system-log',
  /systemctl is-enabled --quiet (?<service>nm-cloud-setup(?:\.service)?)/,
);
const DAEMON = new RegExp(`^(?:${UNITS})(?:\\.service)?$`);
const runs = line('Active: active (running)', [], /Active: active \(running\)/);

export const cause = defineCause({
  id: 'unit-command-cannot-run',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'runtime-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],
  wakesOn: [on('unit.state', { exitStatus: '203/EXEC' })],

  text: {
    name: 'Unit command cannot run',
    title: 'systemd on {node} cannot start the service: {what}',
    why: 'Before a daemon says a word of its own, systemd runs the commands of its unit file. Here {what}, so the daemon itself never starts: its own log is empty, and the reason is in the unit file or on the disk.',
  },

  clues: {
    exec: proves(exec),
    noExec: proves(noExec),
    state: proves('unit.state', ({ unit, exitStatus }) => exitStatus === '203/EXEC' && DAEMON.test(unit)),
    before: proves(before),
    environment: proves(environment),
    control: supports(control),
    cloudSetup: supports(cloudSetup, notByContainers),
    runs: excludes(runs),
  },
  says: {
    exec: 'the program of the unit cannot be executed: {program} ({why})',
    noExec: 'systemd cannot execute the program of {unit} (203/EXEC)',
    state: 'the state of {unit} is 203/EXEC: systemd cannot execute its program',
    before: 'the command before it fails: {command} (status {status})',
    environment: 'the unit cannot be set up: {setting}',
    cloudSetup: 'its unit first tests that nm-cloud-setup is not enabled',
    control: 'a command before or after the daemon ended with an error',
    runs: 'the service is running',
  },
  slots: (place, { exec: missing, noExec: ended, state, before: pre, environment: broken, control: step, cloudSetup: tested }) => {
    const unit = ended?.fields['unit'] ?? state?.unit.replace(/\.service$/, '');
    const fields = missing?.fields ?? {};
    const program = fields['program'] ?? fields['located'] ?? fields['start'] ?? 'its program';
    const why = fields['why'] ?? fields['reason'] ?? fields['command'] ?? (missing ? 'missing, or not for this machine' : 'not found');
    const command = pre?.fields['command'] ?? 'ExecStartPre';
    const setting = broken?.fields['what'] ?? 'see its journal';
    return {
      node: place.name,
      unit: unit ? `${unit}.service` : 'the unit',
      program,
      why,
      command: command.slice(0, 160),
      status: pre?.fields['status'] ?? 'not 0',
      setting,
      what: missing
        ? `${program} cannot be executed (${why.trim()})`
        : pre
          ? `the command before it (ExecStartPre=${command.slice(0, 160)}) fails with status ${pre.fields['status'] ?? 'not 0'}`
          : unit && !broken
            ? `the program of ${unit}.service cannot be executed (missing, not executable, of another architecture, or kept back by SELinux)`
            : !broken && step && tested
              ? 'nm-cloud-setup.service is enabled on this host, and the unit of k3s or rke2 refuses to start beside it'
              : setting,
    };
  },

  fixes: [
    {
      say: 'See what the unit runs, and run it by hand',
      risk: 'reads-only',
      steps: [
        { say: 'the unit with its drop-ins', run: 'systemctl cat kubelet containerd | grep -nE "^#|Exec|Environment"', on: 'node' },
        {
          say: 'does the program exist, may it be executed, is it for this machine',
          run: 'ls -lZ {{program}}; file {{program}}; uname -m',
          on: 'node',
        },
        { say: 'all of the journal', run: 'journalctl -b -p warning --no-pager | tail -40', on: 'node' },
      ],
    },
    {
      say: 'k3s or rke2 beside nm-cloud-setup: disable that service and reboot',
      risk: 'touches-node',
      for: ['cloudSetup'],
      steps: [
        {
          say: 'is it enabled',
          run: 'systemctl is-enabled nm-cloud-setup.service nm-cloud-setup.timer',
          on: 'node',
        },
        {
          say: 'switch it off',
          run: 'systemctl disable --now nm-cloud-setup.service nm-cloud-setup.timer && systemctl reboot',
          on: 'node',
        },
      ],
    },
    {
      say: 'Install the program where the unit looks for it, or correct the path in the unit file',
      risk: 'touches-node',
      for: ['exec', 'noExec', 'state'],
      steps: [
        {
          say: 'after a binary was copied by hand: permission and SELinux label',
          run: 'chmod 0755 {{program}} && restorecon -v {{program}}',
          on: 'node',
        },
        {
          say: 'a command before it that fails: run it as root, load the module it needs at boot, or take it out of the unit',
          run: 'printf "br_netfilter\\noverlay\\nnf_conntrack\\n" > /etc/modules-load.d/k8s.conf && systemctl restart systemd-modules-load',
          on: 'node',
        },
        {
          say: 'start again',
          run: 'systemctl daemon-reload && systemctl reset-failed && systemctl restart containerd kubelet',
          on: 'node',
        },
      ],
      verified: 'systemctl status shows active (running)',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['systemd src/core/execute.c', 'systemd.exec(5): process exit codes'],
});
