import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { createFactBase } from '../facts/fact-base.ts';
import type { Document, Unread } from '../model/document.ts';
import { CLUSTER } from '../model/entity.ts';
import { createReader, readDocuments } from './read-documents.ts';

const NOON = Date.UTC(2026, 3, 4, 12);

function textDocument(name: string, text: string): Document {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, bytes };
}

function pod(name: string, status: object) {
  return {
    metadata: { name, namespace: 'reef', creationTimestamp: '2026-04-04T11:00:00Z' },
    spec: { containers: [{ name: 'main' }] },
    status,
  };
}

const crashing = {
  phase: 'Running',
  containerStatuses: [
    {
      name: 'main',
      ready: false,
      restartCount: 4,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 2, reason: 'Error', finishedAt: '2026-04-04T11:58:00Z' } },
    },
  ],
};

function pages(name: string, ...items: readonly object[]): Document {
  const body = (item: object) => Buffer.from(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', items: [item] }));
  return {
    name,
    size: 0,
    takenAt: NOON,
    pages: async function* () {
      for (const item of items) yield { encoding: 'json' as const, bytes: body(item) };
    },
  };
}

const rounds: readonly (readonly Document[])[] = [
  [pages('cluster/pods.json', pod('tern-0', crashing), pod('tern-1', { phase: 'Pending' }))],
  [textDocument('cluster/pods/logs/reef/tern-0/main-previous.log', 'panic: no chart for this tide\n')],
];

describe('createReader', () => {
  it('finds in rounds what it finds at once', async () => {
    const reader = createReader([]);
    for (const round of rounds) await reader.read(round);
    expect(reader.result()).toEqual(await readDocuments(rounds.flat(), [], {}));
    expect(reader.result().documents).toBe(2);
  });

  it('leaves earlier results and what was built on them as they were', async () => {
    const reader = createReader([]);
    await reader.read(rounds[0] ?? []);
    const first = reader.result();
    const base = createFactBase(first.evidence);
    const before = { facts: first.evidence.facts.length, size: base.size, entities: [...base.entities()] };
    await reader.read(rounds[1] ?? []);
    expect(reader.result().evidence.facts.length).toBeGreaterThan(before.facts);
    expect({ facts: first.evidence.facts.length, size: base.size, entities: [...base.entities()] }).toEqual(before);
  });

  it('counts time from when a list was taken', async () => {
    const { evidence } = await readDocuments(rounds[0] ?? [], [], {});
    const status = evidence.facts.find((fact) => fact.kind === 'pod.status' && fact.about === 'Pod/reef/tern-0');
    expect(status).toMatchObject({ status: 'CrashLoopBackOff', lastRestartAgo: 120, ageSeconds: 3600 });
  });

  it('counts the bytes of pages and tells what is missing of them', async () => {
    const broken: Document = {
      name: 'cluster/pods.json',
      size: 0,
      pages: async function* () {
        yield { encoding: 'json', bytes: Buffer.from('{"kind":"PodList","items":[') };
      },
    };
    const { bytes, evidence } = await readDocuments([broken], [], {});
    expect(bytes).toBe(27);
    expect(evidence.unread).toEqual([{ doc: 'cluster/pods.json', why: 'page 1 ends inside the list, after 0 items', size: 27 }]);
  });

  it('covers what could not be had, once, and shows only what it was told to show', async () => {
    const shown: Unread = {
      doc: 'cluster/nodes.json',
      why: 'forbidden',
      command: 'kubectl get nodes -o json',
      missed: [{ channel: 'node-status', about: CLUSTER, extent: 'denied' }],
    };
    const growing: Unread[] = [];
    const reader = createReader([], { unread: growing });
    await reader.read([]);
    growing.push({
      doc: 'cluster/events.json',
      why: 'slow',
      missed: [{ channel: 'pod-events', about: 'Namespace/reef', extent: 'failed' }],
    });
    reader.note([shown]);
    reader.result();
    const { evidence } = reader.result();
    expect(evidence.unread).toEqual([shown]);
    expect(evidence.coverage).toEqual([
      { channel: 'node-status', about: CLUSTER, extent: 'denied', doc: 'cluster/nodes.json' },
      { channel: 'pod-events', about: 'Namespace/reef', extent: 'failed', doc: 'cluster/events.json' },
    ]);
  });

  it('keeps the values of ConfigMaps and Secrets in pages from the evidence', async () => {
    const items = ['ConfigMap', 'Secret'].map((kind) => ({
      kind,
      apiVersion: 'v1',
      metadata: {
        name: 'deep',
        namespace: 'reef',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"depth":"eleven-fathoms"}}' },
      },
      data: { depth: 'eleven-fathoms' },
      stringData: { depth: 'eleven-fathoms' },
      status: { message: 'error: eleven-fathoms', conditions: [{ type: 'Ready', status: 'False', message: 'failed: eleven-fathoms' }] },
    }));
    const document = pages('cluster/configmaps.json', ...items);
    const { evidence, texts } = await readDocuments([document], [], { redact: false });
    expect(evidence.facts.map(({ about }) => about)).toContain('Object/SecretKey/reef/deep/depth');
    expect(JSON.stringify([evidence, [...texts]])).not.toContain('fathoms');
  });
});

