import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const internal = line(
  'remote error: tls: internal error',
  ['control-plane-log', 'container-log'],
  /(?:https:\/\/(?<host>[\w.-]{1,253}|\[[\w:]{2,60}\]):10250\S{0,300}|dialing backend)[\s\S]{0,20}?: remote error: tls: internal error/,
);
const none = line(
  'no serving certificate available for the kubelet',
  'kubelet-log',
  /TLS handshake error from (?<peer>[^\s:]{1,60}):\d{1,5}: no serving certificate available for the kubelet|no serving certificate available for the kubelet/,
);
const unverifiable = line(
  [
    "because it doesn't contain any IP SANs",
    'certificate signed by unknown authority',
    'certificate is valid for',
    'x509: certificate is not valid for',
    'certificate has expired or is not yet valid',
  ],
  ['container-log', 'control-plane-log'],
  /https:\/\/(?<host>[\w.-]{1,253}|\[[\w:]{2,60}\]):10250[\s\S]{0,160}?x509: (?<reason>cannot validate certificate for \S{1,80} because it doesn't contain any IP SANs|certificate signed by unknown authority|certificate has expired or is not yet valid: current time \S{10,40} is after \S{10,40}|certificate is (?:not )?valid for [^\n"\\]{1,160})/,
);
/** A certificate that was right once: it names the addresses the node had when it was made. */
const otherAddress = /certificate is valid for (?<names>[^\n]{2,160}?), not (?<asked>[\w.:-]{2,253})/;
const SERVING = /kubernetes\.io\/kubelet-serving/;
const REQUESTOR = /system:node:(?<node>[\w.-]{1,253})/;
const unreachable = line([':10250: i/o timeout', ':10250: connect:'], [], /:10250: (?:i\/o timeout|connect: )/);

export const cause = defineCause({
  id: 'kubelet-serving-cert-pending',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['not-ready', 'crash-loop', 'restarts', 'other-trouble'],
  wakesOn: [on('object.status', { status: 'Pending' }), on('object.status', { status: 'Denied' })],

  text: {
    name: 'Kubelet serving certificate missing',
    title: 'The kubelet of {where} has no serving certificate that others accept: {what}',
    why: 'kubectl logs, exec, top and metrics-server talk to the kubelet on port 10250 over TLS. With serverTLSBootstrap the kubelet asks for a serving certificate by a CSR (kubernetes.io/kubelet-serving) that somebody must approve; without it, it signs one itself that nobody trusts. Here {what}. The pods themselves are not harmed.',
  },

  clues: {
    none: proves(none),
    internal: proves(internal),
    pending: proves('object.status', ({ status, detail = '' }) => SERVING.test(detail) && /^(?:Pending|Denied)$/.test(status)),
    unverifiable: proves(unverifiable),
    moved: proves(unverifiable, ({ fields }) => otherAddress.test(fields['reason'] ?? '')),
    bootstrap: supports(
      'kubelet.setting',
      ({ key, value }) => /^(?:serverTLSBootstrap|rotate-server-certificates)$/.test(key) && value === 'true',
    ),
    unreachable: excludes(unreachable),
  },
  says: {
    none: 'the kubelet says it: no serving certificate available',
    internal: 'port 10250 of {host} breaks off: remote error: tls: internal error',
    pending: 'the serving CSR of {node} is not approved ({state})',
    unverifiable: 'the certificate at port 10250 of {host} is refused: {reason}',
    moved: 'its certificate was made for {names}, and not for {asked}',
    bootstrap: 'the kubelet gets its serving certificate by a CSR (serverTLSBootstrap)',
    unreachable: 'port 10250 cannot be reached at all',
  },
  slots: (place, seen) => {
    const address = seen.internal?.fields['host'] ?? seen.unverifiable?.fields['host'];
    const host = address ?? 'the node';
    const reason = seen.unverifiable?.fields['reason']?.trim() ?? 'not trusted';
    const requestor = REQUESTOR.exec(seen.pending?.detail ?? '')?.groups?.['node'];
    const state = seen.pending?.status ?? 'Pending';
    const names = otherAddress.exec(reason)?.groups;
    return {
      node: requestor ?? 'the node',
      where: requestor
        ? `node ${requestor}`
        : place.kind !== 'Node' || place.name.includes(' ')
          ? address
            ? `the node at ${address}`
            : 'this node'
          : `node ${place.name}`,
      host,
      reason,
      names: names?.['names'] ?? 'other addresses',
      asked: names?.['asked'] ?? host,
      state,
      what: seen.pending
        ? `its CSR for kubernetes.io/kubelet-serving is ${state}, nobody has approved it`
        : seen.none || seen.internal
          ? 'its CSR for kubernetes.io/kubelet-serving is not approved (tls: internal error)'
          : names
            ? `its certificate was made for ${names['names']} and not for ${names['asked']}: the address or name of the node has changed since`
            : seen.unverifiable
              ? `it shows ${/has expired/.test(reason) ? 'an expired' : 'a self-signed or foreign'} certificate (${reason})`
              : 'it waits for the approval of its CSR',
    };
  },

  fixes: [
    {
      say: 'Give the kubelet a new serving certificate that names {asked}, or the node its old address back',
      risk: 'touches-node',
      for: ['moved'],
      steps: [
        {
          say: 'what the present one names',
          run: 'openssl s_client -connect {{asked}}:10250 </dev/null 2>/dev/null | openssl x509 -noout -text | grep -A1 "Alternative Name"',
          on: 'node',
        },
        {
          say: 'let the kubelet make a new one (with serverTLSBootstrap: approve its CSR afterwards)',
          run: 'mkdir -p /var/tmp/kubelet-pki && mv /var/lib/kubelet/pki/kubelet.crt /var/lib/kubelet/pki/kubelet.key /var/lib/kubelet/pki/kubelet-server-* /var/tmp/kubelet-pki/ 2>/dev/null; systemctl restart kubelet',
          on: 'node',
        },
        { say: 'k3s and rke2 make a new one at their start', run: 'systemctl restart k3s || systemctl restart rke2-server', on: 'node' },
        { say: 'microk8s', run: 'microk8s refresh-certs --cert server.crt && microk8s stop && microk8s start', on: 'node' },
        { say: 'for good: a fixed address, or --node-ip of the kubelet' },
      ],
      verified: 'kubectl logs and kubectl exec on {where} work',
    },
    {
      say: 'Approve the pending kubelet-serving CSRs, after a look at the node names in them',
      risk: 'touches-node',
      for: ['pending', 'none', 'internal'],
      steps: [
        { say: 'see them', run: 'kubectl get csr --sort-by=.metadata.creationTimestamp | grep kubelet-serving', on: 'cluster' },
        {
          say: 'approve those that wait',
          run: 'kubectl get csr --no-headers | awk \'/kubelet-serving/ && $NF == "Pending" {print $1}\' | xargs -r kubectl certificate approve',
          on: 'cluster',
        },
        {
          say: 'for good: run an approver (kubelet-csr-approver, or the one of your cloud provider), as the built-in one signs client certificates only',
        },
      ],
      verified: 'kubectl logs of a pod on {where} works',
    },
    {
      say: 'Self-signed certificate: let the kubelet get one of the cluster CA',
      risk: 'touches-node',
      for: ['unverifiable', 'bootstrap'],
      steps: [
        {
          say: 'serverTLSBootstrap: true in the kubelet configuration, then approve its CSR',
          run: "grep -q '^serverTLSBootstrap:' /var/lib/kubelet/config.yaml || echo 'serverTLSBootstrap: true' >> /var/lib/kubelet/config.yaml; systemctl restart kubelet",
          on: 'node',
        },
        {
          say: 'for metrics-server on a test cluster only: do not verify',
          run: 'kubectl -n kube-system patch deployment metrics-server --type=json -p=\'[{"op":"add","path":"/spec/template/spec/containers/0/args/-","value":"--kubelet-insecure-tls"}]\'',
          on: 'cluster',
        },
      ],
      verified: 'kubectl top nodes answers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kubelet.go, pkg/kubelet/certificate/kubelet.go',
    'kubernetes website: tasks/administer-cluster/kubeadm/kubeadm-certs (kubelet serving certs)',
    'metrics-server KNOWN_ISSUES.md',
  ],
});
