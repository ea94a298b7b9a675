import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const absent = line(
  [
    'resolv.conf: no such file or directory',
    'resolv.conf: too many levels of symbolic links',
    'resolv.conf": no such file',
    'resolv.conf\\": no such file',
  ],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log'],
  /(?:open|stat|lstat|read|evalsymlinks|copy) [\\"]{0,4}(?<path>\/[^\s:"\\]{0,200}resolv\.conf)[\\"]{0,4}: (?<error>no such file or directory|too many levels of symbolic links)/i,
);
const notOpened = line(
  ['Could not open resolv conf file', 'Unable to parse DNS options', 'failed to create sandbox resolv'],
  ['kubelet-log', 'pod-events'],
  /Could not open resolv conf file[^\n]{0,200}?(?<path>\/[^\s:"\\]{1,200})|failed to (?:create|copy|parse) [^\n]{0,60}resolv\.conf/i,
);
const empty = line(
  ['No valid search domain', 'no nameservers found in', 'No nameserver found'],
  ['kubelet-log', 'container-log', 'pod-events'],
  /no nameservers? found in (?<path>\/\S{1,200}resolv\.conf)|No non-localhost DNS nameservers are left in resolv\.conf/i,
);
const inImage = line(
  ['resolv.conf: no such file'],
  [],
  /rootfs\/etc\/resolv\.conf: no such file|\/(?:overlay2|merged)\/[^\s:]{0,200}resolv\.conf: no such file/,
);

export const cause = defineCause({
  id: 'resolv-conf-broken',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'create-error', 'init-stuck', 'crash-loop', 'pending', 'failed', 'other-trouble'],

  text: {
    name: 'Resolver file of host missing',
    title: 'The resolver file {path} does not exist on {where}: no sandbox can be made',
    why: 'For every pod the kubelet and the runtime read the resolver file of the host (resolvConf of the kubelet). On {where} it is {path}, and that file is not there ({error}): systemd-resolved is not installed or does not run, or a link points to nothing. kubeadm sets /run/systemd/resolve/resolv.conf when it sees systemd-resolved on the machine where init ran, and hands that on to all nodes.',
  },

  clues: {
    absent: proves(absent, notByContainers),
    notOpened: proves(notOpened, notByContainers),
    empty: supports(empty),
    setting: supports('kubelet.setting', ({ key }) => /^(?:resolvConf|resolv-conf)$/.test(key)),
    stopped: supports('unit.state', ({ unit, active }) => /^systemd-resolved(?:\.service)?$/.test(unit) && active !== 'active'),
    inImage: excludes(inImage),
  },
  says: {
    absent: 'the file is not there: {path} ({error})',
    notOpened: 'the kubelet cannot open its resolver file {path}',
    empty: 'the resolver file names no usable server',
    setting: 'the kubelet is told to use {setting}',
    stopped: 'systemd-resolved is {state} on the host',
    inImage: 'the file is missing in an image, not on the host',
  },
  slots: (place, { absent: file, notOpened: opened, setting, stopped }) => ({
    where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
    path: file?.fields['path'] ?? opened?.fields['path'] ?? setting?.value ?? '/run/systemd/resolve/resolv.conf',
    unit: (file ?? opened)?.fields['path']?.startsWith('/run/systemd/resolve/') ? 'systemd-resolved' : '',
    resolver: /^\/(?!etc\/resolv\.conf$)/.test((file ?? opened)?.fields['path'] ?? '') && !stopped ? '/etc/resolv.conf' : '',
    error: file?.fields['error'] ?? 'no such file or directory',
    setting: setting?.value ?? 'another file',
    state: stopped?.active ?? 'not active',
  }),

  fixes: [
    {
      say: 'See which file the kubelet uses, and where it leads to',
      risk: 'reads-only',
      steps: [
        {
          say: 'setting, file and service',
          run: 'grep -n resolvConf /var/lib/kubelet/config.yaml; ls -l /etc/resolv.conf /run/systemd/resolve/ 2>&1; systemctl is-active systemd-resolved',
          on: 'node',
        },
      ],
    },
    {
      say: 'Start systemd-resolved on {where}, when the distribution has it',
      risk: 'touches-node',
      steps: [
        {
          say: 'it makes the file at once',
          run: 'systemctl enable --now systemd-resolved && ls -l /run/systemd/resolve/resolv.conf',
          on: 'node',
        },
      ],
      changes: [
        { do: 'units', action: 'enable', units: ['{{unit}}'] },
        { do: 'units', action: 'start', units: ['{{unit}}'] },
      ],
      verified: 'the file exists and new pods of {where} get past ContainerCreating',
    },
    {
      say: 'Or point the kubelet to the file the host really has',
      risk: 'touches-node',
      steps: [
        {
          say: 'set resolvConf',
          run: "sed -i.before 's#^resolvConf:.*#resolvConf: /etc/resolv.conf#' /var/lib/kubelet/config.yaml && systemctl restart kubelet",
          on: 'node',
        },
        {
          say: 'a stopgap until then',
          run: 'mkdir -p /run/systemd/resolve && ln -s /etc/resolv.conf /run/systemd/resolve/resolv.conf',
          on: 'node',
        },
      ],
      changes: [
        { do: 'kubelet-set', key: 'resolvConf', value: '{{resolver}}' },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'new pods of {where} get past ContainerCreating',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/network/dns/dns.go', 'kubernetes cmd/kubeadm/app/componentconfigs/kubelet.go', 'kubeadm issue 1124'],
});
