import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const failed =
  "[upgrade/etcd] Failed to upgrade etcd: couldn't upgrade control plane. kubeadm has tried to recover everything into the earlier state. Errors faced: static Pod hash for component etcd on Node birch did not change after 5m0s: timed out waiting for the condition\n";

testCause(cause, {
  finds: {
    'no error is named': {
      evidence: {
        'upgrade.txt':
          "# kubeadm upgrade apply v1.14.0\n[upgrade/etcd] Failed to upgrade etcd: couldn't upgrade control plane. kubeadm has tried to recover everything into the earlier state. Errors faced\n",
      },
      confidence: 'possible',
    },
    etcd: {
      evidence: { 'upgrade.txt': `[root@birch ~]# kubeadm upgrade apply v1.28.3\n${failed}` },
      confidence: 'certain',
      cites: ['upgrade.txt:2'],
    },
    'the line alone': { evidence: { 'paste.txt': failed }, confidence: 'certain' },
    'an API server, recent words': {
      evidence: {
        'upgrade.txt':
          "error execution phase control-plane: couldn't complete the static pod upgrade: couldn't upgrade control plane. kubeadm has tried to recover everything into the earlier state. Errors faced: static Pod hash for component kube-apiserver on Node birch did not change after 5m0s: context deadline exceeded\n",
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it succeeded later': {
      evidence: { 'upgrade.txt': `${failed}[upgrade/successful] SUCCESS! Your cluster was upgraded to "v1.28.4". Enjoy!\n` },
      by: 'succeeded',
    },
  },
  asks: {
    'the output of kubeadm': {
      evidence: {
        'paste.txt':
          "couldn't upgrade control plane. kubeadm has tried to recover everything into the earlier state. Errors faced: timeout\n",
      },
      for: 'kubeadm-output',
    },
  },
});
