import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterScope } from '../collect/cluster/lists.ts';
import { ClusterError } from '../collect/cluster/port.ts';
import { collectPaths } from '../collect/files.ts';
import { diagnose } from '../diagnose.ts';
import type { Report } from '../model/report.ts';
import { Bundle } from './bundle.ts';
import { diagnoseLive } from './diagnose-live.ts';
import { crashingPod, FakePort, NOW, node } from './testing-port.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function shop(pageSize = 500): FakePort {
  const forbidden = new ClusterError('forbidden', 'storageclasses is forbidden', { status: 403 });
  return new FakePort({
    pageSize,
    lists: {
      '/api/v1/pods': [crashingPod('shop', 'web-0', 'n1'), crashingPod('shop', 'db-0', 'n2'), crashingPod('bar', 'till-0', 'n2')],
      '/api/v1/nodes': [node('n1'), node('n2')],
      '/apis/storage.k8s.io/v1/storageclasses': forbidden,
    },
    answers: {
      '/api/v1/namespaces/shop/pods/web-0/log':
        'connecting with password=hunter2hunter2\nFATAL: dial tcp 10.0.0.9:5432: connect: connection refused\n',
      '/api/v1/namespaces/shop/pods/db-0/log': '',
    },
  });
}

async function collected(port: FakePort, scope: ClusterScope = {}): Promise<{ live: Report; file: string }> {
  const bundle = new Bundle();
  try {
    const { report, source, about } = await diagnoseLive(port, { scope, keep: bundle });
    const file = join(folder, 'b.tgz');
    await bundle.pack(file, { source, ...(about ? { about } : {}) });
    return { live: report, file };
  } finally {
    bundle.remove();
  }
}

function gist({ verdict, incidents, undecided, elsewhere, source }: Report) {
  return {
    verdict,
    elsewhere,
    source,
    incidents: incidents.map(({ cause, place, confidence, victims }) => ({
      cause,
      place,
      confidence,
      victims: victims.map(({ name }) => name),
    })),
    undecided: undecided.map(({ says, victims }) => ({ says, victims: victims.map(({ name }) => name) })),
  };
}

describe('a collected bundle', () => {
  it('gives the same report as the live cluster, also when lists came in pages', async () => {
    const { live, file } = await collected(shop(1));
    const { documents, unread } = collectPaths([file]);
    const later = await diagnose(documents, { unread });
    expect(live.incidents.length).toBeGreaterThan(0);
    expect(gist(later)).toEqual(gist(live));
    expect(later.coverage.unread.map(({ why }) => why)).toEqual(live.coverage.unread.map(({ why }) => why));
  });

  it('speaks of what it was collected for, as the live report did', async () => {
    const { live, file } = await collected(shop(), { namespace: 'bar' });
    const { documents, unread } = collectPaths([file]);
    const later = await diagnose(documents, { unread });
    expect(live.source?.namespace).toBe('bar');
    expect(gist(later)).toEqual(gist(live));
  });

  it('holds no secret', async () => {
    const { file } = await collected(shop());
    const all = execFileSync('tar', ['-xzOf', file]).toString();
    expect(all).toContain('CrashLoopBackOff');
    expect(all).not.toContain('hunter2');
  });

  it('says when it was taken, what is in it, and what could not be had and how', async () => {
    const { file } = await collected(shop());
    expect(execFileSync('tar', ['-tzf', file]).toString().split('\n')[0]).toBe('manifest.json');
    const manifest = JSON.parse(execFileSync('tar', ['-xzOf', file, 'manifest.json']).toString());
    expect(manifest).toMatchObject({ podcauseBundle: 1, takenAt: new Date(NOW).toISOString() });
    expect(manifest.files).toContainEqual(expect.objectContaining({ name: 'cluster/pods.json', items: 3 }));
    expect(manifest.empty).toContain('cluster/pods/logs/shop/db-0/app.log');
    expect(manifest.missing).toContainEqual(
      expect.objectContaining({
        what: 'cluster/storageclasses.json',
        why: 'storageclasses is forbidden',
        command: 'kubectl get storageclasses -o json',
      }),
    );
  });

  it('keeps strange names inside', async () => {
    const bundle = new Bundle();
    try {
      for (const name of ['../../outside.txt', '/etc/passwd', 'a/./../b\u0000\n', 'x'.repeat(5000)]) {
        bundle.document({ name, size: 1, bytes: Buffer.from('x') });
      }
      const file = join(folder, 'b.tgz');
      await bundle.pack(file, { source: { server: 'x', takenAt: '2026-03-01T12:00:00Z', requests: 0 } });
      const names = execFileSync('tar', ['-tzf', file]).toString().trimEnd().split('\n');
      expect(names).toHaveLength(5);
      expect(names.filter((name) => name.startsWith('/') || name.split('/').includes('..'))).toEqual([]);
    } finally {
      bundle.remove();
    }
  });

  it('leaves nothing behind', async () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      await collected(shop());
      expect(readdirSync(folder)).toEqual(['b.tgz']);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});
