import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const apiserver =
  'Mar 04 08:10:57 cp-1 kube-apiserver[811]: E0304 08:10:57.118402     811 status.go:71] apiserver received an error that is not an metav1.Status: &status.Error{s:(*status.Status)(0xc001)}: rpc error: code = ResourceExhausted desc = etcdserver: mvcc: database space exceeded\n';

testCause(cause, {
  finds: {
    'what kubectl prints': {
      evidence: { 'terminal.txt': 'Error from server: etcdserver: mvcc: database space exceeded\n' },
      confidence: 'certain',
      cites: ['terminal.txt:1'],
    },
    'the log of the API server, and the flag of etcd': {
      evidence: {
        'apiserver.log': apiserver,
        'etcd.log':
          '{"level":"info","ts":"2025-03-04T08:10:57.118Z","caller":"embed/etcd.go:310","msg":"starting an etcd server","etcd-version":"3.5.16","quota-backend-bytes":2147483648}\n',
      },
      confidence: 'certain',
      place: 'the cluster',
    },
    etcdctl: {
      evidence: { 'terminal.txt': '$ etcdctl alarm list\nmemberID:13803658152347727308 alarm:NOSPACE\n' },
      confidence: 'certain',
    },
    'old and new words of etcd': {
      evidence: {
        'old.log': '2020-10-09 09:02:16.175270 W | etcdserver: alarm NOSPACE raised by peer 8e9e05c52164694d\n',
        'new.log':
          '{"level":"warn","ts":"2025-03-04T08:10:57.118Z","caller":"etcdserver/server.go:1945","msg":"alarm raised","alarm":"NOSPACE","raised-member-id":"8e9e05c52164694d"}\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the disk is full': {
      evidence: {
        'etcd.log': `${apiserver}{"level":"fatal","ts":"2025-03-04T08:10:57.118Z","caller":"etcdserver/raft.go:238","msg":"failed to save Raft hard state and entries","error":"write /var/lib/etcd/member/wal/0.tmp: no space left on device"}\n`,
      },
      by: 'diskFull',
    },
  },
  asks: {
    'the log of etcd': {
      evidence: { 'terminal.txt': 'Error from server: etcdserver: mvcc: database space exceeded\n' },
      for: 'control-plane-log',
    },
  },
});
