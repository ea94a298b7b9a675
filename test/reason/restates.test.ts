import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/causes/catalogue.ts';
import { defineCause, line, minutes, proves } from '../../src/causes/define-cause.ts';
import { diagnose } from '../../src/diagnose.ts';

/** Nobody declares it a reason of programs that end: it is not in any list. */
const unheardOf = defineCause({
  id: 'house-stamp-missing',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed'],
  text: { name: 'Stamp missing', title: 'The house stamp is missing', why: 'The program ends without the stamp of the house.' },
  clues: { stamp: proves(line(['no stamp of the house'], 'container-log')) },
  says: { stamp: 'the program misses the stamp' },
  slots: () => ({}),
  fixes: [],
  verify: { quietForMinutes: minutes(5) },
});

const LOG = '$ kubectl -n quay logs press-0 --previous\nstarting up\nError: no stamp of the house, giving up\n';
const POD = `$ kubectl -n quay describe pod press-0
Name:             press-0
Namespace:        quay
Node:             cedar-1/10.0.0.5
Status:           Running
Containers:
  press:
    Image:          registry.example/press:1
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
      Started:      Mon, 02 Mar 2026 10:00:00 +0000
      Finished:     Mon, 02 Mar 2026 10:00:01 +0000
    Ready:          False
    Restart Count:  6
`;

async function answer(text: string, causes = [...catalogue, unheardOf]) {
  const [first] = (await diagnose([{ name: 'term.txt', text }], { causes })).incidents;
  return { cause: first?.cause, chain: first?.chain?.map(({ cause }) => cause) };
}

describe('a cause that only says that something failed', () => {
  it('stands behind one that says why, though no list names it', async () => {
    const { cause, chain } = await answer(POD + LOG);
    expect(cause).toBe('house-stamp-missing');
    expect(chain).toContain('app-exits-nonzero-at-start');
  });

  it('answers where nobody says why', async () => {
    expect((await answer(POD + LOG, [...catalogue])).cause).toBe('app-exits-nonzero-at-start');
  });

  it('gives way in a log alone as well', async () => {
    expect((await answer(LOG)).cause).toBe('house-stamp-missing');
  });
});
