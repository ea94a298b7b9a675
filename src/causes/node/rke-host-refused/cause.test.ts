import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const failed = (why: string) => `INFO[0000] [dialer] Setup tunnel for host [192.0.2.10]
WARN[0000] Failed to set up SSH tunneling for host [192.0.2.10]: ${why}
`;
const info = 'Can\'t retrieve Docker Info: error during connect: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.24/info": ';
const end = 'FATA[0000] Cluster must have at least one etcd plane host: please specify one or more etcd in cluster config\n';

testCause(cause, {
  finds: {
    'a version it does not take': {
      evidence: {
        'rancher.txt':
          '2025/03/04 08:10:57 [ERROR] cluster [c-b2gg9] provisioning: Failed to set up SSH tunneling for host [192.0.2.10]: Unsupported Docker version found [17.09.1-ce], supported versions are [1.12.6 1.13.1 17.03.2]\n',
      },
      confidence: 'certain',
    },
    'no login': {
      evidence: {
        'rke.txt': `${failed(`${info}Unable to access node with address [192.0.2.10:22] using SSH. Error: ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain`)}${end}`,
      },
      confidence: 'certain',
    },
    'no forwarding': {
      evidence: { 'rke.txt': failed(`${info}ssh: rejected: administratively prohibited (open failed)`) },
      confidence: 'certain',
    },
    'it does not say why': { evidence: { 'rke.txt': `${failed('unknown reason')}${end}` }, confidence: 'possible' },
  },
  rulesOut: {
    'built since': {
      evidence: { 'rke.txt': `${failed(`${info}EOF`)}INFO[0412] Finished building Kubernetes cluster successfully\n` },
      by: 'built',
    },
  },
  asks: { 'the log of Rancher': { evidence: { 'ps.txt': 'Cluster must have at least one etcd plane host\n' }, for: 'container-log' } },
});
