import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const expired = line(
  ['existing bootstrap client certificate', 'active client certificate has expired', 'client certificate is expired'],
  'kubelet-log',
  /(?:part of the existing bootstrap client certificate (?:in (?<file>\/\S{1,200}) )?is expired: (?<when>\d{4}-\d\d-\d\d)|currently active client certificate has expired)/i,
);
const noBootstrap = line(
  'unable to load bootstrap kubeconfig',
  'kubelet-log',
  /unable to load bootstrap kubeconfig: (?:stat|open) (?<file>\/[^\s:\\"]{1,200}): no such file/,
);
/** Never there, or deleted. */
const noFile = line(
  ['invalid kubeconfig: stat ', 'unable to read client-cert ', 'unable to read client-key '],
  'kubelet-log',
  /invalid kubeconfig: (?:stat|open) (?<config>[/A-Z][^\s\\"]{1,200}?): (?:no such file|The system cannot find)|unable to read client-(?:cert|key) (?<key>[/A-Z][^\s"]{1,200}) for \S{1,80} due to open [^\n]{1,220}?: (?:no such file|The system cannot find)/,
);
/** Left empty or half-written by a power loss or a full disk. */
const unreadable = line(
  ['into cert/key pair: ', 'unable to load bootstrap kubeconfig: error loading', 'no configuration has been provided, try setting'],
  'kubelet-log',
  /could not convert data from [\\"“”]{1,8}(?<pem>[^\s"“”]{0,200}?kubelet-client[^\s\\"“”]{0,60})[\\"“”]{1,8} into cert\/key pair: (?<broken>[^\n"\\]{3,160})|unable to load bootstrap kubeconfig: error loading config file [\\"“”]{1,8}(?<conf>\/[^\s\\"“”]{1,200})[\\"“”]{1,8}: (?<fault>[^\n"\\]{3,160})|failed to run Kubelet: [^\n]{0,60}?(?<empty>no configuration has been provided)/,
);
const refused = line(
  ['cannot create certificate signing request', 'failed to run Kubelet: cannot create certificate'],
  'kubelet-log',
  /cannot create certificate signing request: (?<answer>Unauthorized|[\s\S]{0,200}?is forbidden: User [\\"“”]{1,8}(?<user>[^\s\\"“”]{1,100})|[\s\S]{0,120})/,
);
const overdue = line(
  'certificate has expired or is not yet valid',
  ['kubelet-log', 'control-plane-log'],
  /certificate has expired or is not yet valid(?:: current time \S{1,40} is after (?<end>\d{4}-\d\d-\d\d))?/,
);
const unauthorized = line(
  'Unauthorized',
  'kubelet-log',
  /(?:Failed to (?:list|watch) [^\s:]{1,60}: (?:failed to list [^\s:]{1,60}: )?|register node [^\n]{0,160}?: |lease exists[^\n]{0,60}?|node status[^\n]{0,120}?: )[\\"]{0,4}Unauthorized|"caller":"(?<json>kubelet\/)[^\n]{0,400}?"err":"Unauthorized"/,
);
/** Without a certificate that the API server accepts, a kubelet is anybody. */
const anonymous = line(
  'system:anonymous',
  'kubelet-log',
  /(?:Unable to (?<register>register node)[^\n]{0,120}?)?(?:leases|nodes|csinodes|services|pods|runtimeclasses|csidrivers)\b[^\n]{0,200}? is forbidden: User [\\"“”]{1,8}system:anonymous[\\"“”]{1,8} cannot \w{2,12}/,
);
const cameUp = line(
  ['Started kubelet', 'Successfully registered node'],
  'kubelet-log',
  /Started kubelet(?![.:]| -)|Successfully registered node/,
);
const clock = line('certificate has expired or is not yet valid', 'kubelet-log', /current time \S{1,40} is before /);

/** How EC2 names its machines unless told otherwise. */
const ON_EC2 = /^(?:ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}\b|i-[0-9a-f]{8,17}\b)/;

export const cause = defineCause({
  id: 'kubelet-bootstrap-or-cert-expired',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['control-plane-cert-expired'],

  text: {
    name: 'Kubelet has no valid certificate',
    title: 'The kubelet of {node} has no valid client certificate: {what}',
    why: 'The kubelet speaks to the API server with the client certificate that {file} points to. {mechanism} Without it the kubelet exits or is turned away: the node becomes NotReady, while containers that run go on for a while.',
  },

  clues: {
    expired: proves(expired),
    refused: proves(refused),
    noBootstrap: proves(noBootstrap),
    noFile: proves(noFile),
    unreadable: proves(unreadable),
    overdue: supports(overdue),
    unauthorized: supports(unauthorized, ({ channel, fields }) => channel === 'kubelet-log' || fields['json'] !== undefined),
    anonymous: supports(
      anonymous,
      ({ channel, fields }) => channel === 'kubelet-log' || channel === 'system-log' || fields['register'] !== undefined,
    ),
    clock: excludes(clock),
    cameUp: excludes(cameUp, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    expired: 'its client certificate is expired{since}',
    refused: 'its request for a certificate was refused: {answer}',
    noBootstrap: 'it falls back to {bootstrap}, which does not exist',
    noFile: 'its file {absent} does not exist',
    unreadable: 'its file {absent} cannot be used: {fault}',
    overdue: 'a certificate is out of date{since}',
    unauthorized: 'the API server does not accept its credentials (Unauthorized)',
    anonymous: 'the API server takes it for anybody (system:anonymous): no certificate it accepts',
    cameUp: 'the kubelet has started since',
    clock: 'the certificate is not yet valid: the clock of the node is wrong',
  },
  slots: (
    place,
    {
      expired: over,
      refused: no,
      noBootstrap: absent,
      noFile: gone,
      unreadable: bad,
      overdue: old,
      unauthorized: unknown,
      anonymous: nobody,
    },
  ) => {
    const lost =
      gone?.fields['config'] ?? gone?.fields['key'] ?? bad?.fields['pem'] ?? bad?.fields['conf'] ?? '/etc/kubernetes/kubelet.conf';
    const fault = bad?.fields['broken'] ?? bad?.fields['fault'] ?? 'it is empty';
    const when = over?.fields['when'] ?? old?.fields['end'];
    const user = no?.fields['user'];
    return {
      node: place.name,
      file: over?.fields['file'] ?? '/etc/kubernetes/kubelet.conf',
      since: when === undefined ? '' : ` since ${when}`,
      bootstrap: absent?.fields['file'] ?? '/etc/kubernetes/bootstrap-kubelet.conf',
      absent: lost,
      fault,
      answer: user === undefined ? (no?.fields['answer'] ?? 'refused') : `forbidden for ${user} (RBAC)`,
      what: over
        ? `the certificate in ${over.fields['file'] ?? '/etc/kubernetes/kubelet.conf'} has expired${when === undefined ? '' : ` on ${when}`}`
        : user !== undefined
          ? `the bootstrap user ${user} has no permission (RBAC role binding) to request one`
          : no
            ? 'its bootstrap token is not accepted (expired or wrong)'
            : absent
              ? `${absent.fields['file'] ?? 'the bootstrap kubeconfig'} is missing and the certificate expired, or kubelet.conf is missing too`
              : gone
                ? `${lost} does not exist (this machine has not joined the cluster, or the file was deleted)`
                : bad
                  ? `${lost} is empty or damaged (${fault})`
                  : nobody && !unknown && when === undefined
                    ? 'the API server takes it for anybody (system:anonymous): its certificate is missing, expired, or signed by another CA'
                    : unknown && when === undefined
                      ? `the API server does not accept it (Unauthorized): ${ON_EC2.test(place.name) ? 'on EKS the IAM role of the node is not in the ConfigMap aws-auth and has no access entry; elsewhere it is ' : ''}expired, or signed by the CA of another cluster`
                      : `it has expired${when === undefined ? '' : ` on ${when}`}`,
      mechanism:
        user !== undefined
          ? 'A new node asks for one with its bootstrap token, and that user must be bound to the cluster role system:node-bootstrapper; it is not, so its certificate signing request is forbidden.'
          : bad
            ? `That file cannot be used (${fault}): a power loss or a full disk while it was written leaves it empty or cut off.`
            : gone
              ? 'kubeadm init or join makes it, with the certificate it points to; here it is not there.'
              : 'It is renewed by itself while the node is up (rotateCertificates); a node that was off for long, or without rotation, comes back with an expired one and falls back to a bootstrap token, which kubeadm deletes after the join.',
    };
  },

  fixes: [
    {
      say: 'Look at the certificate and at the clock',
      risk: 'reads-only',
      steps: [
        {
          say: 'when it ends',
          run: 'openssl x509 -noout -enddate -subject -in /var/lib/kubelet/pki/kubelet-client-current.pem; date -u',
          on: 'node',
        },
        { say: 'what kubelet.conf points to', run: 'grep -n client-certificate /etc/kubernetes/kubelet.conf', on: 'node' },
        { say: 'requests that wait for approval', run: 'kubectl get csr', on: 'cluster' },
      ],
    },
    {
      say: 'EKS: nodes log in with their IAM role; map it to system:bootstrappers and system:nodes, or make an access entry of type EC2_LINUX',
      risk: 'moves-pods',
      steps: [
        {
          say: 'the role ARN, without a path, must be in mapRoles',
          run: 'kubectl -n kube-system get configmap aws-auth -o yaml',
          on: 'cluster',
        },
        { say: 'or by access entries', run: 'aws eks list-access-entries --cluster-name CLUSTER', on: 'cluster' },
        { say: 'who the node is', run: 'aws sts get-caller-identity', on: 'node' },
      ],
      verified: 'kubectl get nodes shows the node',
    },
    {
      say: 'Give the kubelet a new certificate: on a control-plane node from kubeadm',
      risk: 'touches-node',
      steps: [
        {
          say: 'all certificates of the control plane are usually due on the same day',
          run: 'kubeadm certs check-expiration; kubeadm certs renew all',
          on: 'node',
        },
        {
          say: 'a new kubelet.conf with a new certificate',
          run: 'mkdir -p /var/backups/old-kubelet && mv /etc/kubernetes/kubelet.conf /var/lib/kubelet/pki/kubelet-client-* /var/backups/old-kubelet/; kubeadm kubeconfig user --org system:nodes --client-name system:node:{{node}} > /etc/kubernetes/kubelet.conf',
          on: 'node',
        },
        {
          say: 'check the server address in it, then start the kubelet',
          run: 'grep -n server: /etc/kubernetes/kubelet.conf && systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'the lease of {node} is renewed and the node becomes Ready',
    },
    {
      say: 'On a worker: join it again with a new bootstrap token',
      risk: 'touches-node',
      steps: [
        { say: 'a token, valid for a day', run: 'kubeadm token create --print-join-command', on: 'cluster' },
        {
          say: 'take the old credentials away and join; pods and images stay',
          run: 'mkdir -p /var/backups/old-kubelet && mv /etc/kubernetes/kubelet.conf /var/lib/kubelet/pki/kubelet-client-* /var/backups/old-kubelet/; kubeadm join phase kubelet-start ENDPOINT:6443 --token TOKEN --discovery-token-ca-cert-hash HASH',
          on: 'node',
        },
      ],
    },
    {
      say: 'If the request was forbidden: bind the bootstrappers to the cluster role system:node-bootstrapper',
      risk: 'reads-only',
      for: ['refused'],
      steps: [
        {
          say: 'the role binding that kubeadm makes by itself',
          run: 'kubectl create clusterrolebinding kubelet-bootstrap --clusterrole=system:node-bootstrapper --group=system:bootstrappers',
          on: 'cluster',
        },
        {
          say: 'and let their requests be approved',
          run: 'kubectl create clusterrolebinding node-autoapprove-bootstrap --clusterrole=system:certificates.k8s.io:certificatesigningrequests:nodeclient --group=system:bootstrappers',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/certificate/bootstrap/bootstrap.go',
    'kubernetes pkg/kubelet/certificate/transport.go',
    'kubernetes docs: kubelet-tls-bootstrapping',
  ],
});
