import { describe, expect, it } from 'vitest';
import { TestSink } from './test-sink.ts';
import { parseYamlBlock, yamlReader } from './yaml-reader.ts';

function read(text: string | readonly string[], from = 0, command?: string) {
  const lines = typeof text === 'string' ? text.split('\n') : text;
  const sink = new TestSink();
  const end = yamlReader.read(lines, from, { doc: 'pod.yaml', ...(command ? { command } : {}) }, sink);
  return { sink, end, lines };
}

function pod(name: string, reason = 'CrashLoopBackOff'): string {
  return `apiVersion: v1
kind: Pod
metadata:
  creationTimestamp: "2025-04-01T06:00:00Z"
  managedFields:
  - apiVersion: v1
    fieldsType: FieldsV1
    fieldsV1:
      f:status: {}
  name: ${name}
  namespace: quarry
spec:
  containers:
  - args:
    - --flag
    image: registry.example/crane:3
    name: crane
    resources:
      limits:
        memory: 256Mi
  nodeName: pit-2
status:
  containerStatuses:
  - containerID: containerd://${'c0de'.repeat(16)}
    image: registry.example/crane:3
    lastState:
      terminated:
        exitCode: 2
        finishedAt: "2025-04-01T06:10:00Z"
        message: |
          panic: no rope
          goroutine 1 [running]:
        reason: Error
        startedAt: "2025-04-01T06:09:58Z"
    name: crane
    ready: false
    restartCount: 7
    started: false
    state:
      waiting:
        message: back-off 5m0s restarting failed container=crane pod=${name}_quarry
        reason: ${reason}
  phase: Running`;
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}

describe('yamlReader', () => {
  it('reads an object with pointer and lines', () => {
    const { sink, end, lines } = read(pod('hoist-0'));
    expect(end).toBe(lines.length);
    expect(sink.one('pod.status')).toMatchObject({ about: 'Pod/quarry/hoist-0', status: 'CrashLoopBackOff', restarts: 7 });
    const [cited] = sink.one('container.terminated').cited;
    expect(cited).toMatchObject({
      at: { pointer: '/status/containerStatuses/0/lastState/terminated' },
      quote: 'lastState: terminated Error (2)',
    });
    const [first = 0, last = 0] = cited?.at.lines ?? [];
    expect(lines[first - 1]).toBe('      terminated:');
    expect(lines[last - 1]).toBe('        startedAt: "2025-04-01T06:09:58Z"');
    expect(sink.sayings.map((saying) => saying.text)).toContain('panic: no rope');
  });

  it('reads several documents, with and without separator', () => {
    const text = `---\n# first\n${pod('a')}\n---\n${pod('b')}\n${pod('c')}\n\nThat is all of them.`;
    const { sink, end, lines } = read(text);
    expect(sink.all('pod.status').map((fact) => fact.about)).toEqual(['Pod/quarry/a', 'Pod/quarry/b', 'Pod/quarry/c']);
    expect(lines.slice(end).join('').trim()).toBe('That is all of them.');
    const cited = sink.all('container.waiting')[2]?.cited[0]?.at.lines;
    expect(lines[(cited?.[0] ?? 0) - 1]).toBe('      waiting:');
  });

  it.each([
    ['as kubectl prints it', (item: string) => `- ${indent(item, '  ').trimStart()}`],
    ['indented', (item: string) => `  - ${indent(item, '    ').trimStart()}`],
  ])('reads a list %s', (_, form) => {
    const text = `apiVersion: v1\nitems:\n${form(pod('a'))}\n${form(pod('b', 'ImagePullBackOff'))}\nkind: List\nmetadata:\n  resourceVersion: ""\nDone: yes`;
    const { sink, end, lines } = read(text);
    expect(sink.all('pod.status').map((fact) => [fact.about, fact.status])).toEqual([
      ['Pod/quarry/a', 'CrashLoopBackOff'],
      ['Pod/quarry/b', 'ImagePullBackOff'],
    ]);
    expect(lines[end]).toBe('Done: yes');
    const waiting = sink.all('container.waiting')[1]?.cited[0];
    expect(waiting?.at).toMatchObject({ pointer: '/items/1/status/containerStatuses/0/state/waiting' });
    expect(lines[(waiting?.at.lines?.[0] ?? 0) - 1]?.trim()).toBe('waiting:');
  });

  it('reads a list that breaks off before it says what it is', () => {
    const { sink } = read(`apiVersion: v1\nitems:\n- ${indent(pod('a'), '  ').trimStart()}`);
    expect(sink.one('pod.status').about).toBe('Pod/quarry/a');
  });

  it.each([
    ['a quote', '> '],
    ['spaces', '    '],
  ])('reads text set in by %s', (_, by) => {
    const { sink, end, lines } = read(`${indent(pod('a'), by)}\nand so on`);
    expect(sink.one('container.waiting').reason).toBe('CrashLoopBackOff');
    expect(lines[end]).toBe('and so on');
  });

  it('reads tabs in the indentation as a terminal shows them', () => {
    const text = pod('a').replaceAll('        ', '\t');
    expect(read(text).sink.one('container.terminated').exitCode).toBe(2);
  });

  it('reads around elided and broken lines', () => {
    const text = pod('a').replace('  nodeName: pit-2', '  ...\n  nodeName: pit-2').replace('    started: false', '    started: "fal');
    const { sink } = read(text);
    expect(sink.one('pod.status').status).toBe('CrashLoopBackOff');
    expect(sink.edges).toContainEqual({ type: 'runs-on', pod: 'Pod/quarry/a', node: 'Node/pit-2' });
  });

  it('stops at prose, messages and tables', () => {
    for (const tail of ['The pod never starts.', 'error: timed out', 'NAME   READY   STATUS', '* list', 'Error from server (NotFound)']) {
      const { end, lines } = read(`${pod('a')}\n${tail}`);
      expect(lines[end]).toBe(tail);
    }
  });

  it('reads an object that breaks off', () => {
    const lines = pod('a').split('\n');
    const { sink } = read(lines.slice(0, lines.indexOf('    ready: false')));
    expect(sink.one('container.terminated')).toMatchObject({ about: 'Container/quarry/a/crane', exitCode: 2 });
    expect(sink.all('pod.status')).toEqual([]);
  });
});

