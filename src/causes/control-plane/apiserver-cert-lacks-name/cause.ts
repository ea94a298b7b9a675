import { defineCause, excludes, line, minutes, proves, supports, withContext } from '../../define-cause.ts';

const refused = line(
  ['x509: certificate is valid for', "because it doesn't contain any IP SANs", 'x509: certificate is not valid for any names'],
  ['kubelet-log', 'kubeadm-output', 'control-plane-log', 'container-log'],
  withContext(
    /(?:(?:Get|Post|Put|Patch|List) |Failed to (?:list|watch)|register node )[^\n]{0,160}?https:\/\/(?<server>[^\s/\\"“”]{3,253})\/(?:apis?[/?]|version)[^\n]{0,500}?x509: (?:certificate is valid for (?<names>[^\n"\\“”]{3,400}?), not (?<asked>[\w.:-]{2,253})|cannot validate certificate for (?<address>[\w.:-]{2,253}) because it doesn't contain any IP SANs|certificate is not valid for any names)/,
    { may: [/(?<foreign>webhook|\/v2\/|:10250\/|containerLogs)/] },
  ),
);
const changed = line(['node IP address has changed', 'nodeip changed'], []);
const expired = line('certificate has expired or is not yet valid', []);

export const cause = defineCause({
  id: 'apiserver-cert-lacks-name',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'node-not-ready', 'kubelet-down', 'crash-loop', 'other-trouble'],

  text: {
    name: 'API server certificate lacks name',
    title: 'The certificate of the API server is not valid for {asked}: that name or address is not in its SAN list',
    why: 'Kubelets, kubeadm and other clients call the API server as {asked}. Its certificate only names {names}, so each of them refuses it. The address of the control plane changed, a load balancer or public address was added after kubeadm init, or --control-plane-endpoint and apiServer.certSANs did not list it.',
  },

  clues: {
    refused: proves(refused, ({ fields }) => fields['foreign'] === undefined),
    changed: supports(changed),
    expired: excludes(expired),
  },
  says: {
    refused: 'a client refuses the API server: its certificate does not name {asked}',
    changed: 'the address of the node has changed',
    expired: 'a certificate has expired; the name is right',
  },
  slots: (_place, { refused: said }) => ({
    asked: said?.fields['asked'] ?? said?.fields['address'] ?? said?.fields['server'] ?? 'the address in use',
    names: said?.fields['names']?.slice(0, 200) ?? 'other names',
  }),

  fixes: [
    {
      say: 'See which names the certificate has',
      risk: 'reads-only',
      steps: [
        {
          say: 'the SAN list',
          run: "openssl x509 -noout -text -in /etc/kubernetes/pki/apiserver.crt | grep -A1 'Subject Alternative Name'; ip -4 addr",
          on: 'node',
        },
      ],
    },
    {
      say: 'Make the certificate of the API server anew with the missing name: apiServer.certSANs',
      risk: 'touches-node',
      steps: [
        {
          say: 'add {asked} under apiServer.certSANs of the ClusterConfiguration',
          run: 'kubectl -n kube-system get configmap kubeadm-config -o jsonpath="{.data.ClusterConfiguration}" > kubeadm.yaml && vi kubeadm.yaml',
          on: 'node',
        },
        {
          say: 'renew does not add names: remove the old pair and generate it',
          run: 'mkdir -p /var/backups/pki && mv /etc/kubernetes/pki/apiserver.crt /etc/kubernetes/pki/apiserver.key /var/backups/pki/ && kubeadm init phase certs apiserver --config kubeadm.yaml',
          on: 'node',
        },
        { say: 'restart the API server', run: 'crictl rm -f $(crictl ps --name kube-apiserver -q)', on: 'node' },
        {
          say: 'keep it for later upgrades',
          run: 'kubeadm init phase upload-config kubeadm --config kubeadm.yaml',
          on: 'node',
        },
      ],
      verified: 'clients reach https://{asked}:6443 without an x509 error',
    },
    {
      say: 'Or give the control plane its old address again, or use a name that is in the list',
      risk: 'touches-node',
      steps: [
        {
          say: 'k3s: start the server with --tls-san; kubeadm: use the address the cluster was made with',
          run: 'kubectl config set-cluster CLUSTER --server=https://NAME-IN-THE-LIST:6443',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['go crypto/x509 (HostnameError)', 'kubernetes docs: kubeadm certSANs'],
});
