import { describe, expect, it } from 'vitest';
import type { Citation } from '../../model/citation.ts';
import type { LineSpec } from '../../model/evidence.ts';
import type { Fact, FactKind } from '../../model/facts.ts';
import type { Saying } from '../../model/reading.ts';
import { MOST_ERRORS } from './error-store.ts';
import { createEvidenceSink, type EvidenceSink } from './evidence-sink.ts';
import { createScanner } from './scanner.ts';
import { MOST_FORMS } from './signature-store.ts';

const specs: LineSpec[] = [
  { id: 'port-taken/bind', literals: ['address already in use'], pattern: /listen tcp \S*:(?<port>\d+)/, channels: ['kubelet-log'] },
];

function sink(): EvidenceSink {
  return createEvidenceSink(createScanner(specs));
}

function cite(line: number, doc = 'node.log'): Citation {
  return { doc, at: { lines: [line, line] }, quote: `line ${line}` };
}

function saying(text: string, line = 1, more: Partial<Saying> = {}): Saying {
  return { channel: 'kubelet-log', about: 'Node/a', text, cited: cite(line), ...more };
}

function of<K extends FactKind>(from: EvidenceSink, kind: K): Fact<K>[] {
  return from.evidence.facts.filter((fact) => fact.kind === kind) as Fact<K>[];
}

describe('facts', () => {
  it('merges what says the same about the same thing, with all citations', () => {
    const into = sink();
    into.fact('pod.status', 'Pod/a/b', { status: 'Pending', restarts: 0 }, cite(1), { when: 50, hearsay: true });
    into.fact('pod.status', 'Pod/a/b', { restarts: 0, status: 'Pending' }, cite(9, 'pods.json'), { when: 20 });
    into.fact('pod.status', 'Pod/a/b', { status: 'Pending', restarts: 0 }, cite(1));
    into.fact('pod.status', 'Pod/a/c', { status: 'Pending', restarts: 0 }, cite(2));
    into.fact('pod.status', 'Pod/a/b', { status: 'Pending', restarts: 1 }, cite(3));
    const [merged, ...others] = of(into, 'pod.status');
    expect(merged).toEqual({
      kind: 'pod.status',
      about: 'Pod/a/b',
      status: 'Pending',
      restarts: 0,
      when: 20,
      cited: [cite(1), cite(9, 'pods.json')],
    });
    expect(others).toHaveLength(2);
  });

  it('tells apart payloads that only look alike in print', () => {
    const into = sink();
    into.fact('pod.volume', 'Pod/a/b', { name: 'x', type: 'y' }, cite(1));
    into.fact('pod.volume', 'Pod/a/b', { name: 'x', type: 'y', source: '' }, cite(1));
    into.fact('container.last-words', 'Container/a/b/c', { lines: ['x', 'y'], clean: true }, cite(1));
    into.fact('container.last-words', 'Container/a/b/c', { lines: ['x,y'], clean: true }, cite(1));
    expect(into.evidence.facts).toHaveLength(4);
  });

  it('keeps at most 16 citations', () => {
    const into = sink();
    for (let line = 1; line <= 40; line++) into.fact('host.cgroup-version', 'Node/a', { version: 2 }, cite(line));
    expect(of(into, 'host.cgroup-version')[0]?.cited).toHaveLength(16);
  });
});

describe('known lines', () => {
  const text = 'listen tcp 0.0.0.0:10250: bind: address already in use';

  it('become one fact per line, entity, channel and fields', () => {
    const into = sink();
    for (let line = 1; line <= 20; line++) into.said(saying(text, line, { when: 1000 - line }));
    into.said(saying(text, 30, { count: 5, when: 3000 }));
    into.said(saying(text.replace('10250', '10248'), 31));
    into.said(saying(text, 32, { about: 'Node/b' }));
    into.said(saying(text, 33, { channel: 'container-log' }));
    const [first, ...others] = of(into, 'log.signature');
    expect(first).toMatchObject({ line: 'port-taken/bind', fields: { port: '10250' }, count: 25, first: 980, last: 3000, when: 980 });
    expect(first?.cited).toHaveLength(8);
    expect(others.map(({ about, channel, fields }) => [about, channel, fields['port']])).toEqual([
      ['Node/a', 'kubelet-log', '10248'],
      ['Node/b', 'kubelet-log', '10250'],
      ['Node/a', 'container-log', '10250'],
    ]);
  });

  it('stops at some hundred forms of one line about one thing', () => {
    const into = sink();
    for (let port = 1; port <= MOST_FORMS + 10; port++) into.said(saying(`listen tcp :${port}: bind: address already in use`));
    expect(of(into, 'log.signature')).toHaveLength(MOST_FORMS);
    expect(into.dropped.signatures).toBe(10);
  });

  it('can be counted again without being read', () => {
    const into = sink();
    const said = into.said(saying(text, 1, { when: 100, level: 'error' }));
    into.again(said, 7, 900);
    into.again(said);
    expect(of(into, 'log.signature')[0]).toMatchObject({ count: 9, first: 100, last: 900 });
    expect(of(into, 'log.error')[0]).toMatchObject({ count: 9 });
  });
});

