import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { collectHost } from './collect-host.ts';
import { file, look } from './probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'collect-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('this host', () => {
  it('is looked at whole, under the name given, and says what could not be had', async () => {
    const shown: string[] = [];
    const host = await collectHost({ node: 'heron-1', onProbe: (shows) => shown.push(shows) });
    expect(host.node).toBe('heron-1');
    expect(host.documents).toHaveLength(1);
    expect(host.documents[0]?.name).toBe('nodes/heron-1/host.txt');
    expect(host.documents[0]?.size).toBe(new TextEncoder().encode(host.text).length);
    expect(shown).toContain('uname -a');
    expect(shown.some((one) => /^crictl --runtime-endpoint unix:\/\/\/\S+ version$/.test(one))).toBe(true);
    expect(host.text).toMatch(/\nroot@heron-1:~# uname -a\nLinux heron-1 \d/);
    for (const { missed } of host.unread) expect(missed?.[0]?.about).toBe('Node/heron-1');
  }, 120_000);
});

describe('a look', () => {
  it('that hangs or is refused becomes a line of the evidence and of what was missed', async () => {
    const path = join(folder, 'plain.conf');
    writeFileSync(path, 'password = "hush"\n');
    const { text, unread } = await collectHost({
      node: 'heron-1',
      probes: [
        look('hangs', 'docker-config', 'docker info', { runs: 'sleep 300', seconds: 1 }),
        look('refused', 'kubelet-config', 'cat /x', { runs: 'echo "cat: /x: Permission denied" >&2; false' }),
        look('not-here', 'crio-config', 'crio config', { when: 'false' }),
        file('files', 'host-state', '$file', { each: [`${folder}/*.conf`] }),
      ],
    });
    expect(text).toBe(
      [
        '',
        'root@heron-1:~# docker info',
        '',
        'podcause: no answer within 1 s',
        '',
        'root@heron-1:~# cat /x',
        'cat: /x: Permission denied',
        '',
        `root@heron-1:~# cat ${path}`,
        'password = "[redacted]"',
        '',
      ].join('\n'),
    );
    expect(unread.map(({ command, why, missed }) => [command, why, missed?.[0]?.channel, missed?.[0]?.extent])).toEqual([
      ['docker info', 'no answer within 1 s', 'docker-config', 'failed'],
      ['cat /x', 'permission denied', 'kubelet-config', 'denied'],
    ]);
  }, 60_000);
});
