import { defineCause, excludes, line, minutes, ofPodsNamed, proves, supports } from '../../define-cause.ts';

const ERROR = String.raw`(?<error>[^\n]{0,400})`;

const noToken = line(
  ['Unable to create token for CNI kubeconfig'],
  'container-log',
  new RegExp(`Unable to create token for CNI kubeconfig(?: error=|: )${ERROR}`),
);
const noStore = line(
  [
    'Hit error connecting to datastore',
    'Unable to contact the datastore',
    'Unable to connect to datastore',
    'Failed to reach apiserver',
    'Failed to initialize Calico datastore',
  ],
  'container-log',
  new RegExp(
    `(?:Hit error connecting to datastore|Unable to contact the datastore|Unable to connect to datastore|Failed to reach apiserver|(?<controllers>Failed to initialize Calico datastore))[ -]{0,4}(?:retry )?(?:error=)?${ERROR}`,
  ),
);
const noFiles = line(
  ['/host/opt/cni/bin', '/host/etc/cni/net.d', "can't create '/host/driver", 'Failed to install CNI'],
  'container-log',
  /(?<error>(?:open |create |can't create ')?\/host\/(?:opt\/cni\/bin|etc\/cni\/net\.d|driver)[^\n:]{0,200}: (?:[Pp]ermission denied|[Rr]ead-only file system|[Tt]ext file busy|[Nn]o space left on device))/,
);
const selinux = line(
  ['This may be caused by selinux', 'avc:  denied', 'avc: denied'],
  ['container-log', 'system-log', 'host-tools'],
  /This may be caused by selinux configuration|avc: {1,2}denied[^\n]{0,300}(?:cni|calico|container_t)/,
);
/** The shell of the installer calls the plugin that it has just copied. */
const notRun = line(
  ['install-cni.sh: line'],
  'container-log',
  /install-cni\.sh: line \d{1,4}: (?<path>\/host\/opt\/cni\/bin\/[\w-]{1,40}): Permission denied/,
);
const noAddress = line(
  [
    'auto-detect an IPv4 address',
    'auto-detect any valid IPv4 addresses',
    'No valid IPv4 addresses found on the host interfaces',
    'no valid IPv4 addresses found on the host',
    'Unable to auto-detect an IPv',
    'Unable to auto-detect IPv',
    "Couldn't autodetect an IPv",
  ],
  'container-log',
  /(?<error>(?:Unable to|Could ?n[o']t) auto-?detect (?:an |any valid )?IPv[46] address[^\n]{0,160}|[Nn]o valid IPv4 addresses found on the host[^\n]{0,120})/,
);
const typha = line(
  [
    'Failed to connect to typha',
    'Failed to connect to Typha',
    'Typha discovery enabled but discovery failed',
    'Typha connection failed',
    'Connection to Typha failed',
  ],
  'container-log',
  new RegExp(
    `(?:Failed to connect to [Tt]ypha|Typha discovery enabled but discovery failed|Typha connection failed|Connection to Typha failed)${ERROR}`,
  ),
);
/** Its last words; a single Typha that does not answer is told with the word endpoint, and another is tried. */
const noTypha = line(
  ['Failed to connect to Typha', 'Typha connection failed'],
  'container-log',
  /(?:Failed to connect to Typha(?! endpoint)|Typha connection failed)/,
);
const done = line(['Calico node started successfully', 'Done configuring CNI'], 'container-log');

function whatOf(error: string): string {
  if (/i\/o timeout|deadline exceeded|no route to host|Client\.Timeout/.test(error))
    return 'the API server does not answer under its service address';
  if (/connection refused/.test(error)) return 'nothing listens at the address of the API server (connection refused)';
  if (/Unauthorized/.test(error)) return 'the API server does not accept its service account token (Unauthorized)';
  if (/forbidden/.test(error)) return 'its service account lacks rights (forbidden): roles of another calico version';
  if (/x509/.test(error)) return 'it does not trust the certificate of the API server (x509)';
  return 'it does not get an answer from the API server';
}

export const cause = defineCause({
  id: 'calico-init-hangs',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['init-stuck', 'init-crash', 'crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],
  effectOf: ['kube-proxy-down-or-mode-unsupported', 'firewalld-or-security-agent-interferes', 'dockerd-lost-containerd', 'apiserver-down'],

  text: {
    name: 'Calico cannot start',
    title: '{who} on {node} cannot start: {what}',
    why: 'Before calico-node runs, its init containers install the CNI plugin on the host and create a token for it, and at its start it must reach the API server ({server}). {what}. Until that works the node has no pod network and its pods stay in ContainerCreating. It reaches the API server by its service address, which kube-proxy provides.',
  },

  clues: {
    noToken: proves(noToken),
    noStore: proves(noStore),
    // Other network plugins install their files in the same folders.
    noFiles: proves(noFiles, ofPodsNamed(/calico|canal/)),
    notRun: proves(notRun),
    selinux: supports(selinux),
    noAddress: proves(noAddress),
    noTypha: proves(noTypha),
    typha: supports(typha),
    stuck: supports('pod.symptom', ({ about, symptom }) => /calico-node[^/]*$/.test(about) && /^init-/.test(symptom)),
    done: excludes(done),
  },
  says: {
    noToken: 'the installer gets no token from the API server: {what}',
    noStore: 'calico-node does not reach its datastore, the API server: {what}',
    noFiles: 'the installer cannot write to the host: {what}',
    notRun: 'the plugin {path} is there and may not be executed',
    selinux: 'SELinux is named as what forbids it',
    noAddress: 'calico-node finds no address of the host to use',
    noTypha: 'calico-node gives up: no Typha answers it',
    typha: 'calico-node does not reach Typha (TCP port 5473)',
    stuck: 'an init container of calico-node does not finish',
    done: 'calico-node has started; what troubles it comes later',
  },
  slots: (
    place,
    { noToken: token, noStore: store, noFiles: files, notRun, selinux: label, noAddress: address, noTypha: none, typha: relay },
  ) => {
    const error = token?.fields['error'] ?? store?.fields['error'] ?? '';
    const server = /https:\/\/(?<server>[^\s/"\\]{1,253})\//.exec(error)?.groups?.['server'];
    return {
      node: place.name,
      who: store?.fields['controllers'] ? 'calico-kube-controllers' : 'calico-node',
      server: server ?? 'the service kubernetes.default, for example 10.96.0.1:443',
      address: server ?? '10.96.0.1:443',
      detection: address && !token && !store && !files ? 'IP_AUTODETECTION_METHOD' : '',
      path: notRun?.fields['path'] ?? '/opt/cni/bin/calico',
      what: notRun
        ? `the programs in ${(notRun.fields['path'] ?? '/opt/cni/bin').replace(/^\/host|\/[^/]*$/g, '')} on the host may not be executed: that file system is mounted noexec, or SELinux forbids it`
        : files
          ? label
            ? `SELinux forbids it to replace its files on the host (${(files.fields['error'] ?? 'no write access').replace(/'; [\s\S]*$/, '')})`
            : `it cannot write its files to the host (${(files.fields['error'] ?? 'no write access').replace(/'; [\s\S]*$/, '')})`
          : address && !token && !store
            ? 'it detects no IPv4 address on the interfaces of the host'
            : (none ?? relay) && !token && !store
              ? 'it cannot connect to Typha, TCP port 5473 on other nodes (blocked between the nodes, or Typha does not run)'
              : whatOf(error),
    };
  },

  fixes: [
    {
      say: 'See which step fails and whether the API server answers under its service address on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'log of the init containers',
          run: 'kubectl -n kube-system logs POD -c install-cni --tail=20; kubectl -n kube-system logs POD -c upgrade-ipam --tail=20',
          on: 'cluster',
        },
        { say: 'from the node; any answer (even 401 or 403) is good', run: 'curl -k -m 5 https://{{address}}/version', on: 'node' },
        {
          say: 'rules that kube-proxy made for it',
          run: 'iptables-save -t nat | grep -c KUBE-SVC; ipvsadm -Ln 2>/dev/null | head',
          on: 'node',
        },
        { say: 'kube-proxy of this node', run: 'kubectl -n kube-system get pods -o wide -l k8s-app=kube-proxy', on: 'cluster' },
      ],
    },
    {
      say: 'Make the service address work on {node}: kube-proxy first, then host firewall and routes',
      risk: 'restarts-pods',
      for: ['noToken', 'noStore'],
      steps: [
        {
          say: 'kube-proxy must run here and reach the API server',
          run: 'kubectl -n kube-system logs -l k8s-app=kube-proxy --tail=30',
          on: 'cluster',
        },
        { say: 'host firewalls drop it: open or stop them on nodes', run: 'systemctl is-active firewalld ufw', on: 'node' },
        {
          say: 'pod network, service network and network of the nodes must not overlap; without kube-proxy set the real address in ConfigMap kubernetes-services-endpoint',
          run: "kubectl cluster-info dump | grep -m2 -E 'cluster-cidr|service-cluster-ip-range'",
          on: 'cluster',
        },
        {
          say: 'then start calico-node anew',
          run: 'kubectl -n kube-system delete pod -l k8s-app=calico-node --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
      verified: 'calico-node is 1/1 and /etc/cni/net.d/10-calico.conflist is there',
    },
    {
      say: 'Where Typha does not answer: open TCP port 5473 between all nodes, in host firewalls and in the security group',
      risk: 'touches-node',
      for: ['noTypha', 'typha'],
      steps: [
        { say: 'where Typha runs', run: 'kubectl get pods -A -o wide -l k8s-app=calico-typha', on: 'cluster' },
        { say: 'from {node} to the node of a Typha', run: 'nc -vz TYPHA-NODE 5473', on: 'node' },
        {
          say: 'firewalld, on the nodes of Typha',
          run: 'firewall-cmd --permanent --add-port=5473/tcp && firewall-cmd --reload',
          on: 'node',
          family: 'rhel',
        },
        { say: 'ufw, on the nodes of Typha', run: 'ufw allow 5473/tcp', on: 'node', family: 'debian' },
        { say: 'in a cloud: allow inbound TCP 5473 from the nodes own security group' },
      ],
      verified: 'calico-node is 1/1 on {node}',
    },
    {
      say: 'Where rights are missing, apply the manifest that belongs to the installed calico version',
      risk: 'restarts-pods',
      steps: [{ say: 'it brings service account, roles and CRDs', run: 'kubectl apply -f calico.yaml', on: 'cluster' }],
    },
    {
      say: 'Where SELinux or a mount option forbids it: give the directories their labels, and let programs run from /opt',
      risk: 'touches-node',
      steps: [
        {
          say: 'what was denied, and how /opt is mounted',
          run: 'ausearch -m avc -ts recent | tail; findmnt -T /opt/cni/bin -o TARGET,OPTIONS',
          on: 'node',
        },
        { say: 'labels as the policy wants them', run: 'restorecon -Rv /etc/cni /opt/cni', on: 'node' },
        {
          say: 'install-cni with a type that may write to the host (privileged, or seLinuxOptions type spc_t)',
          run: 'kubectl -n kube-system get daemonset calico-node -o yaml | grep -nA6 securityContext',
          on: 'cluster',
        },
        { say: 'noexec: remount, and take it out of /etc/fstab', run: 'mount -o remount,exec /opt', on: 'node' },
      ],
      verified: 'install-cni ends well and calico-node is 1/1',
    },
    {
      say: 'Where it finds no address or cannot write: name the interface, free the directories',
      risk: 'restarts-pods',
      for: ['noAddress', 'noFiles'],
      steps: [
        {
          say: 'the interface that connects the nodes',
          run: 'kubectl -n kube-system set env daemonset/calico-node IP_AUTODETECTION_METHOD=interface=eth0',
          on: 'cluster',
        },
        {
          say: 'on read-only systems set FLEXVOLUME path and CNI bin directory to writable ones; an antivirus may hold the files',
          run: 'ls -ld /opt/cni/bin /etc/cni/net.d; mount | grep -E " /(usr|opt) "',
          on: 'node',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: 'calico-node',
          field: 'env.{{detection}}',
          value: { ask: 'method', says: 'how calico finds the address of a node, such as interface=eth0 or can-reach=10.0.0.1' },
        },
      ],
      verified: 'calico-node is 1/1 and /etc/cni/net.d/10-calico.conflist is there',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'projectcalico/calico cni-plugin/pkg/install/install.go',
    'projectcalico/calico node/pkg/lifecycle/startup/startup.go',
    'projectcalico/calico #7122, #7529',
  ],
});
