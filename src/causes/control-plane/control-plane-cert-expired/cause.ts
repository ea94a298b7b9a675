import { defineCause, excludes, excludesEverywhere, line, minutes, proves, supports, withContext } from '../../define-cause.ts';

const clientSees = line(
  'certificate has expired or is not yet valid',
  ['objects', 'kubelet-log', 'control-plane-log', 'container-log'],
  /^(?![\s\S]*(?:webhook|failed to pull|[Pp]ulling|\/v2\/))[\s\S]*?(?:Unable to connect to the server: |(?:Get|Post|Put|Patch|List) [\\"“”]{0,8}https:\/\/[^\s\\"“”]{1,200}\/apis?[/?][\s\S]{0,300}?)(?:tls: failed to verify certificate: )?x509: certificate has expired or is not yet valid(?:: current time \S{1,40} is after (?<end>\d{4}-\d\d-\d\d))?/,
);
const listed = line(
  '<invalid>',
  'kubeadm-output',
  /(?<certificate>admin\.conf|super-admin\.conf|apiserver(?:-[a-z-]{3,30})?|controller-manager\.conf|scheduler\.conf|etcd-[a-z-]{3,20}|front-proxy-client)\s+(?<end>[A-Z][a-z]{2} \d{1,2}, \d{4}) \d\d:\d\d \w{2,5}\s+<invalid>/,
);
const etcdSees = line(
  'certificate has expired or is not yet valid',
  'control-plane-log',
  withContext(
    /(?:failed to verify client'?s? certificate|authentication handshake failed): [\s\S]{0,80}?x509: certificate has expired or is not yet valid/,
    {
      may: [/(?<etcd>:2379\b|:2380\b|"caller":"(?:embed|rafthttp|etcdserver)\/|\betcdserver\b|\brafthttp\b|\bembed: rejected connection)/],
    },
  ),
);
const serverSees = line(
  'Unable to authenticate the request',
  'control-plane-log',
  /Unable to authenticate the request[\s\S]{0,200}?certificate has expired/,
);
/** kubeadm loads the CA and its certificates from disk before it signs or renews anything. */
const onDisk = line(
  'the certificate has expired',
  'kubeadm-output',
  /(?:error execution phase|couldn't load|failed to load|failure loading|\bCA\b|certificate authority)[^\n]{0,300}?: the certificate has expired/i,
);
/** A new certificate would be signed by an authority that has run out itself (ten years after kubeadm init). */
const authority = line(
  'certificate has expired: NotBefore',
  'kubeadm-output',
  /(?:failed to renew certificate|unable to sign|failure loading (?:etcd\/|front-proxy-)?ca certificate|certificate authority|couldn't load (?:the )?CA)[\s\S]{0,200}?certificate has expired: NotBefore: [^,\n]{5,60}, NotAfter: (?<end>\d{4}-\d\d-\d\d)/,
);
// No channel: the message with the proof carries both times itself.
const clock = line('certificate has expired or is not yet valid', [], /current time \S{1,40} is before /);

export const cause = defineCause({
  id: 'control-plane-cert-expired',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'node-not-ready', 'kubelet-down', 'other-trouble'],

  text: {
    name: 'Cluster certificates expired',
    title: 'Certificates of the control plane have expired{since}{which}{renewal}',
    why: 'kubeadm makes the certificates of the API server, etcd and the control-plane clients for one year and renews them only with kubeadm upgrade or kubeadm certs renew. Once they have expired{since}, clients refuse the API server and the parts of the control plane refuse each other: kubectl fails, nothing is scheduled, nodes turn NotReady, running containers go on.',
  },

  clues: {
    clientSees: proves(clientSees, ({ fields }) => fields['end'] !== undefined),
    undated: supports(clientSees, ({ fields }) => fields['end'] === undefined),
    listed: proves(listed),
    onDisk: proves(onDisk),
    authority: proves(authority),
    etcdSees: proves(etcdSees, ({ channel, fields }) => channel === 'control-plane-log' || fields['etcd'] !== undefined),
    serverSees: supports(serverSees),
    clock: excludesEverywhere(excludes(clock)),
  },
  says: {
    clientSees: 'a client finds the certificate of the API server expired{since}',
    undated: 'a client finds the certificate of the API server out of date',
    onDisk: 'kubeadm finds a certificate on disk that has expired',
    listed: 'kubeadm lists {certificate} as invalid since {end}',
    authority: 'the certificate authority (CA) itself has expired: it can sign no new certificate',
    etcdSees: 'etcd or its peers meet an expired certificate',
    serverSees: 'the API server turns away a client with an expired certificate',
    clock: 'the certificate is not yet valid: a clock is wrong',
  },
  slots: (_place, { clientSees: client, listed: row, authority: root }) => {
    const end = root?.fields['end'] ?? client?.fields['end'] ?? row?.fields['end'];
    return {
      since: end === undefined ? '' : ` (since ${end})`,
      renewal: root ? ': the certificate authority (CA) too, so they cannot be renewed before it is made anew' : '',
      which: row?.fields['certificate'] ? `: ${row.fields['certificate']} and perhaps more` : '',
      certificate: row?.fields['certificate'] ?? 'a certificate',
      end: row?.fields['end'] ?? end ?? 'some time',
    };
  },

  fixes: [
    {
      say: 'See which certificates have expired, and the clock',
      risk: 'reads-only',
      steps: [
        { say: 'all of them, on each control-plane node', run: 'kubeadm certs check-expiration; date -u', on: 'node' },
        {
          say: 'without kubeadm',
          run: 'for f in /etc/kubernetes/pki/*.crt /etc/kubernetes/pki/etcd/*.crt; do echo "$f $(openssl x509 -noout -enddate -in $f)"; done',
          on: 'node',
        },
      ],
    },
    {
      say: 'Renew all certificates with kubeadm on every control-plane node',
      risk: 'touches-node',
      steps: [
        { say: 'keep a copy', run: 'cp -a /etc/kubernetes /var/backups/kubernetes-before', on: 'node' },
        { say: 'renew (before 1.20: kubeadm alpha certs renew all)', run: 'kubeadm certs renew all', on: 'node' },
        {
          say: 'restart the static pods, which read the files only at their start',
          run: 'mkdir -p /var/backups/manifests && mv /etc/kubernetes/manifests/*.yaml /var/backups/manifests/ && sleep 30 && mv /var/backups/manifests/*.yaml /etc/kubernetes/manifests/',
          on: 'node',
        },
        { say: 'the new admin kubeconfig', run: 'cp /etc/kubernetes/admin.conf ~/.kube/config', on: 'node' },
        {
          say: 'the kubelets have certificates of their own; restart them, and renew those that do not come back',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
      changes: [
        { do: 'kubeadm-renew', names: ['all'] },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'kubeadm certs check-expiration shows a year left, kubectl works, nodes are Ready',
    },
    {
      say: 'The certificate authority (CA) itself has expired: make a new one with the old key, so that what it signed stays valid, then renew all',
      risk: 'touches-node',
      for: ['authority'],
      steps: [
        {
          say: 'when it ends: kubeadm makes it for ten years',
          run: 'for f in /etc/kubernetes/pki/ca.crt /etc/kubernetes/pki/etcd/ca.crt /etc/kubernetes/pki/front-proxy-ca.crt; do openssl x509 -noout -subject -enddate -in $f; done',
          on: 'node',
        },
        {
          say: 'keep a copy, then sign it anew with its own key, for ten years',
          run: 'cp -a /etc/kubernetes /var/backups/kubernetes-before && openssl x509 -in /etc/kubernetes/pki/ca.crt -signkey /etc/kubernetes/pki/ca.key -days 3650 -out /var/tmp/ca-new.crt && cp /var/tmp/ca-new.crt /etc/kubernetes/pki/ca.crt',
          on: 'node',
        },
        {
          say: 'the same file goes to all control planes and nodes; kubeconfigs hold a copy of it (certificate-authority-data), so they are made anew',
          run: 'kubeadm certs renew all; mkdir -p /var/backups/conf && mv /etc/kubernetes/*.conf /var/backups/conf/ && kubeadm init phase kubeconfig all && systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'kubeadm certs check-expiration shows years left for the authorities',
    },
    {
      say: 'k3s, rke2: a restart renews what is due within 90 days',
      risk: 'touches-node',
      steps: [{ say: 'restart the server', run: 'systemctl restart k3s || systemctl restart rke2-server', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes docs: kubeadm-certs', 'kubernetes cmd/kubeadm/app/cmd/certs.go'],
});
