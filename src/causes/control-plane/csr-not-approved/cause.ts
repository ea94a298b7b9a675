import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const SERVING = /kubernetes\.io\/kubelet-serving/;
const notReviewed = line(
  ['subject access review was not approved', 'csr approving controller'],
  ['control-plane-log'],
  /recognized csr [\\"]{1,4}(?<csr>[\w.-]{1,253})[\\"]{1,4} as (?<as>\[[\w ]{3,60}\]|\w{3,40}) but subject access review was not approved/,
);
const notSigned = line(
  ['ertificate request was not signed', 'timed out waiting for csr', 'certificate signing request'],
  ['kubelet-log', 'container-log'],
  /[Cc]ertificate request was not signed[^\n]{0,10}(?:err=|: )[\\"]{0,4}(?<error>timed out waiting for the condition|context deadline exceeded|[^\n"\\]{3,100})|[Cc]ertificate signing request (?<csr>[\w.-]{3,253}) (?:was|is) (?<state>denied|not approved)/,
);
const joinWaits = line(
  ['perform the TLS Bootstrap', 'TLS bootstrap'],
  ['kubeadm-output'],
  /Waiting for the kubelet to perform the TLS Bootstrap/,
);
const issued = line(
  ['is issued', 'Certificate rotation detected'],
  [],
  /certificate signing request \S{3,253} is issued|Certificate rotation detected, shutting down client connections/,
);

function isRequest({ about, detail = '' }: { readonly about: string; readonly detail?: string }): boolean {
  return about.startsWith('Object/CertificateSigningRequest/') && !SERVING.test(detail);
}

export const cause = defineCause({
  id: 'csr-not-approved',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['kubelet-down', 'other-trouble', 'control-plane-down'],
  wakesOn: [
    on('object.status', { status: 'Pending' }),
    on('object.status', { status: 'Denied' }),
    on('object.status', { status: 'Approved' }),
  ],

  text: {
    name: 'Certificate request not approved',
    title: 'The certificate signing request{csr} of {who} {what}',
    why: 'A kubelet that joins (or whose certificate ran out) asks for a client certificate by a CertificateSigningRequest. {mechanism} Until the certificate is issued the kubelet cannot register its node: it does not appear in kubectl get nodes, or turns NotReady when the old certificate ends.',
  },

  clues: {
    pending: proves('object.status', (fact) => isRequest(fact) && fact.status === 'Pending' && (fact.ageSeconds ?? 60) >= 60),
    denied: proves('object.status', (fact) => isRequest(fact) && /^(?:Denied|Approved,Failed|Failed)$/.test(fact.status)),
    unsigned: proves('object.status', (fact) => isRequest(fact) && fact.status === 'Approved'),
    notReviewed: proves(notReviewed),
    notSigned: supports(notSigned),
    joinWaits: supports(joinWaits),
    issued: excludes(issued),
  },
  says: {
    pending: 'kubectl lists the request{csr} as Pending',
    denied: 'the request{csr} was denied or failed',
    unsigned: 'the request{csr} is approved but not issued',
    notReviewed: 'the approver knows it as {as}, but RBAC does not allow the requestor',
    notSigned: 'the kubelet waits for its certificate in vain',
    joinWaits: 'kubeadm join waits for the TLS bootstrap',
    issued: 'the certificate was issued since',
  },
  slots: (_place, { pending, denied, unsigned, notReviewed: review, notSigned: waits }) => {
    const row = pending ?? denied ?? unsigned;
    const name = row?.about.split('/').at(-1) ?? review?.fields['csr'] ?? waits?.fields['csr'];
    const requestor = /REQUEST[OE]R (?<requestor>[^\s,]{1,253})/.exec(row?.detail ?? '')?.groups?.['requestor'];
    const node = /^system:node:(?<node>\S{1,253})$/.exec(requestor ?? '')?.groups?.['node'];
    return {
      csr: name === undefined || name === '?' ? '' : ` ${name}`,
      csrName: name === undefined || name === '?' ? 'CSR' : name,
      who: node === undefined ? (requestor ?? 'a kubelet') : `node ${node}`,
      as: review?.fields['as'] ?? 'a request of a node',
      what: denied ? 'was denied' : unsigned ? 'is approved, but no signer issues the certificate' : 'is Pending: nobody has approved it',
      mechanism: unsigned
        ? 'It is approved, but the signer is missing: kube-controller-manager needs --cluster-signing-cert-file and --cluster-signing-key-file (or the signer named in the request does not run).'
        : denied
          ? 'It was denied by hand or by an approver.'
          : 'It must be approved: kube-controller-manager does so for bootstrap tokens and nodes whose group is bound to the approver roles (nodeclient, selfnodeclient); without these bindings somebody has to.',
    };
  },

  fixes: [
    {
      say: 'Look at the requests, and approve those you know',
      risk: 'touches-node',
      steps: [
        { say: 'all requests', run: 'kubectl get csr --sort-by=.metadata.creationTimestamp', on: 'cluster' },
        { say: 'who asks for what', run: 'kubectl describe csr {{csrName}}', on: 'cluster' },
        { say: 'approve, if it is your node', run: 'kubectl certificate approve {{csrName}}', on: 'cluster' },
      ],
      verified: 'the request shows Approved,Issued and the node becomes Ready',
    },
    {
      say: 'Let the approver do it: bind the bootstrap and node groups to the approver roles',
      risk: 'touches-node',
      steps: [
        {
          say: 'first certificates',
          run: 'kubectl create clusterrolebinding auto-approve-csrs-for-group --clusterrole=system:certificates.k8s.io:certificatesigningrequests:nodeclient --group=system:bootstrappers',
          on: 'cluster',
        },
        {
          say: 'renewals',
          run: 'kubectl create clusterrolebinding auto-approve-renewals-for-nodes --clusterrole=system:certificates.k8s.io:certificatesigningrequests:selfnodeclient --group=system:nodes',
          on: 'cluster',
        },
        {
          say: 'is the controller manager up, and does it have a signing key',
          run: 'grep -n cluster-signing /etc/kubernetes/manifests/kube-controller-manager.yaml',
          on: 'node',
        },
      ],
      verified: 'new requests are issued within a minute',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/controller/certificates/approver/sarapprove.go', 'kubernetes docs: kubelet TLS bootstrapping'],
});
