import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const notAllowed = line(
  ['is not allowed to modify node', ' cannot modify node ', 'with the same name as the requesting node'],
  'kubelet-log',
  /node [\\"“”]{1,8}(?<identity>[^\s\\"“”]{1,253})[\\"“”]{1,8} (?:is not allowed to|cannot) modify node [\\"“”]{1,8}(?<name>[^\s\\"“”]{1,253})|leases\.coordination\.k8s\.io [\\"“”]{1,8}(?<lease>[^\s\\"“”]{1,253})[\\"“”]{1,8} is forbidden: [^\n]{0,200}?can only access node lease with the same name/,
);
const serverSaysNo = line(
  [
    'Error updating node status',
    'error updating node status',
    'error getting node ',
    'ensure lease exists',
    'ensure node lease exists',
    'patch status',
  ],
  'kubelet-log',
  /(?:[Ee]rror (?:updating|getting) (?:the )?(?:current )?node[\s\S]{0,120}?|failed to (?:initialize|patch|get)[\s\S]{0,120}?|ensure lease exists[\s\S]{0,200}?)nodes [\\"“”]{1,8}(?<name>[^\s\\"“”]{1,253})[\\"“”]{1,8} (?<answer>not found|is forbidden)/,
);
const notInCache = line(
  ['Error getting node', '" not found'],
  'kubelet-log',
  /(?:Error getting node[\s\S]{0,20}|\] |^)(?:err=)?[\\"“”]{0,8}node [\\"“”]{1,8}(?<name>[^\s\\"“”]{1,253})[\\"“”]{1,8} not found/,
);
const apiDown = line(
  ['connect: connection refused', 'i/o timeout', 'no route to host', 'TLS handshake timeout', 'no such host'],
  'kubelet-log',
  /(?:register node|node status|node lease|lease exists|Failed to (?:list|watch)|\/api\/v1\/nodes)[\s\S]{0,400}?(?:connection refused|i\/o timeout|no route to host|TLS handshake timeout|no such host)/,
);

export const cause = defineCause({
  id: 'kubelet-node-not-found',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['node-not-ready', 'kubelet-down', 'other-trouble'],
  effectOf: ['kubelet-cannot-reach-api', 'kubelet-bootstrap-or-cert-expired'],

  text: {
    name: 'Node name not known',
    title: 'The kubelet runs under the node name "{name}", and the cluster has no such Node for it{identity}',
    why: 'A kubelet may only write the Node object of its own name, which its certificate carries. Here the two do not fit, or the Node object was deleted: the host name was changed, --hostname-override or the cloud provider gives another name, or somebody ran kubectl delete node. The kubelet finds no Node "{name}" and reports nothing.',
  },

  clues: {
    notAllowed: proves(notAllowed),
    serverSaysNo: proves(serverSaysNo),
    notInCache: supports(notInCache, ({ channel }) => channel === 'kubelet-log'),
    apiDown: excludes(apiDown),
  },
  says: {
    notAllowed: 'its certificate is for another node name{identity}',
    serverSaysNo: 'the API server knows no node "{name}" for it',
    notInCache: 'the kubelet does not find its own node "{name}"',
    apiDown: 'the API server is out of reach, so the kubelet could not register yet',
  },
  slots: (place, { notAllowed: foreign, serverSaysNo: answer, notInCache: cache }) => ({
    node: place.name,
    name: foreign?.fields['name'] ?? foreign?.fields['lease'] ?? answer?.fields['name'] ?? cache?.fields['name'] ?? place.name,
    unit: !foreign && answer?.fields['answer'] === 'not found' ? 'kubelet' : '',
    identity: foreign?.fields['identity'] ? ` (its certificate says "${foreign.fields['identity']}")` : '',
  }),

  fixes: [
    {
      say: 'Compare the names',
      risk: 'reads-only',
      steps: [
        {
          say: 'the name of the host and the one in the certificate',
          run: 'hostname; openssl x509 -noout -subject -in /var/lib/kubelet/pki/kubelet-client-current.pem; grep -rn hostname-override /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet /etc/systemd/system/kubelet.service.d 2>/dev/null',
          on: 'node',
        },
        { say: 'nodes that the cluster has', run: 'kubectl get nodes -o wide', on: 'cluster' },
      ],
    },
    {
      say: 'Let the kubelet use the name it joined with',
      risk: 'touches-node',
      steps: [
        {
          say: 'give the host its old name back, or set --hostname-override',
          run: 'hostnamectl set-hostname NAME && systemctl restart kubelet',
          on: 'node',
        },
        { say: 'the Node was only deleted: a restart registers it again', run: 'systemctl restart kubelet', on: 'node' },
      ],
      changes: [{ do: 'units', action: 'restart', units: ['{{unit}}'] }],
      verified: 'kubectl get nodes lists it as Ready',
    },
    {
      say: 'Or join it again under the new name',
      risk: 'moves-pods',
      steps: [
        {
          say: 'remove the old Node, reset, join',
          run: 'kubectl drain OLD-NAME --ignore-daemonsets --delete-emptydir-data; kubectl delete node OLD-NAME',
          on: 'cluster',
        },
        {
          say: 'on the host',
          run: 'kubeadm reset -f && kubeadm join ENDPOINT:6443 --token TOKEN --discovery-token-ca-cert-hash HASH',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/kubelet_node_status.go', 'kubernetes plugin/pkg/admission/noderestriction/admission.go'],
});
