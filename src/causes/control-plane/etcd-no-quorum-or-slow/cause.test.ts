import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (...lines: string[]) =>
  `$ kubectl -n kube-system logs etcd-cp-1\n${lines.map((text) => `{"level":"warn","ts":"2025-03-04T08:10:57.118Z",${text}}`).join('\n')}\n`;
const tooLong =
  '"caller":"etcdserver/util.go:170","msg":"apply request took too long","took":"1.218s","expected-duration":"100ms","prefix":"read-only range ","request":"key:\\"/registry/leases/\\""';
const fsync = '"caller":"wal/wal.go:805","msg":"slow fdatasync","took":"2.417s","expected-duration":"1s"';
const beat =
  '"caller":"etcdserver/raft.go:369","msg":"leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk","to":"8e9e05c52164694d","heartbeat-interval":"100ms","expected-duration":"200ms","exceeded-duration":"1.1s"';
const election = (term: number) => `"caller":"raft/raft.go:929","msg":"8e9e05c52164694d is starting a new election at term ${term}"`;

testCause(cause, {
  finds: {
    'a member that cannot be added while another does not run': {
      evidence: {
        'term.txt': 'Error: etcdserver: re-configuration failed due to not enough started members\n',
      },
      confidence: 'certain',
    },
    'a client that reaches no endpoint': {
      evidence: {
        'apiserver.log':
          'F0304 08:10:57.157523       1 controller.go:128] Unable to perform initial IP allocation check: unable to refresh the service IP block: client: etcd cluster is unavailable or misconfigured\n',
      },
      confidence: 'possible',
    },
    'a new server may not join': {
      evidence: {
        'server.log':
          'time="2025-03-04T08:10:57Z" level=fatal msg="starting kubernetes: preparing server: start managed database: joining etcd cluster: etcdserver: unhealthy cluster"\n',
      },
      confidence: 'certain',
    },
    'what kubectl prints': {
      evidence: { 'terminal.txt': 'Error from server: etcdserver: request timed out\n' },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['terminal.txt:1'],
    },
    'a slow disk': { evidence: { 'etcd.log': log(tooLong, fsync) }, confidence: 'certain', cites: ['etcd.log:3'] },
    'old words': {
      evidence: {
        'etcd.log':
          '2020-10-09 09:02:16.175270 W | wal: sync duration of 3.417021s, expected less than 1s\n2020-10-09 09:02:17.175270 W | etcdserver: read-only range request "key:\\"/registry/pods\\" " with result "range_response_count:1 size:512" took too long (2.1s) to execute\n',
      },
      confidence: 'certain',
    },
    'no leader': {
      evidence: {
        'terminal.txt':
          '$ etcdctl endpoint health\nhttps://10.4.0.11:2379 is unhealthy: failed to commit proposal: context deadline exceeded\nError: unhealthy cluster, failed to commit proposal: context deadline exceeded\n',
      },
      confidence: 'certain',
    },
    'election after election': {
      evidence: {
        'etcd.log': log(
          election(41),
          election(42),
          election(43),
          '"caller":"rafthttp/probing_status.go:68","msg":"prober detected unhealthy status","round-tripper-name":"ROUND_TRIPPER_RAFT_MESSAGE","remote-peer-id":"1","rtt":"0s","error":"dial tcp 10.4.0.12:2380: connect: connection refused"',
        ),
      },
      confidence: 'certain',
    },
    'late heartbeats, again and again': { evidence: { 'etcd.log': log(beat, beat, beat) }, confidence: 'certain' },
    'the API server is late': {
      evidence: {
        'terminal.txt':
          'Error from server (Timeout): the server was unable to return a response in the time allotted, but may still be processing requests (get pods)\n',
      },
      confidence: 'possible',
    },
    'the API server is late for a kubelet': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 projected.go:194] "Error preparing data for projected volume kube-api-access-x7k2p for pod shop/cart-0" err="failed to fetch token: Timeout: request did not complete within requested timeout - context deadline exceeded"\n',
      },
      confidence: 'possible',
    },
    'one late heartbeat, one election': { evidence: { 'etcd.log': log(beat, election(7)) }, confidence: 'possible' },
    'the leader changed, and requests took too long': {
      evidence: {
        'apiserver.log':
          '$ kubectl -n kube-system logs kube-apiserver-cp-1\nE0304 08:10:57.118402       1 status.go:71] apiserver received an error that is not an metav1.Status: rpc error: code = Unavailable desc = etcdserver: leader changed\n',
        'etcd.log': log(tooLong),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'its quota is used up': {
      evidence: { 'etcd.log': log(tooLong, fsync, '"msg":"failed to apply request","error":"etcdserver: mvcc: database space exceeded"') },
      by: 'damaged',
    },
  },
  asks: {
    'the log of etcd': { evidence: { 'terminal.txt': 'Error from server: etcdserver: request timed out\n' }, for: 'control-plane-log' },
  },
});
