import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonReader } from './json-reader.ts';
import { TestSink } from './test-sink.ts';

function read(text: string | readonly string[], from = 0, command?: string) {
  const lines = typeof text === 'string' ? text.split('\n') : text;
  const sink = new TestSink();
  const end = jsonReader.read(lines, from, { doc: 'paste.txt', ...(command ? { command } : {}) }, sink);
  return { sink, end };
}

function pod(name: string, restarts = 0) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'mill' },
    spec: { nodeName: 'wheel-1', containers: [{ name: 'grind', image: 'registry.example/grind:2' }] },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'grind',
          ready: restarts === 0,
          restartCount: restarts,
          state: restarts ? { waiting: { reason: 'CrashLoopBackOff' } } : { running: { startedAt: '2025-02-02T02:02:02Z' } },
        },
      ],
    },
  };
}

const LIST = { apiVersion: 'v1', kind: 'List', items: [pod('a', 3), pod('b'), pod('c', 1)] };

describe('jsonReader', () => {
  it('reads an object and returns the line after it', () => {
    const text = ['before', ...JSON.stringify(pod('a', 2), null, 4).split('\n'), '', 'after'];
    const { sink, end } = read(text, 1);
    expect(text[end]).toBe('');
    expect(sink.one('pod.status')).toMatchObject({ about: 'Pod/mill/a', status: 'CrashLoopBackOff' });
  });

  it('cites pointer and lines', () => {
    const lines = JSON.stringify(pod('a', 2), null, 2).split('\n');
    const [cited] = read(lines).sink.one('container.waiting').cited;
    expect(cited?.at).toMatchObject({ pointer: '/status/containerStatuses/0/state/waiting' });
    const [first = 0, last = 0] = cited?.at.lines ?? [];
    expect(
      lines
        .slice(first - 1, last)
        .join('\n')
        .trim(),
    ).toBe('"waiting": {\n            "reason": "CrashLoopBackOff"\n          }');
  });

  it('reads several objects one after another, compact and pretty', () => {
    const text = [JSON.stringify(pod('a', 1)), JSON.stringify(pod('b', 1), null, 2), JSON.stringify(pod('c', 1))].join('\n');
    const { sink, end } = read(text);
    expect(sink.all('pod.status').map((fact) => fact.about)).toEqual(['Pod/mill/a', 'Pod/mill/b', 'Pod/mill/c']);
    expect(end).toBe(text.split('\n').length);
  });

  it('takes only the last state of an object that a watch printed again', () => {
    const text = [JSON.stringify({ type: 'ADDED', object: pod('a', 5) }), JSON.stringify({ type: 'MODIFIED', object: pod('a') })].join(
      '\n',
    );
    const { sink } = read(text);
    expect(sink.one('pod.status')).toMatchObject({ status: 'Running', restarts: 0 });
    expect(sink.one('pod.status').cited[0]?.at).toMatchObject({ pointer: '/object/status', lines: [2, 2] });
  });

  it('keeps the whole items of a list that breaks off', () => {
    const lines = JSON.stringify(LIST, null, 4).split('\n');
    const cut = lines.slice(
      0,
      lines.findLastIndex((line) => line.includes('"phase"')),
    );
    const { sink, end } = read(cut);
    expect(
      sink
        .all('pod.status')
        .map((fact) => fact.about)
        .sort(),
    ).toEqual(['Pod/mill/a', 'Pod/mill/b']);
    expect(end).toBe(cut.length);
  });

  it('closes the brackets of a single object that breaks off, without guessing its status', () => {
    const lines = JSON.stringify(pod('a', 3), null, 4).split('\n');
    const { sink } = read(
      lines.slice(
        0,
        lines.findIndex((line) => line.includes('"status"')),
      ),
    );
    expect(sink.one('container.spec').image).toBe('registry.example/grind:2');
    expect(sink.all('pod.status')).toEqual([]);
  });

  it('reads over elided lines, lost commas and a prose end', () => {
    const text = `{
  "apiVersion": "v1",
  "kind": "Pod",
  "metadata": {
    ...
    "name": "a"
    "namespace": "mill",
  },
  "spec": {
    ...
  "status": {
    "phase": "Pending",
    "containerStatuses": [ { "name": "grind", "restartCount": 0, "state": { "waiting": { "reason": "ImagePullBackOff" } } } ]
  }
This is what I see.`;
    const { sink, end } = read(text);
    expect(sink.one('container.waiting')).toMatchObject({ about: 'Container/mill/a/grind', reason: 'ImagePullBackOff' });
    expect(text.split('\n')[end]).toBe('This is what I see.');
  });

  it('joins strings that a narrow terminal broke', () => {
    const text = `{
  "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a", "namespace": "mill" },
  "status": { "phase": "Pending", "conditions": [ { "type": "PodScheduled", "status": "False", "message": "0/3 nodes are avail
able: 3 Insufficient memory." } ] }
}`;
    expect(read(text).sink.sayings.map((saying) => saying.text)).toEqual(['0/3 nodes are available: 3 Insufficient memory.']);
  });

  it('leaves a prompt that is glued to the last bracket', () => {
    const lines = JSON.stringify(pod('a', 1), null, 2).split('\n');
    lines[lines.length - 1] = '}ops@wheel-1:~$ kubectl get nodes';
    expect(read(lines).end).toBe(lines.length - 1);
  });

  it('reads quoted text', () => {
    const lines = JSON.stringify(pod('a', 1), null, 2)
      .split('\n')
      .map((line) => `> ${line}`);
    const { sink, end } = read([...lines, 'thanks']);
    expect(sink.one('container.waiting').cited[0]?.at.lines).toBeDefined();
    expect(end).toBe(lines.length);
  });

  it('covers selected objects by name', () => {
    const items = Array.from({ length: 30 }, (_, index) => pod(`p-${index}`));
    const text = JSON.stringify({ ...LIST, items });
    expect(read(text, 0, 'kubectl get pods -l app=x -o json').sink.coverage).toHaveLength(60);
    expect(read(text, 0, 'kubectl get pods -n mill -o json').sink.coverage).toHaveLength(2);
  });
});

