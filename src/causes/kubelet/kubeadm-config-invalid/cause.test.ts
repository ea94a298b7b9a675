import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const old =
  '[root@birch ~]# kubeadm init --config k.yaml\nyour configuration file uses an old API spec: "kubeadm.k8s.io/v1beta1". Please use kubeadm v1.21 instead and run \'kubeadm config migrate --old-config old.yaml --new-config new.yaml\'\nTo see the stack trace of this error execute with --v=5 or higher\n';

testCause(cause, {
  finds: {
    'an old file': { evidence: { 'init.txt': old }, confidence: 'certain', place: 'node birch', cites: ['init.txt:2'] },
    'a wrong subnet': {
      evidence: {
        'init.txt':
          '[root@birch ~]# kubeadm init\nerror execution phase preflight: networking.podSubnet: Invalid value: "10.244.0.0/16/": couldn\'t parse subnet\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it worked in the end': {
      evidence: { 'init.txt': `${old}\nYour Kubernetes control-plane has initialized successfully!\n` },
      by: 'done',
    },
  },
  asks: {
    'the rest of the output': {
      evidence: { 'paste.txt': old.split('\n').slice(1, 2).join('\n') },
      for: 'kubeadm-output',
    },
  },
});
