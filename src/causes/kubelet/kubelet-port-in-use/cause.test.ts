import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const old = `Mar 04 08:10:57 birch kubelet[2041]: F0304 08:10:57.118402    2041 server.go:141] listen tcp 0.0.0.0:10250: bind: address already in use
Mar 04 08:10:57 birch systemd[1]: kubelet.service: main process exited, code=exited, status=255/n/a
Mar 04 08:10:57 birch systemd[1]: Unit kubelet.service entered failed state.
`;
const recent = `Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 server.go:176] "Failed to listen and serve" err="listen tcp 0.0.0.0:10250: bind: address already in use"
`;

testCause(cause, {
  finds: {
    'the API server of k3s': {
      evidence: {
        'paste.txt':
          'level=fatal msg="starting kubernetes: preparing server: init cluster datastore and https: listen tcp :6443: bind: address already in use"\n',
      },
      confidence: 'probable',
    },
    'an old kubelet, and netstat names a connection': {
      evidence: {
        'kubelet.log': old,
        'host.txt':
          '[root@birch ~]# netstat -antp | grep 10250\ntcp        0      0 127.0.0.1:10250         127.0.0.1:2379          ESTABLISHED 1104/kube-apiserver \n',
      },
      confidence: 'certain',
      place: 'node birch',
      cites: ['kubelet.log:1', 'host.txt:2'],
    },
    'a recent one, and ss names a second kubelet': {
      evidence: {
        'kubelet.log': recent,
        'host.txt':
          '[root@birch ~]# ss -lntp\nLISTEN 0      4096               *:10250            *:*    users:(("k3s-agent",pid=812,fd=31))\n',
      },
      confidence: 'certain',
      cites: ['host.txt:2'],
    },
    'the health port': {
      evidence: {
        'kubelet.log': recent
          .replace('0.0.0.0:10250', '127.0.0.1:10248')
          .replace('Failed to listen and serve', 'Failed to start healthz server'),
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'kubeadm refuses': {
      evidence: {
        'join.txt':
          '[root@birch ~]# kubeadm join 10.4.0.10:6443\n[preflight] Running pre-flight checks\nerror execution phase preflight: [preflight] Some fatal errors occurred:\n\t[ERROR Port-10250]: Port 10250 is in use\n',
      },
      confidence: 'probable',
      place: 'node birch',
    },
  },
  rulesOut: {
    'a hostPort of a pod': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 pod_workers.go:191] Error syncing pod 5d0c2a54 ("web-0_shop(5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11)"), skipping: failed to "SetupNetwork": cannot open hostport 80 for pod k8s_POD: listen tcp4 :80: bind: address already in use\n',
      },
      by: 'hostPort',
    },
    'kubeadm ran here before': {
      evidence: {
        'join.txt':
          'error execution phase preflight: [preflight] Some fatal errors occurred:\n\t[ERROR FileAvailable--etc-kubernetes-kubelet.conf]: /etc/kubernetes/kubelet.conf already exists\n\t[ERROR Port-10250]: Port 10250 is in use\n',
      },
      by: 'joinedBefore',
    },
  },
  asks: { 'who holds it': { evidence: { 'kubelet.log': recent }, for: 'host-tools' } },
});
