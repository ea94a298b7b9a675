import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const says =
  'Jan 09 08:14:02 laptop-w2 kubelet[611]: E0109 08:14:02.331207     611 kubelet.go:1703] "Failed to start ContainerManager" err="system validation failed - wrong number of fields (expected at least 6, got 7)"\n';

testCause(cause, {
  finds: {
    'the line of the kubelet': { evidence: { 'kubelet.log': says }, confidence: 'certain' },
    'k3s hands it on': {
      evidence: {
        'k3s.log':
          'Jan 09 08:14:02 laptop-w2 k3s[611]: E0109 08:14:02.331207     611 kubelet.go:1703] "Failed to start ContainerManager" err="system validation failed - wrong number of fields (expected 6, got 7)"\n',
      },
      confidence: 'certain',
    },
    'with the mount itself': {
      evidence: {
        'kubelet.log': says,
        'mounts.txt':
          '$ cat /proc/mounts\nC:\\134Program\\040Files\\134Docker /Docker/host 9p rw,noatime,aname=drvfs;path=C:\\Program Files\\Docker;symlinkroot=/mnt/,trans=fd,rfd=3,wfd=3 0 0\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it has registered since': {
      evidence: {
        'kubelet.log': `${says}Jan 09 08:16:10 laptop-w2 kubelet[702]: I0109 08:16:10.100102     702 kubelet_node_status.go:79] "Successfully registered node" node="laptop-w2"\n`,
      },
      by: 'up',
    },
  },
  asks: {
    'the mounts': { evidence: { 'kubelet.log': says }, for: 'host-state' },
  },
});
