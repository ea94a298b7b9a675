import { describe, expect, it } from 'vitest';
import { defineScenario, namespaceOf, type Scenario } from '../scenario.ts';
import { pasted, podsOf } from './evidence.ts';
import { caseOf, liveArguments } from './record.ts';

const until = { what: 'it is so', withinSeconds: 1, holds: async () => true };
const base: Scenario = { id: 'some-fault', title: 'Some fault', on: 'cluster', until, expect: 'healthy' };

describe('defineScenario', () => {
  it.each(['Some', 'some_fault', '-some', ''])('refuses the id %j', (id) => {
    expect(() => defineScenario({ ...base, id })).toThrow('kebab case');
  });

  it('gives every scenario a namespace of its own', () => {
    expect(namespaceOf(defineScenario(base))).toBe('lab-some-fault');
  });
});

describe('caseOf', () => {
  it('expects the incident first and lets others follow', () => {
    const incident = { cause: 'x', place: 'node worker-a', confidence: 'certain' as const, victims: 2 };
    expect(JSON.parse(caseOf({ ...base, expect: incident, never: ['y'] }))).toEqual({
      title: 'Some fault',
      verdict: 'found',
      incidents: [incident],
      never: ['y'],
      more: true,
    });
  });

  it('leaves a number of victims open that is open', () => {
    const incident = { cause: 'x', place: 'node worker-a', confidence: 'certain' as const, victims: { atLeast: 2 } };
    expect(JSON.parse(caseOf({ ...base, expect: incident })).incidents).toEqual([
      { cause: 'x', place: 'node worker-a', confidence: 'certain' },
    ]);
  });

  it('expects nothing of a healthy one', () => {
    expect(JSON.parse(caseOf(base))).toEqual({ title: 'Some fault', verdict: 'healthy', incidents: [] });
  });
});

describe('liveArguments', () => {
  it('looks at the namespace, and takes the host in where the scenario has it', () => {
    expect(liveArguments(base)).toEqual(['-n', 'lab-some-fault']);
    expect(liveArguments({ ...base, live: ['-A'], host: ['worker-a'] })).toEqual(['-A', '--stdin']);
  });
});

describe('evidence', () => {
  it('is pasted with its prompt, errors included', () => {
    const text = pasted('root@worker-a:~#', 'systemctl status x', { code: 4, stdout: '', stderr: 'Unit x.service could not be found.\n' });
    expect(text).toBe('root@worker-a:~# systemctl status x\nUnit x.service could not be found.\n');
  });

  it('tells which containers have a log, now and before', () => {
    const status = {
      initContainerStatuses: [{ name: 'one', restartCount: 2, containerID: 'containerd://1' }],
      containerStatuses: [{ name: 'app', restartCount: 0 }],
    };
    expect(
      podsOf(
        JSON.stringify({
          items: [
            { metadata: { name: 'p' }, status },
            { metadata: { name: 'q' }, status: {} },
          ],
        }),
      ),
    ).toEqual([
      {
        name: 'p',
        containers: [
          { name: 'one', restarts: 2, started: true },
          { name: 'app', restarts: 0, started: false },
        ],
      },
      { name: 'q', containers: [] },
    ]);
  });
});
