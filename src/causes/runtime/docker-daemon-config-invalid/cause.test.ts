import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const twice =
  'Mar 04 08:10:57 birch dockerd[26519]: unable to configure the Docker daemon with file /etc/docker/daemon.json: the following directives are specified both as a flag and in the configuration file: hosts: (from flag: [fd://], from file: [tcp://0.0.0.0:2376 fd://])\n';
const ended = `Mar 04 08:10:57 birch systemd[1]: docker.service: Main process exited, code=exited, status=1/FAILURE
Mar 04 08:10:57 birch systemd[1]: Failed to start Docker Application Container Engine.
`;

testCause(cause, {
  finds: {
    'a directive given twice': {
      evidence: { 'journal.txt': twice + ended },
      confidence: 'certain',
      place: 'node birch',
      cites: ['journal.txt:1'],
    },
    'no JSON, from a terminal': {
      evidence: {
        'paste.txt':
          "unable to configure the Docker daemon with file /etc/docker/daemon.json: invalid character '}' looking for beginning of object key string\n",
      },
      confidence: 'certain',
    },
    'a flag of another version': {
      evidence: { 'journal.txt': "Mar 04 08:10:57 birch dockerd[26519]: unknown flag: --graph See 'dockerd --help'.\n" },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it is up': {
      evidence: {
        'journal.txt': `${twice}Mar 04 08:20:57 birch dockerd[26601]: time="2025-03-04T08:20:57Z" level=info msg="Daemon has completed initialization"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'the journal of Docker': { evidence: { 'journal.txt': ended }, for: 'docker-log' } },
});
