import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const unknown =
  'error adding content digest to lease: sha256:5d0da3dc976460b72c77d94c8a1ad043720b0416bfc16c52c45d4847e53fadb6: unknown method AddResource for service containerd.services.leases.v1.Leases: not implemented';
const journal = (message: string) =>
  `Mar 04 08:10:55 plover-1 dockerd[812]: time="2024-03-04T08:10:55Z" level=error msg="Not continuing with pull after error: ${message}"\n`;

testCause(cause, {
  finds: {
    'docker asks what an old containerd does not know': {
      evidence: { 'docker.log': journal(unknown) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['docker.log:1'],
    },
    'the line alone': { evidence: { 'paste.txt': `docker pull reg.example.org/till:4 stderr: ${unknown}\n` }, confidence: 'possible' },
    'two copies': {
      evidence: {
        'docker.log': journal(unknown),
        'host.txt': '[root@plover-1 ~]# which -a containerd\n/usr/local/bin/containerd\n/usr/bin/containerd\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'containerd is not there': {
      evidence: {
        'docker.log': `${journal(unknown)}${journal('dial unix /run/containerd/containerd.sock: connect: no such file or directory')}`,
      },
      by: 'gone',
    },
  },
  asks: {
    'the log of docker': { evidence: { 'paste.txt': 'found /usr/local/bin/containerd: version 1.2.10 there\n' }, for: 'docker-log' },
  },
});
