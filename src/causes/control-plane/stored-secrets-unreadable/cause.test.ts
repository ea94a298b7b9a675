import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const unread =
  '$ kubectl get secrets -A\nError from server (InternalError): Internal error occurred: unable to transform key "/registry/secrets/books/ledger": no matching prefix found\n';

testCause(cause, {
  finds: {
    'a key that is not in the configuration': { evidence: { 'term.txt': unread }, confidence: 'certain', cites: ['term.txt:2'] },
    'a control plane without the configuration': {
      evidence: {
        'api.log':
          '$ kubectl -n kube-system logs kube-apiserver-elm\nE0304 08:10:57.118402       1 cacher.go:450] cacher (secrets): unexpected ListAndWatch error: failed to list *core.Secret: unable to transform key "/registry/secrets/books/ledger": identity transformer tried to read encrypted data; reinitializing...\n',
      },
      confidence: 'certain',
    },
    'a plugin that is down, and the configuration': {
      evidence: {
        'term.txt':
          '$ kubectl get secrets\nError from server (InternalError): Internal error occurred: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix /var/run/kmsplugin/socket.sock: connect: no such file or directory"\n',
        'manifest.txt':
          '$ grep encryption /etc/kubernetes/manifests/kube-apiserver.yaml\n    - --encryption-provider-config=/etc/kubernetes/enc/enc.yaml\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'etcd is damaged': {
      evidence: { 'term.txt': `${unread}$ kubectl get pods\nError from server: etcdserver: corrupt cluster\n` },
      by: 'damaged',
    },
  },
  asks: { 'how it is configured': { evidence: { 'term.txt': unread }, for: 'host-tools' } },
});