describe('errors', () => {
  it('merge by entity, component and words', () => {
    const into = sink();
    into.said(saying('mount of disk 41 failed: no power', 1, { level: 'warning', when: 9 }));
    into.said(saying('mount of disk 42 failed: no power', 2, { level: 'error', when: 7, last: true }));
    into.said(saying('mount of disk 42 failed: no power', 3, { about: 'Node/b' }));
    into.said(saying('all is well', 4));
    const errors = of(into, 'log.error');
    expect(errors).toHaveLength(2);
    expect(errors[0]).toMatchObject({
      component: 'kubelet',
      level: 'error',
      count: 2,
      last: true,
      when: 7,
      ownVoice: true,
      channel: 'kubelet-log',
    });
    expect(errors[0]?.cited).toEqual([cite(1), cite(2)]);
  });

  it('know who speaks', () => {
    const into = sink();
    into.said(saying('cannot open db', 1, { channel: 'container-log', about: 'Container/a/b/c' }));
    into.said(saying('cannot start app', 2, { about: 'Pod/a/b' }));
    expect(of(into, 'log.error').map(({ ownVoice }) => ownVoice)).toEqual([true, false]);
  });

  it('leave out noise, prose and information', () => {
    const into = sink();
    into.said(saying('"Failed to get system container stats" err="failed to get cgroup stats"'));
    into.said(saying('I think the network failed', 1, { channel: 'prose' }));
    into.said(saying('connection refused, trying again', 1, { level: 'info' }));
    expect(into.evidence.facts).toEqual([]);
  });

  it('keep the gravest of too many', () => {
    const into = sink();
    const word = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    for (let i = 0; i < MOST_ERRORS; i++) into.said(saying(`${word(i)} is missing here`, i, { level: 'warning' }));
    for (let i = 0; i < MOST_ERRORS; i++) into.said(saying(`${word(i)} broke in two`, i, { level: 'error' }));
    into.said(saying('the core is gone for good', 1, { level: 'fatal' }));
    into.said(saying('one more little thing missing', 1, { level: 'warning' }));
    const levels = of(into, 'log.error').map(({ level }) => level);
    expect(levels).toHaveLength(MOST_ERRORS);
    expect(levels.filter((level) => level === 'fatal')).toHaveLength(1);
    expect(levels).not.toContain('warning');
    expect(into.dropped.errors).toBe(MOST_ERRORS + 2);
  });
});

describe('edges, coverage and pieces', () => {
  it('keeps each edge once', () => {
    const into = sink();
    for (let i = 0; i < 3; i++) into.edge({ type: 'runs-on', pod: 'Pod/a/b', node: 'Node/a' });
    into.edge({ type: 'alias', alias: 'cid:1', entity: 'Container/a/b/c' });
    into.edge({ type: 'runs-on', pod: 'Pod/a/b', node: 'Node/b' });
    expect(into.evidence.edges.map(({ type }) => type)).toEqual(['runs-on', 'alias', 'runs-on']);
  });

  it('keeps coverage and pieces', () => {
    const into = sink();
    const coverage = { channel: 'kubelet-log', about: 'Node/a', extent: 'excerpt', doc: 'a.log' } as const;
    into.cover(coverage);
    into.cover({ ...coverage });
    into.cover({ ...coverage, lines: [1, 2] });
    into.piece({ doc: 'a.log', lines: [1, 2], what: 'kubelet journal' });
    expect(into.evidence.coverage).toHaveLength(2);
    expect(into.evidence.pieces).toHaveLength(1);
  });
});
