import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const client = 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n';
const job = 'Job for docker.service failed because the control process exited with error code.\n';

testCause(cause, {
  finds: {
    'the client gets no answer': { evidence: { 'paste.txt': client }, confidence: 'possible' },
    'systemd could not start it': { evidence: { 'paste.txt': job }, confidence: 'possible' },
    'by its unit': {
      evidence: {
        'status.txt': `● crio.service - Container Runtime Interface for OCI (CRI-O)
   Loaded: loaded (/usr/lib/systemd/system/crio.service; enabled)
   Active: failed (Result: exit-code) since Mon 2026-03-02 10:11:12 UTC; 3s ago
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it says why': { evidence: { 'paste.txt': `${job}failed to start daemon: something of its own\n` }, by: 'words' },
    'it came up': {
      evidence: {
        'journal.txt': `${job}Mar 02 10:12:12 elm-2 dockerd[811]: time="2026-03-02T10:12:12Z" level=info msg="Daemon has completed initialization"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'its journal': { evidence: { 'paste.txt': job }, for: 'docker-log' } },
});
