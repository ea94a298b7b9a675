import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['control-plane-log', 'objects', 'container-log', 'object-events'] as const;
/** The API server reads what it stored by the keys of its EncryptionConfiguration. */
const noKey = line(
  [
    'unable to transform key',
    'identity transformer tried to read encrypted data',
    'no matching key was found for the provided',
    'no matching prefix found',
  ],
  SAID_BY,
  /unable to transform key [\\"“”]{1,4}(?<key>\/registry\/[^\s"\\“”]{1,300})[\\"“”]{1,4}: (?<fault>[^\n"]{3,120})|(?<bare>identity transformer tried to read encrypted data|no matching key was found for the provided \w{2,20} transformer)/,
);
const plugin = line(
  ['kms-provider', 'KMS Provider is not healthy', 'dial unix /', 'kms plugin', 'KMS plugin'],
  SAID_BY,
  /dial unix (?<socket>\/[^\s":]{0,200}(?:kms|vault|encrypt)[^\s":]{0,200}): connect: (?<error>no such file or directory|connection refused|permission denied)|KMS Provider is not healthy|\[-\]kms-provider-\d{1,2} failed|error while (?:calling|dialing)[^\n]{0,40}kms/i,
);
const config = line('--encryption-provider-config=', ['objects', 'host-tools'], /--encryption-provider-config=(?<file>\S{3,200})/);
const damaged = line(['etcdserver: corrupt cluster', 'mvcc: file corrupted', 'found data inconsistency with peers'], []);

export const cause = defineCause({
  id: 'stored-secrets-unreadable',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'other-trouble', 'creating', 'config-error'],

  text: {
    name: 'Stored Secrets cannot be decrypted',
    title: 'The API server cannot decrypt what it stored: {what}',
    why: 'With encryption at rest the API server writes Secrets (and other kinds it is told to) encrypted into etcd, and needs the same key to read them. Here {what}. Lists of that kind then fail as a whole: pods do not get their Secrets, controllers never fill their caches, and namespaces cannot be deleted.',
  },

  clues: {
    noKey: proves(noKey),
    plugin: proves(plugin),
    config: supports(config),
    damaged: excludes(damaged),
  },
  says: {
    noKey: 'no key of its configuration fits: {fault}',
    plugin: 'the KMS plugin that holds the key does not answer{socket}',
    config: 'encryption at rest is configured',
    damaged: 'the data of etcd itself is damaged',
  },
  slots: (_place, { noKey: unread, plugin: away }) => {
    const fault = unread?.fields['fault'] ?? unread?.fields['bare'] ?? 'see its log';
    const key = unread?.fields['key'];
    const socket = away?.fields['socket'];
    return {
      fault,
      socket: socket ? `: ${socket} (${away?.fields['error']})` : '',
      what: unread
        ? `the encryption key of ${key ?? 'an object'} is not in its EncryptionConfiguration (${fault}): the key was replaced or removed, the control planes have different files, or a backup of another cluster was restored`
        : `the KMS plugin does not answer${socket ? ` on ${socket} (${away?.fields['error']})` : ''}`,
    };
  },

  fixes: [
    {
      say: 'Compare the encryption configuration of all control planes, and put the old key back as a further one',
      risk: 'touches-node',
      steps: [
        {
          say: 'the file, on every control plane; it must be the same, and the flag must be set on each',
          run: 'grep encryption-provider-config /etc/kubernetes/manifests/kube-apiserver.yaml; sha256sum $(grep -oE "encryption-provider-config=[^ ]+" /etc/kubernetes/manifests/kube-apiserver.yaml | cut -d= -f2)',
          on: 'node',
        },
        {
          say: 'keys are tried in their order: the new one first, the old one after it until all Secrets are written anew',
          run: 'kubectl get secrets -A -o json | kubectl replace -f -',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get secrets -A answers',
    },
    {
      say: 'A KMS plugin: bring it up on the control plane, and see that its socket is mounted into the API server',
      risk: 'touches-node',
      for: ['plugin'],
      steps: [{ say: 'its container and socket', run: 'crictl ps -a | grep -i kms; ls -l /var/run/kmsplugin /opt/*.socket', on: 'node' }],
      verified: 'kubectl get --raw /healthz/kms-providers is ok',
    },
    {
      say: 'A key that is lost for good: delete the objects that nobody can read any more, and make them anew',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'the API cannot delete them: straight from etcd, one by one',
          run: 'ETCDCTL_API=3 etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key --endpoints https://127.0.0.1:2379 del /registry/secrets/NAMESPACE/NAME',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/storage/value/transformer.go, encrypt/identity, encrypt/aes',
    'kubernetes website: tasks/administer-cluster/encrypt-data, kms-provider',
  ],
});