describe('fragments', () => {
  const status = pod('a').slice(pod('a').indexOf('\nstatus:') + 1);

  it('reads a lone status for the pod the command names', () => {
    const { sink } = read(status, 0, 'kubectl get pod a -o yaml');
    expect(sink.one('container.waiting').about).toBe('Container/?/a/crane');
    expect(sink.one('pod.status')).toMatchObject({ status: 'CrashLoopBackOff', containers: 1 });
  });

  it('reads container statuses out of their object', () => {
    const part = status.slice(status.indexOf('  containerStatuses:'), status.indexOf('  phase:'));
    const { sink } = read(part.trimEnd());
    expect(sink.one('container.terminated').cited[0]?.at).toMatchObject({
      pointer: '/containerStatuses/0/lastState/terminated',
      lines: [5, 12],
    });
    expect(sink.all('container.restarts').map((fact) => fact.count)).toEqual([7]);
  });

  it('reads why a kubelet threw a pod out', () => {
    const { sink } = read(
      "status:\n  message: 'Pod Node didn''t have enough resource: memory, requested: 2000, used: 900, capacity: 1000'\n  phase: Failed\n  reason: OutOfmemory",
    );
    expect(sink.one('pod.status')).toMatchObject({ about: 'Pod/?/?', status: 'OutOfmemory', phase: 'Failed' });
  });

  it('leaves the phase of a claim alone', () => {
    expect(read('status:\n  phase: Pending\n  message: waits').sink.all('pod.status')).toEqual([]);
  });

  it('reads one state', () => {
    const { sink } = read('    lastState:\n      terminated:\n        exitCode: 139\n        reason: Error\nwhat is 139?');
    expect(sink.one('container.terminated')).toMatchObject({ about: 'Container/?/?/?', which: 'last', exitCode: 139 });
  });

  it('reads a pod spec', () => {
    const { sink } = read('spec:\n  hostNetwork: true\n  containers:\n  - name: a\n    image: b');
    expect(sink.one('pod.host-network').about).toBe('Pod/?/?');
    expect(sink.one('container.spec').image).toBe('b');
  });
});

describe('what is not ours', () => {
  it.each([
    ['kubelet configuration', 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupDriver: systemd'],
    ['kubeadm', 'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration'],
    ['helm values', 'spec:\n  replicas: 3\n  image: x'],
    ['prose', 'status: it still does not work'],
    ['a compose file', 'version: "3"\nservices:\n  web:\n    image: x'],
    ['a separator', '---'],
    ['a list of words', '- one\n- two'],
  ])('refuses %s', (_, text) => {
    const { sink, end } = read(text);
    expect(end).toBe(0);
    expect(sink.facts).toEqual([]);
  });

  it('leaves a foreign document behind our own', () => {
    const { end, lines } = read(`${pod('a')}\n---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration`);
    expect(lines.slice(end)[0]).toBe('---');
  });
});

describe('parseYamlBlock', () => {
  it('gives value, end and lines', () => {
    const block = parseYamlBlock(['x', 'kind: A', 'metadata:', '  name: b', '', 'Next'], 1);
    expect(block?.value).toEqual({ kind: 'A', metadata: { name: 'b' } });
    expect(block?.end).toBe(4);
    expect(block?.lines('/metadata/name')).toEqual([4, 4]);
    expect(block?.lines('/nothing')).toBeUndefined();
  });
});
