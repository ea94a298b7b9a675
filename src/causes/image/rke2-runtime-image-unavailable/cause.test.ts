import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const fatal = (why: string) =>
  `Mar 02 10:11:12 elm-1 rke2[811]: time="2026-03-02T10:11:12Z" level=fatal msg="preparing runtime: failed to get runtime image index.docker.io/rancher/rke2-runtime:v1.30.2-rke2r1: ${why}"\n`;

testCause(cause, {
  finds: {
    'no way to the registry': {
      evidence: { 'journal.txt': fatal('Get \\"https://index.docker.io/v2/\\": dial tcp 192.0.2.7:443: i/o timeout') },
      confidence: 'certain',
    },
    throttled: { evidence: { 'journal.txt': fatal('TOOMANYREQUESTS: You have reached your pull rate limit.') }, confidence: 'certain' },
    'for another reason': {
      evidence: {
        'journal.txt': `Mar 02 10:11:10 elm-1 rke2[811]: time="2026-03-02T10:11:10Z" level=info msg="Pulling runtime image index.docker.io/rancher/rke2-runtime:v1.30.2-rke2r1"\n${fatal('of its own')}`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it unpacks': {
      evidence: {
        'journal.txt': `${fatal('EOF')}Mar 02 10:13:10 elm-1 rke2[900]: time="2026-03-02T10:13:10Z" level=info msg="Extracting file bin/kubelet to /var/lib/rancher/rke2/data/v1.30.2-rke2r1/bin/kubelet"\n`,
      },
      by: 'ready',
    },
  },
  asks: { 'its journal': { evidence: { 'journal.txt': fatal('of its own') }, for: 'kubelet-log' } },
});
