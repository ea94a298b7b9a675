import { describe, expect, it } from 'vitest';
import type { Look, Patient } from './judge.ts';
import { watch } from './watch.ts';

const pod = (state: string, restarts = 0): Patient => ({ id: 'Pod/shop/web-1', name: 'shop/web-1', state, restarts });
const well = (restarts = 0): Look => ({ shows: false, sick: [], pods: [pod('Running', restarts)] });
const sick: Look = { shows: false, sick: [pod('CrashLoopBackOff', 3)], pods: [pod('CrashLoopBackOff', 3)] };
const shows: Look = { ...well(), shows: true };

/** Looks one after the other, the last again and again; time passes only by waiting. */
function play(looks: readonly Look[], whole: Look = looks.at(-1) ?? well()) {
  let time = 0;
  let at = 0;
  return watch(async (isWhole) => (isWhole ? whole : (looks[Math.min(at++, looks.length - 1)] ?? well())), {
    quietSeconds: 60,
    patienceSeconds: 120,
    everySeconds: 10,
    now: () => time,
    pause: async (milliseconds) => {
      time += milliseconds;
    },
  });
}

describe('watching a fix', () => {
  it('is fixed when the trouble stays away for the quiet time', async () => {
    expect(await play([well()])).toMatchObject({ judgement: 'fixed', quietSeconds: 60 });
  });

  it('waits for pods to recover first', async () => {
    expect(await play([sick, sick, sick, well(3)])).toMatchObject({ judgement: 'fixed' });
  });

  it('is not fixed when pods do not recover', async () => {
    expect(await play([sick])).toMatchObject({ judgement: 'not-fixed', says: 'shop/web-1 is still unwell: CrashLoopBackOff' });
  });

  it('is not fixed while the cause shows', async () => {
    expect(await play([shows])).toMatchObject({ judgement: 'not-fixed', says: 'the cause still shows' });
  });

  it('begins the quiet time anew after a restart', async () => {
    expect(await play([well(0), well(0), well(1), well(1)])).toMatchObject({ judgement: 'fixed' });
  });

  it('gives up on a pod that restarts again and again', async () => {
    const looks = Array.from({ length: 60 }, (_, index) => well(index));
    expect(await play(looks)).toMatchObject({ judgement: 'not-fixed', says: 'shop/web-1 restarts again and again' });
  });

  it('believes the host in the end, not only the pods', async () => {
    expect(await play([well()], shows)).toMatchObject({ judgement: 'not-fixed', says: 'the cause still shows' });
  });

  it('does not know without any pod and without a word of the cause', async () => {
    expect(await play([{ shows: false, sick: [], pods: [] }])).toMatchObject({ judgement: 'unknown' });
  });

  it('looks only at what was written down since the last look, and in the end since the quiet began', async () => {
    const asked: unknown[] = [];
    const answers = [sick, sick];
    let time = 0;
    const pause = async (milliseconds: number) => {
      time += milliseconds;
    };
    const look = async (whole: boolean, since?: number) => {
      asked.push([whole, since]);
      return answers.shift() ?? well(3);
    };
    await watch(look, { quietSeconds: 20, patienceSeconds: 120, everySeconds: 10, now: () => time, pause });
    expect(asked).toEqual([
      [false, undefined],
      [false, 0],
      [false, 10_000],
      [false, 20_000],
      [false, 20_000],
      [true, 20_000],
    ]);
  });
});
