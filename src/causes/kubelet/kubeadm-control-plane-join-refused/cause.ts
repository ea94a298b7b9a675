import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const endpoint = line(
  ['stable controlPlaneEndpoint address', 'have a stable controlPlaneEndpoint'],
  'kubeadm-output',
  /(?:doesn't|does not) have a stable controlPlaneEndpoint/i,
);
const reminded = line(
  'conditions for hosting a new control plane instance',
  'kubeadm-output',
  /One or more conditions for hosting a new control plane instance is not satisfied/,
);
const certificates = line(
  [
    'failure loading certificate for CA',
    'failure loading key for service account',
    'failure loading certificate for front-proxy CA',
    'failure loading certificate for etcd CA',
  ],
  'kubeadm-output',
  /failure loading (?:certificate|key) for (?<what>[\w -]{2,40}): (?:couldn't load the (?:certificate|private key) file )?(?<path>\/[^\s:]{1,200})/,
);
const etcd = line(
  [
    'etcd cluster is not healthy',
    'error syncing endpoints with etc',
    'error execution phase check-etcd',
    'timeout waiting for etcd cluster to be available',
    'error creating local etcd static pod manifest',
    'etcdserver: unhealthy cluster',
    'failed to add member',
  ],
  ['kubeadm-output', 'control-plane-log'],
  /(?:error execution phase (?:check-etcd|control-plane-join\/etcd)|etcd cluster is not healthy|error syncing endpoints with etcd?\b|timeout waiting for etcd cluster to be available|error creating local etcd static pod manifest)(?:[\s\S]{0,300}?(?:endpoint )?https:\/\/(?<member>[\w.-]{1,253}|\[[\da-f:]{2,60}\]):2379)?/,
);
/** A new member only listens at first (learner) and is promoted once it has all data; a cluster takes one such at a time. */
const learner = line(
  ['too many learner members', 'can only promote a learner member'],
  ['kubeadm-output', 'system-log', 'control-plane-log', 'container-log', 'objects'],
  /etcdserver: (?<many>too many learner members in cluster|too many learner)|etcdserver: (?<late>can only promote a learner member which is in sync with leader)/,
);
const differs = line(
  'critical configuration value mismatch',
  ['system-log', 'container-log'],
  /critical configuration (?:value )?mismatch\b(?: between servers)?(?:: (?<values>[^\n"]{2,160}))?/,
);
/** One such line for each setting, above the fatal one. */
const setting = line(
  ['critical configuration mismatched'],
  ['system-log', 'container-log'],
  /critical configuration mismatched: (?<setting>[\w][\w -]{2,80})/i,
);
const member = line(
  ['unstarted', 'member list'],
  'host-tools',
  /^(?<id>[0-9a-f]{12,16}), (?:unstarted|started), (?<name>[\w.-]{0,253}), https:\/\//m,
);
const joined = line('This node has joined the cluster', []);
const token = line(['could not find a JWS signature', 'none of the public keys'], []);

export const cause = defineCause({
  id: 'kubeadm-control-plane-join-refused',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'other-trouble'],

  text: {
    name: 'Control plane cannot be joined',
    title: '{node} cannot be added as another control plane: {what}',
    why: 'A further control plane needs a stable controlPlaneEndpoint, the shared certificates of the cluster, and an etcd whose members all answer. Here {what}. A control plane that was removed without kubeadm reset stays behind as an etcd member, and the next one waits for it in vain.',
  },

  clues: {
    endpoint: proves(endpoint),
    certificates: proves(certificates),
    etcd: proves(etcd, ({ channel }) => channel !== 'container-log'),
    learner: proves(learner),
    differs: proves(differs),
    setting: proves(setting),
    reminded: supports(reminded),
    member: supports(member),
    token: excludes(token),
    joined: excludes(joined),
  },
  says: {
    endpoint: 'the cluster was made without controlPlaneEndpoint',
    certificates: 'shared certificates are missing on this machine: {path}',
    etcd: 'etcd is not healthy: a member does not answer{member}',
    learner: '{learning}',
    differs: 'the servers of the cluster have different critical settings{values}',
    setting: 'the servers differ in: {settings}',
    reminded: 'kubeadm lists what a new control plane needs',
    member: 'members of etcd are listed',
    token: 'the token or the CA hash is refused before that',
    joined: 'the node has joined since',
  },
  slots: (place, { endpoint: noEndpoint, certificates: files, etcd: unhealthy, learner: learning, differs: settings, setting: named }) => {
    const late = learning?.fields['late'] !== undefined;
    const at = unhealthy?.fields['member'];
    const path = files?.fields['path'] ?? '/etc/kubernetes/pki';
    return {
      node: place.name,
      path,
      learning: late
        ? 'etcd does not promote the new member: it lags behind the leader'
        : 'etcd takes no further learner: one is in it already',
      values: settings?.fields['values'] ? `: ${settings.fields['values']}` : '',
      settings: named?.fields['setting']?.trim() ?? 'critical settings',
      member: at ? ` (${at})` : '',
      what: learning
        ? late
          ? 'its etcd member is still a learner: it does not catch up with the leader (no connection back on 2380, a slow disk or network)'
          : 'etcd has a learner already, a member that is joining or whose join was cut off, and takes one at a time'
        : named && !settings?.fields['values']
          ? `it is started with other critical flags than the first k3s or rke2 server: ${named.fields['setting']?.trim() ?? 'see its log'} differs, and perhaps more (flannel-backend, cluster-cidr, service-cidr, disable-*)`
          : settings
            ? `its settings (cluster-cidr, service-cidr, cluster-dns, disabled components, secrets encryption) differ from those of the first k3s or rke2 server${settings.fields['values'] ? ` (${settings.fields['values']})` : ''}`
            : files
              ? `the shared certificates are not there (${path}): they were not copied, or --certificate-key was not given`
              : noEndpoint
                ? 'the cluster has no stable controlPlaneEndpoint address'
                : unhealthy
                  ? `etcd is not healthy, the member${at ? ` at ${at}` : ''} does not answer; often a removed control plane is still a member`
                  : 'a condition for a new control plane is not met',
    };
  },

  fixes: [
    {
      say: 'k3s and rke2: give all servers the same critical flags (flannel-backend, cluster-cidr, service-cidr, cluster-dns, disable-network-policy, disable-cloud-controller, secrets-encryption)',
      risk: 'touches-node',
      steps: [
        {
          say: 'what the first server is started with, and this one',
          run: 'systemctl cat k3s rke2-server 2>/dev/null | grep -A12 ExecStart; cat /etc/rancher/k3s/config.yaml /etc/rancher/rke2/config.yaml 2>/dev/null',
          on: 'node',
        },
        {
          say: 'write those of the first server into config.yaml here as well, then start it again',
          run: 'systemctl restart k3s || systemctl restart rke2-server',
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes shows {node} as control-plane',
    },
    {
      say: 'Certificates missing: upload them anew, and join with the printed key',
      risk: 'touches-node',
      for: ['certificates'],
      steps: [
        {
          say: 'on a control-plane node that works',
          run: 'kubeadm init phase upload-certs --upload-certs; kubeadm token create --print-join-command',
          on: 'node',
        },
        { say: 'on {node}: the printed command with --control-plane --certificate-key KEY' },
      ],
      verified: 'kubectl get nodes shows {node} as control-plane',
    },
    {
      say: 'No controlPlaneEndpoint: add one to the configuration of the cluster (a load balancer or a name that can move)',
      risk: 'touches-node',
      for: ['endpoint'],
      steps: [
        {
          say: 'add controlPlaneEndpoint below ClusterConfiguration',
          run: 'kubectl -n kube-system edit configmap kubeadm-config',
          on: 'cluster',
        },
        {
          say: 'the certificate of the API server must name it: write it anew with that name in certSANs',
          run: 'kubeadm init phase certs apiserver --config kubeadm.yaml',
          on: 'node',
        },
      ],
    },
    {
      say: 'A learner in the way: join servers one after the other; a learner whose machine is gone must be removed (member remove)',
      risk: 'reads-only',
      for: ['etcd', 'learner'],
      steps: [
        {
          say: 'the last column tells which is a learner; for k3s and rke2 with the certificates of server/tls/etcd',
          run: 'ETCDCTL_API=3 etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key --endpoints https://127.0.0.1:2379 member list -w table',
          on: 'node',
        },
        { say: 'can the members reach each other in both directions', run: 'nc -vz PEER 2380', on: 'node' },
      ],
      verified: 'no member is a learner any more',
    },
    {
      say: 'Stale etcd member: look at the members, and remove the one whose machine is gone',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'list; the one that does not answer is the stale one',
          run: 'kubectl -n kube-system exec etcd-CONTROLPLANE -- etcdctl --endpoints=https://127.0.0.1:2379 --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt --key=/etc/kubernetes/pki/etcd/server.key member list -w table',
          on: 'cluster',
        },
        {
          say: 'remove it by its ID, never one that is alive',
          run: 'kubectl -n kube-system exec etcd-CONTROLPLANE -- etcdctl --endpoints=https://127.0.0.1:2379 --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt --key=/etc/kubernetes/pki/etcd/server.key member remove ID',
          on: 'cluster',
        },
        { say: 'then on {node}', run: 'kubeadm reset -f', on: 'node' },
      ],
      verified: 'etcdctl endpoint health --cluster is healthy for all members',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubeadm/app/cmd/phases/join/preflight.go, checketcd.go',
    'kubernetes cmd/kubeadm/app/util/etcd/etcd.go',
    'kubernetes website: setup-ha-etcd, high-availability',
  ],
});
