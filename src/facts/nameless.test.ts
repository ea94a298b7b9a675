import { describe, expect, it } from 'vitest';
import type { Evidence } from '../model/evidence.ts';
import type { Fact } from '../model/facts.ts';
import { adoptNameless } from './nameless.ts';

const cited = (doc: string) => [{ doc, at: { lines: [1, 1] as const }, quote: '' }];
const event = (doc: string, reason: string): Fact => ({
  kind: 'pod.event',
  about: 'Pod/?/?',
  type: 'Warning',
  reason,
  message: '',
  count: 1,
  cited: cited(doc),
});
const status = (pod: string, text: string): Fact => ({ kind: 'pod.status', about: pod, status: text, cited: cited('pods.txt') });
const evidence = (...facts: Fact[]): Evidence => ({ facts, edges: [], coverage: [], pieces: [], unrecognised: [], unread: [] });

describe('events without their pod', () => {
  it('go to the only pod in a state that fits', () => {
    const orphan = event('events.txt', 'FailedScheduling');
    const all = evidence(
      orphan,
      status('Pod/a/dns-6fdb8f5699-dq7xw', 'Pending'),
      status('Pod/a/dns-6fdb8f5699-z57jw', 'Pending'),
      status('Pod/a/web-0', 'Running'),
    );
    expect(adoptNameless(all).get(orphan)).toBe('Pod/a/dns-6fdb8f5699-dq7xw');
  });

  it('stay without one where two workloads fit', () => {
    const orphan = event('events.txt', 'FailedScheduling');
    expect(adoptNameless(evidence(orphan, status('Pod/a/dns-6fdb8f5699-dq7xw', 'Pending'), status('Pod/a/web-0', 'Pending'))).size).toBe(0);
  });

  it('go to the pod their own document names', () => {
    const orphan = event('pods.txt', 'Killing');
    expect(adoptNameless(evidence(orphan, status('Pod/a/web-0', 'Running'))).get(orphan)).toBe('Pod/a/web-0');
  });

  it('are never given to a pod by its mere presence', () => {
    const orphan = event('events.txt', 'FailedScheduling');
    expect(adoptNameless(evidence(orphan, status('Pod/a/web-0', 'Running'))).size).toBe(0);
  });
});
