import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const daemon = (error: string) =>
  `Mar 04 08:10:57 elm-3 dockerd[1102]: time="2025-03-04T08:10:57.627082774Z" level=fatal msg="Error starting daemon: Error initializing network controller: ${error}"\n`;
const ended = 'Mar 04 08:10:57 elm-3 systemd[1]: docker.service: main process exited, code=exited, status=1/FAILURE\n';
const other = daemon(
  'Error creating default \\"bridge\\" network: bridge IPv4 (172.17.42.1) does not match requested configuration 10.1.23.1',
);
const found = (text: string) => ({ evidence: { 'journal.txt': text }, confidence: 'certain', place: 'node elm-3' }) as const;

testCause(cause, {
  finds: {
    'an old address': found(other + ended),
    'a bridge that is not there': found(
      daemon('Error creating default \\"bridge\\" network: bridge device with non default name br-pods must be created manually'),
    ),
    'no range is free': found(
      daemon('list bridge addresses failed: PredefinedLocalScopeDefaultNetworks List: [172.17.0.0/16 172.18.0.0/16]: no available network'),
    ),
    'two networks of the same range': found(
      daemon(
        'Error creating default \\"bridge\\" network: cannot create network 1a2b (docker0): conflicts with network 3c4d (docker0): networks have same bridge name',
      ),
    ),
    'a kernel without bridges': found(daemon('Error creating default \\"bridge\\" network: operation not supported')),
  },
  rulesOut: {
    'Docker fails over its volumes': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch dockerd[412]: failed to start daemon: error while opening volume store metadata database: timeout\n',
      },
      by: 'otherwise',
    },
    'iptables is at fault': {
      evidence: {
        'journal.txt':
          other +
          daemon('error obtaining controller instance: failed to create NAT chain DOCKER: iptables failed: iptables -t nat -N DOCKER'),
      },
      by: 'rules',
    },
    'it has started since': {
      evidence: {
        'journal.txt': `${other}Mar 04 08:12:57 elm-3 dockerd[1190]: time="2025-03-04T08:12:57Z" level=info msg="Daemon has completed initialization"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'the journal of Docker': { evidence: { 'journal.txt': ended }, for: 'docker-log' } },
});