describe('the manifest of a bundle', () => {
  const manifest = {
    podcauseBundle: 1,
    takenAt: '2026-04-04T12:00:00Z',
    missing: [
      {
        what: 'cluster/nodes.json',
        why: 'forbidden',
        command: 'kubectl get nodes',
        channel: 'node-status',
        about: 'Cluster/-',
        extent: 'denied',
      },
      { what: 'nodes/kelp-1/kubelet.log', why: 'password=hunter22 \u001b[31mtimed out', channel: 'kubelet-log', about: 'Node/kelp-1' },
      { what: 'x', why: 'y', channel: 'Kubelet Log', about: 'Node/kelp-1' },
      { what: 'nothing said' },
      'no entry',
    ],
  };
  const list = { kind: 'PodList', apiVersion: 'v1', items: [pod('tern-0', crashing)] };

  it('says when the documents beside it were taken', async () => {
    const age = async (name: string) => {
      const documents = [textDocument('b.tgz/manifest.json', JSON.stringify(manifest)), textDocument(name, JSON.stringify(list))];
      const { evidence } = await readDocuments(documents, [], {});
      const status = evidence.facts.find((fact) => fact.kind === 'pod.status');
      return status?.kind === 'pod.status' ? status.ageSeconds : undefined;
    };
    expect(await age('b.tgz/cluster/pods.json')).toBe(3600);
    expect(await age('other/cluster/pods.json')).toBeUndefined();
  });

  it('tells what was not to be had, cleaned, with what was therefore not seen', async () => {
    const { evidence } = await readDocuments([textDocument('manifest.json', JSON.stringify(manifest))], [], {});
    expect(evidence.unread.map(({ doc, why }) => [doc, why])).toEqual([
      ['cluster/nodes.json', 'forbidden'],
      ['nodes/kelp-1/kubelet.log', expect.stringMatching(/timed out$/)],
      ['x', 'y'],
    ]);
    expect(JSON.stringify(evidence.unread)).not.toMatch(/hunter22|\\u001b/);
    expect(evidence.coverage).toEqual([
      { channel: 'node-status', about: 'Cluster/-', extent: 'denied', doc: 'cluster/nodes.json' },
      { channel: 'kubelet-log', about: 'Node/kelp-1', extent: 'failed', doc: 'nodes/kelp-1/kubelet.log' },
    ]);
    expect(evidence.unrecognised).toEqual([]);
  });

  it('counts only the first of a bundle, and nothing else of that name', async () => {
    const later = { ...manifest, takenAt: '2030-01-01T00:00:00Z', missing: [{ what: 'late', why: 'later' }] };
    const documents = [manifest, later].map((content) => textDocument('manifest.json', JSON.stringify(content)));
    const { evidence } = await readDocuments([...documents, textDocument('pods.json', JSON.stringify(list))], [], {});
    expect(evidence.unread).toHaveLength(3);
    expect(evidence.facts.find((fact) => fact.kind === 'pod.status')).toMatchObject({ ageSeconds: 3600 });
    const other = await readDocuments([textDocument('web/manifest.json', '{"name":"app","missing":[{"why":"z"}]}')], [], {});
    expect(other.evidence.unread).toEqual([]);
  });
});
