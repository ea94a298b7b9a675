import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const notLoaded = line(
  ['failed to load kubelet config file', 'failed to read kubelet config file'],
  'kubelet-log',
  /failed to (?:load|read) kubelet config file[,:]? (?:path: )?[\\"“”]{0,8}(?<path>\/[^\s\\"“”,:]{1,200})(?:[\s\S]{0,20}?(?:error:?|:) ?(?<error>[\s\S]{3,400}))?/i,
);
const badFlag = line(
  ['unknown flag: --', 'unknown shorthand flag: ', 'invalid argument "'],
  'kubelet-log',
  /(?:failed to parse (?<own>kubelet) flag: )?(?:(?<unknown>unknown flag: (?<flag>--[\w-]{2,80}))|unknown shorthand flag: (?<short>[\s\S]{1,60}?) in|invalid argument [\\"“”]{1,8}[\s\S]{0,100}? for [\\"“”]{0,8}(?<value>--[\w-]{2,80}))/,
);
const notValid = line(
  ['failed to validate kubelet configuration', 'invalid configuration: ', 'strict decoding error'],
  'kubelet-log',
  /(?:failed to validate kubelet configuration, error: (?<error>[\s\S]{3,300})|(?<field>invalid configuration: (?!\[?unable to read client-|no configuration has been provided|cgroup\b)[\s\S]{3,200})|strict decoding error: (?<strict>[\s\S]{3,200}))/i,
);
/** What it checks after the file is read: flags that may not stand together, files they name. */
const refused = line(
  [
    'labels specified with --node-labels',
    'unable to load client CA file',
    'cannot use webhook auth',
    'plugin binary directory',
    "not supported or doesn't exist",
    'was specified through the --cloud-provider flag',
    'failed to run Kubelet: unknown cloud provider',
  ],
  'kubelet-log',
  /(?:(?<labels>unknown '?kubernetes\.io'? or '?k8s\.io'? labels specified with --node-labels: \[[^\]\n]{1,200}\])|(?<file>unable to load client CA file [^\n"\\]{3,300})|(?<client>no client provided, cannot use webhook auth\w{2,20})|(?<plugin>plugin binary directory \/[^\s"\\]{1,200} did not exist)|(?<cloud>unknown cloud provider: [\\"]{1,4}\w{2,20}[\\"]{1,4} was specified through the --cloud-provider flag|(?<=failed to run Kubelet: )unknown cloud provider: [\\"]{0,4}\w{2,20})|(?<cipher>Cipher suite \w{3,80} not supported or doesn't exist))/,
);
const gate = line('unrecognized feature gate', 'kubelet-log', /unrecognized feature gate: (?<gate>\w{2,80})/);
/** It prints its whole help after a flag it cannot take; the flag itself stands above, often cut off. */
const usage = line(
  ['--volume-stats-agg-period duration', '--vmodule moduleSpec', '--volume-plugin-dir string'],
  'kubelet-log',
  /--(?:volume-stats-agg-period duration|vmodule (?:moduleSpec|pattern)|volume-plugin-dir string)\s{2,}/,
);
const cameUp = line(
  ['Started kubelet', 'Successfully registered node'],
  'kubelet-log',
  /Started kubelet(?![.:]| -)|Successfully registered node/,
);
const oldHierarchy = line('configured to not run on a host using cgroup v1', []);
const unreadable = line(['input/output error'], 'kubelet-log', /kubelet config file[\s\S]{0,300}?: input\/output error/i);
/** Made as a folder by a mount of a file that was not there, or named short of the file. */
const access = line(
  ['invalid kubeconfig: error loading config file'],
  'kubelet-log',
  /failed to run Kubelet: invalid kubeconfig: error loading config file [\\"“”]{1,8}(?<path>\/[^\s\\"“”]{1,200})[\\"“”]{1,8}: (?<error>[^\n"\\]{3,200})/,
);
const credentials = line('unable to load bootstrap kubeconfig', 'kubelet-log');

export const cause = defineCause({
  id: 'kubelet-config-missing-or-invalid',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['disk-full-root', 'dockershim-removed'],

  text: {
    name: 'Kubelet configuration is wrong',
    title: 'The kubelet of {node} cannot start: {what}',
    why: 'The kubelet reads its command line and its configuration file before anything else, and exits when one of them does not fit: {what}. systemd starts it again and again, and the node stays away or NotReady. {hint}',
  },

  clues: {
    badFlag: proves(badFlag, ({ channel, fields }) => channel === 'kubelet-log' || fields['own'] !== undefined),
    notLoaded: proves(notLoaded),
    notValid: proves(notValid, ({ channel }) => channel === 'kubelet-log'),
    // Its sentences about labels and clouds name its own flags: they are its words wherever they were pasted.
    refused: proves(refused, ({ channel, fields }) => channel === 'kubelet-log' || (fields['cloud'] ?? fields['labels']) !== undefined),
    gate: proves(gate, ({ channel }) => channel === 'kubelet-log'),
    access: proves(access),
    usage: supports(usage, ({ channel }) => channel === 'kubelet-log'),
    down: supports('node.symptom', ({ symptom }) => symptom === 'kubelet-down'),
    oldHierarchy: excludes(oldHierarchy),
    unreadable: excludes(unreadable),
    credentials: excludes(credentials),
    cameUp: excludes(cameUp, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    badFlag: 'the kubelet does not know the flag or value it is given: {flag}',
    notLoaded: 'the kubelet cannot load its configuration file {path}',
    notValid: 'the kubelet refuses its configuration: {error}',
    refused: 'the kubelet refuses what it is given: {refusal}',
    gate: 'the kubelet does not know the feature gate {gate}',
    access: 'the kubelet cannot load its kubeconfig {path}: {error}',
    usage: 'the kubelet prints its help, as after a flag it cannot take',
    down: 'the kubelet does not stay up',
    cameUp: 'the kubelet has started since',
    unreadable: 'the disk cannot be read (input/output error); the file may be well',
    oldHierarchy: 'its configuration is well; it refuses a host on cgroup v1',
    credentials: 'its configuration loads; it fails later, on its credentials',
  },
  slots: (place, { badFlag: flag, notLoaded: file, notValid: values, refused: check, gate: unknown, access: entry, usage: help }) => {
    const named = flag?.fields['flag'] ?? flag?.fields['value'] ?? flag?.fields['short'];
    const path = file?.fields['path'] ?? entry?.fields['path'] ?? '/var/lib/kubelet/config.yaml';
    const error = short(
      values?.fields['error'] ?? values?.fields['field'] ?? values?.fields['strict'] ?? file?.fields['error'] ?? entry?.fields['error'],
    );
    const refusal = short(Object.values(check?.fields ?? {}).find((value) => value !== undefined)) ?? 'a flag or file';
    const absent = /no such file/.test(file?.fields['error'] ?? '');
    return {
      node: place.name,
      path,
      error: error ?? 'not valid',
      flag: named ?? 'a flag',
      gate: unknown?.fields['gate'] ?? 'it names',
      refusal,
      what: flag
        ? flag.fields['unknown']
          ? `unknown flag ${named ?? ''}: this kubelet version has no such option (removed)`
          : `a flag with a wrong value: ${named ?? 'see its log'}`
        : unknown
          ? `unrecognized feature gate ${unknown.fields['gate'] ?? ''}`
          : check && !file && !values
            ? `it refuses its flags or files: ${refusal}`
            : help && !file && !values
              ? 'it is given a flag that it does not know or a wrong value (it prints its help; the flag stands in the first lines of its output)'
              : absent
                ? `its configuration file ${path} does not exist`
                : entry && !file && !values
                  ? `its kubeconfig ${path} cannot be loaded: ${error ?? 'see its log'}`
                  : `its configuration ${path} is not valid: ${error ?? 'see its log'}`,
      hint:
        flag || help
          ? 'Flags stand in the unit file, in its drop-in 10-kubeadm.conf, in kubeadm-flags.env or in /etc/default/kubelet; a newer kubelet has dropped some of them.'
          : absent
            ? 'kubeadm init or join writes this file: before that, the loop is normal; after that, the file was deleted.'
            : check?.fields['labels']
              ? 'A kubelet may set only a few labels of kubernetes.io on itself (not node-role.kubernetes.io): take them out of --node-labels and set them with kubectl label node.'
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
      for: ['badFlag', 'gate', 'usage'],
      steps: [
        {
          say: 'delete {flag} where it stands: /etc/systemd/system/kubelet.service.d/10-kubeadm.conf, /var/lib/kubelet/kubeadm-flags.env, /etc/default/kubelet',
          run: 'grep -rnE -- "KUBELET_.*ARGS" /etc/systemd/system/kubelet.service.d /usr/lib/systemd/system/kubelet.service.d /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet /etc/sysconfig/kubelet 2>/dev/null',
          on: 'node',
        },
        {
          say: 'labels of kubernetes.io (with k3s and rke2 under node-label in config.yaml): take them out there, and set them from the cluster',
          run: 'kubectl label node {{node}} KEY=VALUE',
          on: 'cluster',
        },
        { say: 'start it again', run: 'systemctl daemon-reload && systemctl restart kubelet', on: 'node' },
      ],
      verified: 'systemctl is-active kubelet says active for some minutes, and {node} becomes Ready',
    },
    {
      say: 'Write the configuration file {path} anew',
      risk: 'touches-node',
      for: ['notLoaded'],
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
