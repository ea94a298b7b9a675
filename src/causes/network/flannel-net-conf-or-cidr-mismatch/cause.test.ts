import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE      NAME                    READY   STATUS             RESTARTS      AGE   IP          NODE
kube-flannel   kube-flannel-ds-7xk2p   0/1     CrashLoopBackOff   6 (40s ago)   9m    10.4.0.11   plover-1
`;
const log = (words: string) => `$ kubectl -n kube-flannel logs kube-flannel-ds-7xk2p
I0304 08:10:55.104225       1 main.go:531] Using interface with name ens3 and address 10.4.0.11
${words}
`;
const misfit =
  'E0304 08:10:57.331207       1 main.go:332] Error registering network: failed to acquire lease: subnet "10.244.0.0/16" specified in the flannel net config doesn\'t contain "10.120.3.0/24" PodCIDR of the "plover-1" node';

testCause(cause, {
  finds: {
    'the pod CIDR lies outside': {
      evidence: { 'pods.txt': pods, 'flannel.log': log(misfit) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['flannel.log:3'],
      victims: 1,
    },
    'flannel wrote it down itself': {
      evidence: {
        'pods.txt': pods,
        'host.txt':
          '[root@plover-1 ~]# cat /run/flannel/subnet.env\nFLANNEL_NETWORK=10.244.0.0/16\nFLANNEL_SUBNET=10.120.3.1/24\nFLANNEL_MTU=1450\nFLANNEL_IPMASQ=true\n',
      },
      confidence: 'probable',
      place: 'node plover-1',
      cites: ['host.txt:2'],
    },
    'the file cannot be read': {
      evidence: {
        'flannel.log': log(
          "E0304 08:10:57.331207       1 main.go:228] Failed to create SubnetManager: error parsing subnet config: invalid character '}' looking for beginning of object key string",
        ),
      },
      confidence: 'certain',
    },
    'the key is not in etcd': {
      evidence: {
        'flanneld.log':
          "Mar 04 08:10:57 plover-1 flanneld[2201]: E0304 08:10:57.331207    2201 main.go:382] Couldn't fetch network config: 100: Key not found (/coreos.com) [11]\n",
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
  },
  rulesOut: {
    'no pod CIDR at all': {
      evidence: {
        'flannel.log': log(
          `${misfit}\nE0304 08:12:57.331207       1 main.go:332] Error registering network: failed to acquire lease: node "plover-1" pod cidr not assigned`,
        ),
      },
      by: 'noRange',
    },
  },
  asks: { 'what flannel says': { evidence: { 'note.txt': `${misfit.replace(/^.*\] /, '')}\n` }, for: 'container-log' } },
});
