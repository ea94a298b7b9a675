import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const notLoaded = line(
  ['failed to load kubelet config file', 'failed to read kubelet config file'],
  'kubelet-log',
  /failed to (?:load|read) kubelet config file[,:]? (?:path: )?[\\"“”]{0,8}(?<path>\/[^\s\\"“”,:]{1,200})[\s\S]{0,20}?(?:error:?|:) ?(?<error>[\s\S]{3,400})/i,
);
const badFlag = line(
  ['unknown flag: --', 'unknown shorthand flag: ', 'invalid argument "'],
  'kubelet-log',
  /(?:(?<unknown>unknown flag: (?<flag>--[\w-]{2,80}))|unknown shorthand flag: (?<short>[\s\S]{1,60}?) in|invalid argument [\\"“”]{1,8}[\s\S]{0,100}? for [\\"“”]{0,8}(?<value>--[\w-]{2,80}))/,
);
const notValid = line(
  ['failed to validate kubelet configuration', 'invalid configuration: ', 'strict decoding error'],
  'kubelet-log',
  /(?:failed to validate kubelet configuration, error: (?<error>[\s\S]{3,300})|(?<field>invalid configuration: [\s\S]{3,200})|strict decoding error: (?<strict>[\s\S]{3,200}))/i,
);
const gate = line('unrecognized feature gate', 'kubelet-log', /unrecognized feature gate: (?<gate>\w{2,80})/);
const cameUp = line(
  ['Started kubelet', 'Successfully registered node'],
  'kubelet-log',
  /Started kubelet(?![.:]| -)|Successfully registered node/,
);
const credentials = line('unable to load bootstrap kubeconfig', 'kubelet-log');

export const cause = defineCause({
  id: 'kubelet-config-missing-or-invalid',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['disk-full-root'],

  text: {
    name: 'Kubelet configuration is wrong',
    title: 'The kubelet of {node} cannot start: {what}',
    why: 'The kubelet reads its command line and its configuration file before anything else, and exits when one of them does not fit: {what}. systemd starts it again and again, and the node stays away or NotReady. {hint}',
  },

  clues: {
    badFlag: proves(badFlag, ({ channel }) => channel === 'kubelet-log'),
    notLoaded: proves(notLoaded),
    notValid: proves(notValid, ({ channel }) => channel === 'kubelet-log'),
    gate: proves(gate, ({ channel }) => channel === 'kubelet-log'),
    down: supports('node.symptom', ({ symptom }) => symptom === 'kubelet-down'),
    credentials: excludes(credentials),
    cameUp: excludes(cameUp, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    badFlag: 'the kubelet does not know the flag or value it is given: {flag}',
    notLoaded: 'the kubelet cannot load its configuration file {path}',
    notValid: 'the kubelet refuses its configuration: {error}',
    gate: 'the kubelet does not know the feature gate {gate}',
    down: 'the kubelet does not stay up',
    cameUp: 'the kubelet has started since',
    credentials: 'its configuration loads; it fails later, on its credentials',
  },
  slots: (place, { badFlag: flag, notLoaded: file, notValid: values, gate: unknown }) => {
    const named = flag?.fields['flag'] ?? flag?.fields['value'] ?? flag?.fields['short'];
    const path = file?.fields['path'] ?? '/var/lib/kubelet/config.yaml';
    const error = short(values?.fields['error'] ?? values?.fields['field'] ?? values?.fields['strict'] ?? file?.fields['error']);
    const absent = /no such file/.test(file?.fields['error'] ?? '');
    return {
      node: place.name,
      path,
      error: error ?? 'not valid',
      flag: named ?? 'a flag',
      gate: unknown?.fields['gate'] ?? 'it names',
      what: flag
        ? flag.fields['unknown']
          ? `unknown flag ${named ?? ''}: this kubelet version has no such option (removed)`
          : `a flag with a wrong value: ${named ?? 'see its log'}`
        : unknown
          ? `unrecognized feature gate ${unknown.fields['gate'] ?? ''}`
          : absent
            ? `its configuration file ${path} does not exist`
            : `its configuration ${path} is not valid: ${error ?? 'see its log'}`,
      hint: flag
        ? 'Flags stand in the unit file, in its drop-in 10-kubeadm.conf, in kubeadm-flags.env or in /etc/default/kubelet; a newer kubelet has dropped some of them.'
        : absent
          ? 'kubeadm init or join writes this file: before that, the loop is normal; after that, the file was deleted.'
          : 'It was edited by hand, or written for another version.',
    };
  },

  fixes: [
    {
      say: 'See the flags and the file that the kubelet gets',
      risk: 'reads-only',
      steps: [
        {
          say: 'unit file, drop-ins and files with flags',
          run: 'systemctl cat kubelet; cat /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet /etc/sysconfig/kubelet 2>/dev/null',
          on: 'node',
        },
        {
          say: 'its last words',
          run: "journalctl -u kubelet -b --no-pager | grep -E ' [EF][0-9]{4} |[Ee]rror|unknown flag' | tail -5",
          on: 'node',
        },
        { say: 'its version', run: 'kubelet --version', on: 'node' },
      ],
    },
    {
      say: 'Remove the flag or gate that this version does not know, or correct its value',
      risk: 'touches-node',
      steps: [
        {
          say: 'delete {flag} where it stands: /etc/systemd/system/kubelet.service.d/10-kubeadm.conf, /var/lib/kubelet/kubeadm-flags.env, /etc/default/kubelet',
          run: 'grep -rnE -- "KUBELET_.*ARGS" /etc/systemd/system/kubelet.service.d /usr/lib/systemd/system/kubelet.service.d /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet /etc/sysconfig/kubelet 2>/dev/null',
          on: 'node',
        },
        { say: 'start it again', run: 'systemctl daemon-reload && systemctl restart kubelet', on: 'node' },
      ],
      verified: 'systemctl is-active kubelet says active for some minutes, and {node} becomes Ready',
    },
    {
      say: 'Write the configuration file {path} anew',
      risk: 'touches-node',
      steps: [
        { say: 'not yet a member of a cluster: kubeadm init or kubeadm join writes it; nothing is wrong with the kubelet', on: 'node' },
        {
          say: 'a member already: fetch it from the cluster',
          run: 'kubeadm upgrade node phase kubelet-config && systemctl restart kubelet',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubelet/app/server.go',
    'kubernetes pkg/kubelet/apis/config/validation/validation.go',
    'kubernetes CHANGELOG 1.24 (--network-plugin), 1.27 (--container-runtime)',
  ],
});

function short(text: string | undefined): string | undefined {
  const line = text
    ?.split('\n')[0]
    ?.replace(/[\\"]+$/, '')
    .trim();
  return line === undefined || line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
