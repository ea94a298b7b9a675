import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const denied = line(
  ['Forbidden (user=', 'resource=nodes, subresource='],
  ['prose', 'objects', 'control-plane-log', 'kubelet-log'],
  /Forbidden \(user=(?<user>(?!system:serviceaccount:)[^\s,]{1,253}), verb=(?<verb>\w{2,20}), ?resource=nodes, ?subresource=(?<sub>[\w/()[\] -]{2,60}?)\)/,
);
const bare = line(
  ['/containerLogs/'],
  ['prose', 'control-plane-log'],
  /:10250\/containerLogs\/[^\s"]{1,300}"?: (?<word>Unauthorized|Forbidden)\b/,
);
/** What the kubelet answered, passed on by the API server: its own refusal names no pod's part. */
const passedOn = line(
  ['unable to upgrade connection: ', 'asked for the client to provide credentials ( pods/'],
  ['prose', 'objects'],
  /unable to upgrade connection: (?<word>Unauthorized|Forbidden(?! \())|asked for the client to provide credentials \( ?pods\/(?<part>\w{2,20})/,
);
const account = line(['Forbidden (user=system:serviceaccount:'], []);

export const cause = defineCause({
  id: 'kubelet-api-denied-to-apiserver',
  area: 'policy',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble'],

  text: {
    name: 'Kubelet refuses the API server',
    title: 'The kubelet refuses the API server: {what}',
    why: 'kubectl logs, exec, attach, port-forward and top go from the API server to the kubelet at port 10250. The API server shows its --kubelet-client-certificate there, and the kubelet asks whether that user may use nodes/proxy. {reason}',
  },

  clues: {
    denied: proves(denied),
    passedOn: proves(passedOn),
    bare: supports(bare),
    account: excludes(account),
  },
  says: {
    denied: 'the kubelet refuses user {user}: {verb} nodes/{sub}',
    passedOn: 'the API server passes on that the kubelet does not let it in',
    bare: 'the kubelet answers the request for logs with {word}',
    account: 'a program calls the kubelet as its ServiceAccount: that needs rights of its own',
  },
  slots: (_place, { denied: no, bare: short, passedOn: passed }) => {
    const user = no?.fields['user'];
    const word = passed ? (passed.fields['word'] ?? 'Unauthorized') : short?.fields['word'];
    const unknown = user === 'system:anonymous' || (user === undefined && word === 'Unauthorized');
    const [verb, sub] = [no?.fields['verb'] ?? 'use', no?.fields['sub'] ?? 'proxy'];
    return {
      user: user ?? 'of the API server',
      who: user === undefined || user === 'system:anonymous' ? 'kube-apiserver-kubelet-client' : user,
      verb,
      sub,
      what: no ? `user ${user} may not ${verb} nodes/${sub}` : `it answers with ${word ?? 'Forbidden'}`,
      word: word ?? 'Forbidden',
      reason: unknown
        ? 'It shows none that the kubelet trusts (flags --kubelet-client-certificate and --kubelet-client-key missing, the certificate expired or renewed without a restart, or another CA than the kubelet has as clientCAFile), so it counts as nobody, who may do nothing.'
        : `RBAC gives ${user ?? 'that user'} no such right: the ClusterRole system:kubelet-api-admin is not bound to it, or its certificate was made without the organisation (O=system:masters, or kubeadm:cluster-admins) that had it.`,
    };
  },

  fixes: [
    {
      say: 'See which certificate the API server shows to kubelets, and what its user may do',
      risk: 'reads-only',
      steps: [
        {
          say: 'subject: CN is the user, O the groups',
          run: 'grep kubelet-client /etc/kubernetes/manifests/kube-apiserver.yaml; openssl x509 -noout -subject -issuer -enddate -in /etc/kubernetes/pki/apiserver-kubelet-client.crt',
          on: 'node',
        },
        { say: 'the right', run: 'kubectl auth can-i get nodes/proxy --as={{who}}', on: 'cluster' },
      ],
    },
    {
      say: 'Bind the ClusterRole system:kubelet-api-admin to {who}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the role exists in every cluster; only the binding is missing',
          run: 'kubectl create clusterrolebinding apiserver-kubelet-admin --clusterrole=system:kubelet-api-admin --user={{who}}',
          on: 'cluster',
        },
      ],
      verified: 'kubectl logs works',
    },
    {
      say: 'User system:anonymous, or a certificate of a wrong subject: make the client certificate anew and name it to the API server',
      risk: 'touches-node',
      steps: [
        {
          say: 'kubeadm',
          run: 'rm /etc/kubernetes/pki/apiserver-kubelet-client.{crt,key} && kubeadm init phase certs apiserver-kubelet-client',
          on: 'node',
        },
        { say: 'kube-apiserver flags: --kubelet-client-certificate and --kubelet-client-key; then restart it' },
        {
          say: 'the kubelet must trust its issuer: authentication.x509.clientCAFile',
          run: 'grep -n -A3 x509 /var/lib/kubelet/config.yaml',
          on: 'node',
        },
      ],
      verified: 'kubectl logs works',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/kubelet/server/auth.go, server.go', 'kubernetes issues 56277, 65939, 55872'],
});
