import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubectl = (words: string) => `$ kubectl logs till-0\nError from server: ${words}\n`;
const none = kubectl('error dialing backend: No agent available');

testCause(cause, {
  finds: {
    'no agent': { evidence: { 'terminal.txt': none }, confidence: 'certain' },
    'the tunnels of old': {
      evidence: {
        'terminal.txt': kubectl(
          'error dialing backend: No SSH tunnels currently open. Were the targets able to accept an ssh-key for user "gke-7f3a"?',
        ),
      },
      confidence: 'certain',
    },
    'a server that is gone': {
      evidence: {
        'terminal.txt': kubectl(
          'error dialing backend: dial unix /etc/kubernetes/konnectivity-server/konnectivity-server.socket: connect: no such file or directory',
        ),
      },
      confidence: 'certain',
    },
    'an agent that cannot get out': {
      evidence: {
        'agent.log':
          '$ kubectl -n kube-system logs konnectivity-agent-5c9d8b7f6-r4m2k\nE0304 08:10:57.118204       1 clientset.go:193] "cannot connect once" err="rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial tcp 203.0.113.7:8132: i/o timeout\\""\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a kubelet that is called directly': {
      evidence: { 'terminal.txt': `${none}${kubectl('error dialing backend: dial tcp 10.2.0.11:10250: i/o timeout')}` },
      by: 'direct',
    },
  },
  asks: { 'what kubectl says': { evidence: { 'note.txt': 'error dialing backend: No agent available\n' }, for: 'objects' } },
});
