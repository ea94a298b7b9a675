import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const json = (fields: string) => `$ kubectl -n kube-system logs etcd-cp-1\n{"level":"panic","ts":"2025-03-04T08:10:57.118Z",${fields}}\n`;
const database = json(
  '"caller":"backend/backend.go:189","msg":"failed to open database","path":"/var/lib/etcd/member/snap/db","error":"invalid database"',
);

testCause(cause, {
  finds: {
    'a store of the old API after the step to 3.6': {
      evidence: {
        'etcd.log': json(
          '"caller":"etcdserver/bootstrap.go:101","msg":"detected disallowed custom content in v2store for stage --v2-deprecation=write-only"',
        ),
      },
      confidence: 'certain',
    },
    'no write-ahead log at all': {
      evidence: { 'etcd.log': json('"caller":"etcdserver/storage.go:96","msg":"failed to open WAL","error":"wal: file not found"') },
      confidence: 'certain',
    },
    'flags with the members of another time': {
      evidence: {
        'etcd.log':
          '$ kubectl -n kube-system logs etcd-elm\n2026-03-04 08:10:57.785514 C | etcdmain: error validating peerURLs {ClusterID:5af0 Members:[&{ID:2ef0 RaftAttributes:{PeerURLs:[https://10.4.0.3:2380]} Attributes:{Name:oak ClientURLs:[]}}] RemovedMemberIDs:[]}: member count is unequal\n',
      },
      confidence: 'certain',
    },
    'a name that is not among the members': {
      evidence: {
        'etcd.log':
          '$ kubectl -n kube-system logs etcd-elm\n{"level":"fatal","ts":"2026-03-04T08:10:57.069Z","caller":"etcdmain/etcd.go:204","msg":"couldn\'t find local name \\"elm\\" in the initial cluster configuration"}\n',
      },
      confidence: 'certain',
    },
    'an rke2 server that the cluster has forgotten': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch rke2[811]: time="2026-03-04T08:10:57Z" level=info msg="Failed to test data store connection: this server is a not a member of the etcd cluster. Found [oak-1a2b=https://10.4.0.3:2380], expect: birch-3c4d=https://10.4.0.4:2380"\n',
      },
      confidence: 'certain',
    },
    'a commit that neither log nor snapshot has': {
      evidence: {
        'etcd.log':
          'etcd[3867]: recovered store from snapshot at index 1250125\netcd[3867]: panic: 8e9e05c52164694d state.commit 1209069 is out of range [1250125, 1250125]\n',
      },
      confidence: 'certain',
    },
    'one name for all members': {
      evidence: {
        'etcd.log':
          '$ kubectl -n kube-system logs etcd-elm\n{"level":"fatal","ts":"2026-03-04T08:10:57.069Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"--initial-cluster has etcd=http://10.4.0.3:2380,etcd=http://10.4.0.4:2380 but missing from --initial-advertise-peer-urls=http://10.4.0.5:2380"}\n',
      },
      confidence: 'certain',
    },
    'the database file': {
      evidence: {
        'etcd.log': database,
        'pods.txt':
          '$ kubectl -n kube-system get pods\nNAME        READY   STATUS             RESTARTS        AGE\netcd-cp-1   0/1     CrashLoopBackOff   14 (2m1s ago)   51d\n',
      },
      confidence: 'certain',
      place: 'pod kube-system/etcd-cp-1',
      cites: ['etcd.log:2'],
      victims: 1,
    },
    'the write-ahead log, old words': {
      evidence: {
        'etcd.log':
          '$ docker logs etcd\n2020-10-09 09:02:16.160313 I | etcdmain: etcd Version: 3.3.10\n2020-10-09 09:02:16.175270 C | etcdserver: read wal error (walpb: crc mismatch) and cannot be repaired\n',
      },
      confidence: 'certain',
    },
    'the snapshot is gone, in the journal of a host': {
      evidence: {
        'journal.txt':
          "Jun 29 09:39:37 birch etcd[3348]: recovering backend from snapshot error: failed to find database snapshot file (snap: snapshot file doesn't exist)\nJun 29 09:39:37 birch etcd[3348]: panic: recovering backend from snapshot error: failed to find database snapshot file (snap: snapshot file doesn't exist)\n",
      },
      confidence: 'certain',
    },
    'lost entries': {
      evidence: {
        'etcd.log': 'panic: tocommit(3817) is out of range [lastIndex(3790)]. Was the raft log corrupted, truncated, or lost?\n',
      },
      confidence: 'certain',
    },
    'another cluster': {
      evidence: {
        'etcd.log': `$ kubectl -n kube-system logs etcd-cp-2\n{"level":"fatal","ts":"2025-03-04T08:10:57.118Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"member 8e9e05c52164694d has already been bootstrapped"}\n`,
      },
      confidence: 'certain',
    },
    'a newer version wrote it': {
      evidence: {
        'etcd.log': json(
          '"caller":"membership/cluster.go:511","msg":"invalid downgrade; server version is lower than determined cluster version","current-server-version":"3.4.3","determined-cluster-version":"3.5"',
        ),
      },
      confidence: 'certain',
    },
    'the alarm': {
      evidence: { 'terminal.txt': '$ etcdctl alarm list\nmemberID:13803658152347727308 alarm:CORRUPT\n' },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a full disk': {
      evidence: {
        'etcd.log': `${database}{"level":"fatal","ts":"2025-03-04T08:10:57.118Z","caller":"wal/wal.go:238","msg":"failed to create WAL","error":"write /var/lib/etcd/member/wal/0.tmp: no space left on device"}\n`,
      },
      by: 'diskFull',
    },
  },
  asks: {
    'more of the log': {
      evidence: {
        'etcd.log': 'panic: tocommit(3817) is out of range [lastIndex(3790)]. Was the raft log corrupted, truncated, or lost?\n',
      },
      for: 'control-plane-log',
    },
  },
});