describe('fragments', () => {
  it('reads container statuses alone, for the pod the command names', () => {
    const text = JSON.stringify(pod('a', 4).status.containerStatuses);
    const { sink } = read(text, 0, "kubectl get pod a -n mill -o jsonpath='{.status.containerStatuses}'");
    expect(sink.one('container.waiting').about).toBe('Container/?/a/grind');
    expect(sink.one('container.waiting').cited[0]?.at).toMatchObject({ pointer: '/0/state/waiting' });
    expect(sink.coverage.every((entry) => entry.extent === 'excerpt')).toBe(true);
  });

  it('reads a status whose object was cut away', () => {
    const text = `    "status": {
        "conditions": [
            { "type": "NamespaceContentRemaining", "status": "True", "message": "Some resources are remaining: gadgets.example.com has 2 resource instances" }
        ],
        "phase": "Terminating"
    }
}
next`;
    const { sink, end } = read(text);
    expect(sink.one('object.status')).toMatchObject({ about: 'Object/Namespace/?/?', status: 'Terminating' });
    expect(end).toBe(7);
  });

  it('reads the last state alone', () => {
    const { sink } = read('{"terminated":{"containerID":"containerd://x","exitCode":137,"reason":"OOMKilled"}}', 0, 'kubectl get pod a');
    expect(sink.one('container.terminated')).toMatchObject({ about: 'Container/?/a/?', exitCode: 137 });
  });

  it('reads the items that a filter printed', () => {
    expect(read(JSON.stringify(LIST.items, null, 2)).sink.all('pod.status')).toHaveLength(3);
  });
});

describe('what is not ours', () => {
  it.each([
    ['a log line', '{"level":"info","msg":"kind words","kind":"x"}'],
    ['a log with brackets', '[INFO] plugin/reload: Running "kind": x'],
    ['docker inspect', '[\n  {\n    "Id": "abc",\n    "State": { "Status": "running" }\n  }\n]'],
    ['runtime state', '{\n  "status": {\n    "conditions": [ { "type": "RuntimeReady", "status": true } ]\n  }\n}'],
    ['kubelet configuration', '{"kind":"KubeletConfiguration","apiVersion":"kubelet.config.k8s.io/v1beta1","cgroupDriver":"systemd"}'],
    ['kubeconfig', '{"kind":"Config","apiVersion":"v1","users":[]}'],
    ['an empty line', ''],
    ['an open brace', '{'],
  ])('refuses %s', (_, text) => {
    const { sink, end } = read(text);
    expect(end).toBe(0);
    expect(sink.facts).toEqual([]);
  });
});

describe('hostile text', () => {
  const SAMPLE = JSON.stringify(LIST, null, 2);

  it('never throws on mutated objects, and always moves forward or refuses', () => {
    const edit = fc.record({
      at: fc.nat(SAMPLE.length - 1),
      remove: fc.nat(40),
      insert: fc.constantFrom('', '"', '{', '}', '[', ']', ',', '\n', '...', '\\', ':', 'null', '\u0000'),
    });
    void fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        let text = SAMPLE;
        for (const { at, remove, insert } of edits) text = text.slice(0, at) + insert + text.slice(at + remove);
        const lines = text.split('\n');
        const { end } = read(lines);
        expect(end).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(lines.length);
      }),
      { numRuns: 300 },
    );
  });

  it('stays linear on nested look-alikes', () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => (index % 2 === 0 ? '{ "kind": [' : '"conditions":'));
    const sink = new TestSink();
    const started = performance.now();
    for (let at = 0; at < lines.length; at++) jsonReader.read(lines, at, { doc: 'd' }, sink);
    expect(performance.now() - started).toBeLessThan(4000);
  });
});
