import { describe, expect, it } from 'vitest';
import { podId } from '../../model/entity.ts';
import type { Evidence } from '../../model/evidence.ts';
import type { Fact } from '../../model/facts.ts';
import { createFactBase } from '../fact-base.ts';
import { deriveUnschedulable } from './unschedulable.ts';

const pod = podId('press', 'layout-0');
const cited = [{ doc: 'a.txt', at: { lines: [1, 1] as const }, quote: 'x' }];

function event(message: string, more: Partial<Fact<'pod.event'>> = {}): Fact {
  return { kind: 'pod.event', about: pod, cited, type: 'Warning', reason: 'FailedScheduling', message, count: 1, ...more };
}

function derived(...facts: Fact[]): readonly Fact<'pod.unschedulable'>[] {
  const evidence: Evidence = { facts, edges: [], coverage: [], pieces: [], unrecognised: [], unread: [] };
  const base = createFactBase(evidence);
  deriveUnschedulable(base);
  return base.of('pod.unschedulable', pod);
}

function leadingIn(message: string): string[] | undefined {
  return derived(event(message))[0]
    ?.reasons.filter(({ leads }) => leads)
    .map(({ count, text }) => `${count} ${text}`);
}

describe('the reasons of a refusal', () => {
  it('are counted one by one, without the tail about preemption', () => {
    const [refusal] = derived(
      event('0/5 nodes are available: 2 Insufficient cpu, 3 Too many pods. preemption: 0/5 nodes are available: 5 No victims.'),
    );
    expect(refusal).toMatchObject({
      nodes: 5,
      recent: true,
      reasons: [
        { count: 2, text: 'Insufficient cpu', leads: false },
        { count: 3, text: 'Too many pods', leads: true },
      ],
    });
  });

  it('are read in the wording of old releases', () => {
    expect(leadingIn('No nodes are available that match all of the predicates: Insufficient cpu (2), PodToleratesNodeTaints (1).')).toEqual(
      ['2 Insufficient cpu'],
    );
  });

  it('are not outweighed by a few taints without a name, which may be those of the control planes', () => {
    expect(
      leadingIn(
        '0/5 nodes are available: 2 node(s) did not have enough free storage, 3 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling.',
      ),
    ).toEqual(['2 node(s) did not have enough free storage']);
    expect(leadingIn('0/9 nodes are available: 1 Insufficient cpu, 8 node(s) had untolerated taint(s).')).toEqual([
      '8 node(s) had untolerated taint(s)',
    ]);
  });

  it('keep the commas inside a reason', () => {
    expect(leadingIn("0/2 nodes are available: 2 node(s) had taint {disk: slow}, that the pod didn't tolerate.")).toEqual([
      "2 node(s) had taint {disk: slow}, that the pod didn't tolerate",
    ]);
  });

  it('hold for all nodes where no number is given', () => {
    expect(leadingIn('0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.')).toEqual([
      '3 pod has unbound immediate PersistentVolumeClaims',
    ]);
  });

  it('are none where there are no nodes', () => {
    expect(derived(event('no nodes available to schedule pods'))[0]).toMatchObject({ nodes: 0, reasons: [] });
    expect(derived(event('0/0 nodes are available.'))[0]).toMatchObject({ nodes: 0, reasons: [] });
  });
});

describe('the reason that leads', () => {
  it('is not the taint of the control planes beside another one', () => {
    expect(
      leadingIn('0/4 nodes are available: 1 Insufficient cpu, 3 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }.'),
    ).toEqual(['1 Insufficient cpu']);
  });

  it('is the taint of the control planes where nothing else is said', () => {
    expect(leadingIn('0/1 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/master: }.')).toHaveLength(1);
  });

  it('may be several taints together', () => {
    const message =
      '0/5 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient cpu, 2 node(s) had untolerated taint {c: d}.';
    expect(leadingIn(message)).toHaveLength(3);
    expect(leadingIn(message.replace('2 Insufficient', '4 Insufficient'))).toEqual(['4 Insufficient cpu']);
  });

  it('is the trouble of a node rather than a selector that leaves out the others', () => {
    const unchosen = "4 node(s) didn't match Pod's node affinity/selector";
    const taint = '1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }';
    expect(leadingIn(`0/5 nodes are available: ${taint}, ${unchosen}.`)).toEqual([taint]);
    expect(leadingIn(`0/5 nodes are available: 1 node(s) had untolerated taint {team: a}, ${unchosen}.`)).toEqual([unchosen]);
  });

  it('is what keeps the pod from the nodes it chose', () => {
    const unchosen = "12 node(s) didn't match Pod's node affinity/selector";
    expect(leadingIn(`0/15 nodes are available: ${unchosen}, 3 Insufficient cpu.`)).toEqual(['3 Insufficient cpu']);
    expect(leadingIn(`0/15 nodes are available: ${unchosen}, 3 Insufficient cpu, 3 Insufficient memory.`)).toHaveLength(2);
    const conflict = '3 node(s) had volume node affinity conflict';
    expect(leadingIn(`0/15 nodes are available: ${unchosen}, ${conflict}.`)).toEqual([conflict]);
    // Old schedulers count a node once for each reason.
    expect(leadingIn("0/3 nodes are available: 2 Insufficient cpu, 3 node(s) didn't match node selector.")).toEqual([
      "3 node(s) didn't match node selector",
    ]);
  });

  it('is shared in a tie', () => {
    expect(leadingIn('0/4 nodes are available: 2 Insufficient cpu, 2 node(s) were unschedulable.')).toHaveLength(2);
  });
});

describe('the sources of a refusal', () => {
  const message = '0/2 nodes are available: 2 Insufficient cpu.';

  it('are of the past when the scheduler would have tried again since', () => {
    expect(derived(event(message, { lastAgo: 900 }))[0]?.recent).toBe(false);
  });

  it('make one fact where they say the same', () => {
    const condition: Fact = { kind: 'pod.condition', about: pod, cited, type: 'PodScheduled', status: 'False', message };
    const line: Fact = {
      kind: 'log.signature',
      about: pod,
      cited,
      line: 'some/line',
      channel: 'control-plane-log',
      fields: { refusal: `${message}"` },
      count: 1,
    };
    const facts = derived(event(message, { lastAgo: 900 }), condition, line);
    expect(facts).toHaveLength(1);
    expect(facts[0]).toMatchObject({ recent: true, cited: [...cited, ...cited] });
    expect(derived(line)[0]).toMatchObject({ nodes: 2, recent: false });
  });

  it('stay hearsay', () => {
    expect(derived(event(message, { hearsay: true }))[0]?.hearsay).toBe(true);
    expect(derived(event(message))[0]?.hearsay).toBeUndefined();
  });

  it('may be hostile', () => {
    expect(derived(event(`0/2 nodes are available: ${'1 a, '.repeat(100_000)}`))[0]?.reasons.length).toBeLessThan(1000);
  });
});
