import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const ENGINE = ['container-log', 'pod-events', 'system-log'] as const;
const unreached = line(
  'iscsiadm -m discovery -t sendtargets -p',
  ENGINE,
  /nsenter [\s\S]{0,300}?iscsiadm -m discovery -t sendtargets -p (?<address>[\da-f.:]{3,45})\][\s\S]{0,300}?(?:cannot make connection to [\da-f.:]{3,45}: (?<how>[A-Z][\w ]{3,40})|connection login retries|iSCSI PDU timed out|connect to [\da-f.:]{3,45} timed out)/i,
);
const noLogin = line(
  ['iqn.2019-10.io.longhorn', 'iqn.2014-09.com.rancher'],
  ENGINE,
  /iqn\.(?:2019-10\.io\.longhorn|2014-09\.com\.rancher):(?<volume>[\w.-]{1,100})[\s\S]{0,300}?(?:--login\][\s\S]{0,300}?(?:[Cc]ould not login|initiator reported error|timed? ?out)|portal: (?<address>[\da-f.:]{3,45}),\d{1,5}\][\s\S]{0,200}?initiator reported error \((?!15\b)(?<how>[^)\n\\"]{3,100}))/,
);
const timeout = line(
  ['timeout executing: ', 'Timeout executing: '],
  ENGINE,
  /timeout executing: [\s\S]{0,300}?iscsiadm -m (?:discovery|node)/i,
);
const discoverFails = line(
  ['Failed to discover', 'FAIL to discover due to'],
  'container-log',
  /Failed to discover\\?" func=\\?"iscsidev|FAIL to discover due to/,
);
// No channel: the host's own initiator is at fault then, not the way to the pod.
const noTool = line(['failed to execute iscsiadm', 'can not connect to iSCSI daemon', 'Initiatorname required'], []);

export const cause = defineCause({
  id: 'longhorn-iscsi-loopback-unreachable',
  area: 'storage',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'not-ready', 'other-trouble'],
  effectOf: ['node-firewall-blocks-cluster-ports', 'overlay-traffic-blocked'],

  text: {
    name: 'Host cannot reach Longhorn engine',
    title: '{node} cannot reach the Longhorn engine at {address} by iSCSI: {how}',
    why: 'Longhorn offers each attached volume as an iSCSI target at the pod IP of its instance-manager ({address}), and iscsid of the same host ({node}) logs in to it. The tool runs, but this loopback connection from the host to the pod IP fails: {how}. So every volume on this node attaches and detaches again, and pods stay in ContainerCreating. Host routing, a host firewall, or an interface bound in the iSCSI configuration stands between.',
  },

  clues: {
    unreached: proves(unreached),
    noLogin: proves(noLogin),
    timeout: supports(timeout),
    discoverFails: supports(discoverFails),
    noTool: excludes(noTool),
  },
  says: {
    unreached: 'discovery at the engine pod {address} fails from the host: {how}',
    noLogin: 'logging in to the target of the Longhorn volume {volume} fails',
    timeout: 'a call of iscsiadm for Longhorn ran into its timeout',
    discoverFails: 'the engine cannot discover its own target from the host',
    noTool: 'iscsiadm or iscsid of the host itself is missing',
  },
  slots: (place, { unreached: away, noLogin: login }) => ({
    node: place.name,
    address: away?.fields['address'] ?? login?.fields['address'] ?? 'its pod IP',
    target: away?.fields['address'] ?? login?.fields['address'] ?? 'POD-IP',
    how: away?.fields['how'] ?? login?.fields['how'] ?? (away ? 'no answer' : 'the login fails or times out'),
    volume: login?.fields['volume'] ?? 'of the pod',
  }),

  fixes: [
    {
      say: 'Test the way from the host to the engine pod',
      risk: 'reads-only',
      steps: [
        {
          say: 'pods of Longhorn on the node, with their addresses',
          run: 'kubectl -n longhorn-system get pods -o wide --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        { say: 'the route to it, and the iSCSI port', run: 'ip route get {{target}}; nc -vz -w 3 {{target}} 3260', on: 'node' },
        {
          say: 'interfaces that iSCSI is bound to, and old sessions',
          run: 'iscsiadm -m iface; iscsiadm -m session; grep -v "^#" /etc/iscsi/iscsid.conf | grep -i iface',
          on: 'node',
        },
      ],
    },
    {
      say: 'Let the host reach pod IPs of its own node: correct route, firewall or the iSCSI interface',
      risk: 'touches-node',
      steps: [
        {
          say: 'a host firewall must trust the pod network',
          run: 'firewall-cmd --permanent --zone=trusted --add-source=POD-CIDR && firewall-cmd --reload',
          on: 'node',
          family: 'rhel',
        },
        {
          say: 'do not bind the default iSCSI interface to one network card: the pod IP is behind the bridge of the CNI',
          run: 'iscsiadm -m iface -I default --op show',
          on: 'node',
        },
        { say: 'then let the daemon start afresh', run: 'systemctl restart iscsid', on: 'node' },
      ],
      verified: 'iscsiadm -m discovery -t sendtargets -p {target} lists the volume, and it attaches',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['longhorn issues 12548, 13420, 7386', 'longhorn/go-iscsi-helper iscsidev/iscsi.go'],
});
