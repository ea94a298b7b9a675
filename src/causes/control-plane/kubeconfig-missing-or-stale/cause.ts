import { byDaemons, defineCause, excludes, minutes, notByContainers, proves, supports } from '../../define-cause.ts';
import {
  anonymous,
  asNode,
  brokenFile,
  expired,
  helper,
  kubelet,
  leadsNowhere,
  none,
  noneOfLibrary,
  notLoggedIn,
  otherAuthority,
  otherName,
} from './lines.ts';

export const cause = defineCause({
  id: 'kubeconfig-missing-or-stale',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'other-trouble'],

  text: {
    name: 'Kubeconfig missing or stale',
    title: '{client} does not get in because of its kubeconfig: {what}',
    why: '{mechanism} The cluster itself may be well: only this client cannot speak to it.',
  },

  clues: {
    none: proves(none),
    noneOfLibrary: proves(noneOfLibrary),
    leadsNowhere: proves(leadsNowhere),
    asNode: proves(asNode, (fact) => !byDaemons(fact)),
    // Components log the same of their own files.
    otherAuthority: proves(otherAuthority, ({ channel }) => !channel.endsWith('-log')),
    otherName: proves(otherName),
    // A program in a pod says so of the token of its ServiceAccount.
    notLoggedIn: proves(notLoggedIn, notByContainers),
    brokenFile: proves(brokenFile),
    helper: proves(helper),
    anonymous: supports(anonymous),
    kubelet: excludes(kubelet),
    expired: excludes(expired),
  },
  says: {
    none: 'the client tries localhost:8080, as it does without a kubeconfig',
    noneOfLibrary: 'the library of the client found no kubeconfig',
    leadsNowhere: 'its kubeconfig leads nowhere: {nowhere}',
    asNode: 'kubectl speaks as a node ({user}), not as an administrator',
    otherAuthority: 'the CA in the kubeconfig did not sign the certificate of the server',
    otherName: 'the certificate of the API server does not name {asked}',
    notLoggedIn: 'the API server does not accept its credentials (Unauthorized)',
    brokenFile: 'the kubeconfig cannot be used: {error}',
    helper: 'its login helper gives no credentials: {login}',
    anonymous: 'the API server sees a client without credentials (system:anonymous)',
    kubelet: 'the kubelet says it of its own kubeconfig',
    expired: 'a certificate has expired',
  },
  slots: (
    _place,
    {
      none: own,
      noneOfLibrary: library,
      leadsNowhere: nowhere,
      asNode: node,
      otherAuthority: authority,
      otherName: name,
      notLoggedIn: credentials,
      brokenFile: file,
      helper: login,
      anonymous: nobody,
    },
  ) => {
    const unset = own ?? library;
    const fails = loginFault(login?.fields);
    const asked = name?.fields['asked'] ?? name?.fields['address'] ?? 'that address';
    const error =
      file?.fields['error'] ?? (file?.fields['pem'] ? `${file.fields['pem']} cannot be read` : 'its context or files are missing');
    const user = `system:node:${node?.fields['node'] ?? node?.fields['user'] ?? 'NAME'}`;
    const fault = nowhere?.fields['context']
      ? `the context ${nowhere.fields['context']} is not in it`
      : nowhere?.fields['server']
        ? 'its cluster has no server address'
        : 'it is empty, not given (--kubeconfig, clientConnection.kubeconfig), or has no current context';
    return {
      client: clientOf(
        { ...nowhere?.fields, ...own?.fields, ...library?.fields, ...credentials?.fields },
        nowhere?.channel ?? own?.channel ?? library?.channel,
        (nowhere ?? nobody) !== undefined,
      ),
      user,
      login: fails,
      nowhere: fault,
      asked,
      error: file ? error : 'see its message',
      what: unset
        ? library
          ? 'it has none'
          : 'it has none and tries localhost:8080'
        : login
          ? fails
          : node
            ? `it is that of a kubelet (${user}), which may touch only what belongs to its own node`
            : nowhere
              ? fault
              : authority
                ? 'its CA certificate is of another (earlier) cluster'
                : name
                  ? `the certificate of the API server is not valid for ${asked}`
                  : credentials
                    ? 'its credentials are not accepted (Unauthorized)'
                    : file
                      ? error
                      : nobody
                        ? 'it presents no credentials, so the API server takes it for system:anonymous'
                        : 'it does not fit the cluster',
      mechanism: unset
        ? 'A client (kubectl, Helm, Terraform, a library) reads the address and credentials of the cluster from $KUBECONFIG or ~/.kube/config; without one kubectl and Helm try http://localhost:8080 (Terraform port 80), where nothing listens. On a control-plane node the file is /etc/kubernetes/admin.conf and belongs to root (k3s: /etc/rancher/k3s/k3s.yaml).'
        : login
          ? `The user of the kubeconfig is a program (exec, auth-provider) that must fetch a token each time. Here ${fails}.`
          : node
            ? `The API server knows this client as ${user}: kubectl was given kubelet.conf, or a copy of it, mostly when certificates were renewed by hand. The administrator is in /etc/kubernetes/admin.conf.`
            : nowhere
              ? `A client takes the current context of its kubeconfig, from that a cluster with its address, and a user. Here that fails: ${fault}.`
              : authority
                ? 'kubectl checks the certificate of the API server against the CA in its kubeconfig. That CA is another one, mostly because the cluster was reset and made anew (kubeadm reset, kubeadm init) and ~/.kube/config is still of the old one.'
                : name
                  ? `kubectl calls the API server as ${asked}, but that name or address is not among the names (SAN) of its certificate${name.fields['names'] === undefined ? '' : ` (${name.fields['names'].slice(0, 120)})`}: it was added or changed after kubeadm init.`
                  : credentials
                    ? 'The client certificate, token or login helper in the kubeconfig is not accepted any more: expired, revoked, or of another cluster.'
                    : nobody
                      ? 'The call carries no client certificate and no token that the API server knows (curl or a browser without any, an empty user in the kubeconfig, a load balancer that ends TLS and drops the client certificate), so it counts as system:anonymous, who may do next to nothing.'
                      : 'The file that tells kubectl where the cluster is and who it is itself is not usable.',
    };
  },

  fixes: [
    {
      say: 'Point kubectl to the right kubeconfig: on a control-plane node copy /etc/kubernetes/admin.conf to ~/.kube/config',
      risk: 'touches-node',
      steps: [
        { say: 'what it uses now', run: 'echo $KUBECONFIG; ls -l ~/.kube/config; kubectl config view --minify', on: 'cluster' },
        {
          say: 'kubeadm: take the present one',
          run: 'mkdir -p $HOME/.kube && sudo cp -i /etc/kubernetes/admin.conf $HOME/.kube/config && sudo chown $(id -u):$(id -g) $HOME/.kube/config',
          on: 'node',
        },
        { say: 'as root for this shell only', run: 'export KUBECONFIG=/etc/kubernetes/admin.conf', on: 'node' },
        { say: 'k3s, rke2', run: 'export KUBECONFIG=/etc/rancher/k3s/k3s.yaml', on: 'node' },
        {
          say: 'cloud: fetch it anew',
          run: 'aws eks update-kubeconfig --name NAME || gcloud container clusters get-credentials NAME || az aks get-credentials -n NAME -g GROUP',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get nodes answers',
    },
    {
      say: 'A login helper: install it, log in with it, and write the kubeconfig anew with the present version of the cloud tools',
      risk: 'reads-only',
      for: ['helper'],
      steps: [
        {
          say: 'what the kubeconfig runs; run that command by hand and read its error',
          run: 'kubectl config view --minify -o jsonpath="{.users[0].user}"',
          on: 'cluster',
        },
        {
          say: 'AWS: profile and session; Google: the plugin; Azure: kubelogin',
          run: 'aws sts get-caller-identity; gcloud components install gke-gcloud-auth-plugin; az aks install-cli',
          on: 'cluster',
        },
        {
          say: 'write it anew: old tools wrote an API version that kubectl 1.24 and later refuse',
          run: 'aws eks update-kubeconfig --name NAME || gcloud container clusters get-credentials NAME || az aks get-credentials -n NAME -g GROUP',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get nodes answers',
    },
    {
      say: 'A component of the control plane: give it a kubeconfig with cluster, user and current context',
      risk: 'touches-node',
      steps: [
        { say: 'contexts it has', run: 'kubectl config get-contexts --kubeconfig /etc/kubernetes/scheduler.conf', on: 'node' },
        {
          say: 'choose one',
          run: 'kubectl config use-context CONTEXT --kubeconfig /etc/kubernetes/scheduler.conf',
          on: 'node',
        },
        {
          say: 'a configuration file of kube-scheduler must name it itself (clientConnection.kubeconfig): the flag --kubeconfig is not read then',
          run: 'grep -n -A2 clientConnection /etc/kubernetes/scheduler-config.yaml',
          on: 'node',
        },
        { say: 'kubeadm: written anew', run: 'kubeadm init phase kubeconfig scheduler', on: 'node' },
      ],
      verified: 'the component stays up',
    },
    {
      say: 'A name or address that is missing in the certificate: add {asked} to apiServer.certSANs and make the certificate anew',
      risk: 'touches-node',
      for: ['otherName'],
      steps: [
        { say: 'the names it has', run: 'openssl x509 -noout -ext subjectAltName -in /etc/kubernetes/pki/apiserver.crt', on: 'node' },
        {
          say: 'new certificate with one more name, then restart the API server',
          run: 'mkdir -p -m 700 /etc/kubernetes/pki/before && mv /etc/kubernetes/pki/apiserver.crt /etc/kubernetes/pki/apiserver.key /etc/kubernetes/pki/before/ && kubeadm init phase certs apiserver --apiserver-cert-extra-sans={{asked}} && crictl rm -f $(crictl ps --name kube-apiserver -q)',
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes answers by that address',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes staging/src/k8s.io/client-go/tools/clientcmd/client_config.go',
    'kubernetes docs: kubeadm troubleshooting, TLS certificate errors',
  ],
});

/** Whose kubeconfig it is, as far as the words themselves tell. */
function clientOf(fields: Readonly<Record<string, string | undefined>>, channel = '', anyClient: boolean): string {
  if (fields['program']) return fields['program'];
  if (fields['helm']) return 'Helm';
  if (fields['python']) return 'The Python client';
  if (fields['terraform']) return 'Terraform';
  if (channel === 'container-log') return 'A program in a container';
  if (channel.endsWith('-log')) return 'A component of the control plane';
  return anyClient ? 'The client' : 'Kubectl';
}

function loginFault(fields: Readonly<Record<string, string>> = {}): string {
  const absent = fields['absent'] ?? fields['program'];
  if (absent) return `the login helper ${absent} is not installed or not in PATH`;
  if (fields['fails'])
    return `the login helper ${fields['fails']} fails (exit code ${fields['code']}): it is not logged in, or its arguments are wrong`;
  if (fields['api']) return `it names the API version ${fields['api']} for its login helper, which this client no longer knows`;
  const gone = fields['provider'] ?? fields['removed'];
  if (gone) return `the login by ${gone} is no longer built into the client: a login helper of its own must be installed`;
  return 'its login helper prints no credentials';
}
