import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const start = '[root@birch ~]# systemctl start kubelet\nFailed to start kubelet.service: Unit kubelet.service not found.\n';

testCause(cause, {
  finds: {
    'no kubelet': { evidence: { 'terminal.txt': start }, confidence: 'probable' },
    'an older systemd': {
      evidence: { 'terminal.txt': '[root@birch ~]# systemctl restart docker\nFailed to restart docker.service: Unit not found.\n' },
      confidence: 'probable',
    },
    'it cannot be enabled': {
      evidence: {
        'terminal.txt': '[root@birch ~]# systemctl enable crio\nFailed to enable unit: Unit file crio.service does not exist.\n',
      },
      confidence: 'probable',
    },
    'only asked for': {
      evidence: { 'terminal.txt': '[root@birch ~]# systemctl status kubelet\nUnit kubelet.service could not be found.\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a node of k3s': {
      evidence: {
        'terminal.txt': start,
        'journal.txt': 'Mar 04 08:10:57 birch systemd[1]: k3s.service: Scheduled restart job, restart counter is at 4.\n',
      },
      by: 'bundled',
    },
    'installed since': {
      evidence: {
        'terminal.txt': `${start}[root@birch ~]# systemctl status kubelet
● kubelet.service - kubelet: The Kubernetes Node Agent
   Loaded: loaded (/usr/lib/systemd/system/kubelet.service; enabled; vendor preset: disabled)
   Active: active (running) since Tue 2025-03-04 08:20:57 UTC; 2h 3min ago
`,
      },
      by: 'there',
    },
  },
  asks: { 'the state of the unit': { evidence: { 'terminal.txt': start }, for: 'unit.state' } },
});
