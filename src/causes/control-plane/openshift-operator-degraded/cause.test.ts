import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const table = (...rows: string[]) =>
  `$ oc get co\nNAME   VERSION   AVAILABLE   PROGRESSING   DEGRADED   SINCE   MESSAGE\n${rows.map((row) => `${row}\n`).join('')}`;
const etcd =
  'etcd   4.15.2    True        False         True       11d     EtcdMembersDegraded: 2 of 3 members are available, birch is unhealthy';

testCause(cause, {
  finds: {
    'a row of the table': { evidence: { 'co.txt': table(etcd) }, confidence: 'certain', place: 'the cluster' },
    'the installer': {
      evidence: {
        'install.log':
          'ERROR Cluster operator image-registry Available is False with NoReplicasAvailable: Available: The deployment does not exist\n',
      },
      confidence: 'possible',
    },
    'an upgrade that waits': {
      evidence: {
        'cv.txt': 'Unable to apply 4.15.2: the cluster operator kube-apiserver has not yet successfully rolled out\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it ended well': { evidence: { 'co.txt': `${table(etcd)}INFO Install complete!\n` }, by: 'done' },
  },
  asks: {
    'the operators': { evidence: { 'note.txt': 'it says the cluster operator console is degraded since then\n' }, for: 'objects' },
  },
});

it('says what the message means', async () => {
  const { incidents } = await diagnose([{ name: 'co.txt', text: table(etcd) }], { causes: [cause] });
  expect(incidents[0]?.title).toContain('a member of etcd does not run');
});
