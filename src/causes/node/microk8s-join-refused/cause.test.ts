import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const name =
  'Contacting cluster at 10.8.0.4\nConnection failed. the hostname (elm-2) of the joining node does not resolve to the IP "10.8.0.9". Refusing join (400).\n';

testCause(cause, {
  finds: {
    'a name not known': { evidence: { 'paste.txt': name }, confidence: 'certain' },
    'a used token': {
      evidence: { 'paste.txt': '# microk8s join 10.8.0.4:25000/aa/bb\nConnection failed. invalid token (500).\n' },
      confidence: 'certain',
    },
    'a member of before': {
      evidence: {
        'paste.txt':
          'Contacting cluster at 10.8.0.4\nConnection failed. failed to retrieve dqlite cluster nodes: the joining node (10.8.0.9) is already known to dqlite (500).\n',
      },
      confidence: 'certain',
    },
    'run on the first node': {
      evidence: {
        'paste.txt':
          'Contacting cluster at 10.8.0.4\nConnection failed. the joining node has the same IP (10.8.0.4) as the node we contact (503).\n',
      },
      confidence: 'possible',
    },
    'another certificate': {
      evidence: {
        'paste.txt':
          "Joining cluster failed. Could not verify the identity of 10.8.0.4. Use '--skip-verify' to skip server certificate check.\n",
      },
      confidence: 'certain',
    },
    'words we do not know': {
      evidence: { 'paste.txt': 'Contacting cluster at 10.8.0.4\nConnection failed. The moon is full (502).\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it joined': {
      evidence: { 'paste.txt': `${name}The node has joined the cluster and will appear in the nodes list in a few seconds.\n` },
      by: 'joined',
    },
  },
  asks: { 'nothing shown of the agent': { evidence: { 'paste.txt': 'Connection failed. The moon is full (502).\n' }, for: 'host-tools' } },
});
