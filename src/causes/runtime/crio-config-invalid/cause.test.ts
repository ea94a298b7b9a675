import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const said = (message: string) => `Mar 04 08:10:57 birch crio[2899]: time="2025-03-04 08:10:57.955432575Z" level=fatal msg="${message}"\n`;
const ended = `Mar 04 08:10:57 birch systemd[1]: crio.service: Main process exited, code=exited, status=1/FAILURE
Mar 04 08:10:57 birch systemd[1]: Failed to start Container Runtime Interface for OCI (CRI-O).
`;

testCause(cause, {
  finds: {
    'no runc, newer words': {
      evidence: {
        'journal.txt': said(
          'validating runtime config: runtime validation: \\"runc\\" not found in $PATH: exec: \\"runc\\": executable file not found in $PATH',
        ),
      },
      confidence: 'certain',
    },
    'a cgroup of conmon that does not fit the manager': {
      evidence: { 'journal.txt': said("Validating runtime config: cgroupfs manager conmon cgroup should be 'pod' or empty") + ended },
      confidence: 'certain',
      place: 'node birch',
      cites: ['journal.txt:1'],
    },
    'and with systemd': {
      evidence: { 'journal.txt': said("validating runtime config: conmon cgroup should be 'pod' or a systemd slice") },
      confidence: 'certain',
    },
    'no conmon': {
      evidence: {
        'journal.txt':
          said('library config validation: runtime config: invalid conmon path: stat /usr/libexec/crio/conmon: no such file or directory') +
          ended,
      },
      confidence: 'certain',
      place: 'node birch',
      cites: ['journal.txt:1'],
    },
  },
  rulesOut: {
    'it runs': {
      evidence: {
        'journal.txt': `${said('config validation: invalid conmon path: stat /usr/libexec/crio/conmon: no such file or directory')}Mar 04 08:20:57 birch systemd[1]: Starting CRI-O, version 1.28: crio.service - CRI-O is active (running)\n`,
      },
      by: 'running',
    },
  },
  asks: { 'the journal of CRI-O': { evidence: { 'journal.txt': ended }, for: 'crio-log' } },
});
