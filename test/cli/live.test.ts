import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { type ApiServer, startApiServer, TOKEN } from './api-server.ts';
import { podcause } from './built-cli.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.close());

function live(...args: string[]) {
  return podcause(args, { env: { KUBECONFIG: api.kubeconfig } });
}

describe('podcause on a cluster', () => {
  it('finds what is wrong, with the log line, and says where it looked', async () => {
    const { code, stdout, stderr } = await live('-o', 'json');
    const report = JSON.parse(stdout) as Report;
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(report.source).toMatchObject({ context: 'till', version: 'v1.31.4' });
    expect(report.incidents[0]?.victims.map(({ name }) => name)).toEqual(['shop/web-0']);
    expect(stdout).toContain('10.0.0.9:5432');
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  it('looks at one pod of one namespace', async () => {
    const { code, stdout } = await live('pod/web-0', '-n', 'shop');
    expect(code).toBe(1);
    expect(stdout).toContain('shop/web-0');
    expect(stdout).toContain('till, ');
  });

  it('says when there is no such pod', async () => {
    const { code, stderr } = await live('pod/wbe-0', '-n', 'shop');
    expect(code).toBe(3);
    expect(stderr).toContain('there is no Pod wbe-0 in namespace shop');
  });

  it('plans without a single request', async () => {
    const before = api.asked.length;
    const { code, stdout } = await live('--plan', '--deep');
    expect(code).toBe(0);
    expect(stdout).toContain('GET /api/v1/pods');
    expect(stdout).toContain('"privileged": true');
    expect(api.asked.length).toBe(before);
  });

  it('only ever reads', async () => {
    await live('-o', 'json');
    expect(api.asked.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });

  it('creates nothing for --deep when there is nobody to ask', async () => {
    const { code, stderr } = await live('node/n1', '--deep');
    expect(code).toBe(3);
    expect(stderr).toContain('--yes');
    expect(api.asked.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('collects a bundle, and reads the same from it', async () => {
    const file = join(api.folder, 'bundle.tgz');
    const { code, stdout, stderr } = await live('collect', '--file', file);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: file });
    expect(stderr).toContain('podcause diagnose');
    const later = JSON.parse((await podcause(['diagnose', file, '-o', 'json'])).stdout) as Report;
    const now = JSON.parse((await live('-o', 'json')).stdout) as Report;
    const gist = ({ incidents }: Report) =>
      incidents.map(({ cause, place, confidence, victimCount }) => ({ cause, place, confidence, victimCount }));
    expect(gist(later)).toEqual(gist(now));
    expect((await live('collect', '--file', file)).stderr).toContain('is there already');
    expect(existsSync(file)).toBe(true);
  });

  it('shows what a bundle would ask for, and writes none', async () => {
    const plan = await live('collect', '--plan');
    expect(plan).toMatchObject({ code: 0, stdout: (await live('--plan')).stdout });
    expect(plan.stdout).toContain('reading only');
  });

  it('reads more evidence from standard input', async () => {
    const { stdout } = await podcause(['--stdin', '-o', 'json'], {
      env: { KUBECONFIG: api.kubeconfig },
      input: 'root@n1:~# uname -r\n6.1.0-host\n',
    });
    expect((JSON.parse(stdout) as Report).coverage.pieces.map(({ doc }) => doc)).toContain('stdin');
  });

  it('says so when the server is gone', async () => {
    const { code, stdout, stderr } = await live('--context', 'dead', '--timeout', '3s');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('127.0.0.1:9');
  });

  it('lists the contexts when one is misspelt', async () => {
    const { code, stderr } = await live('--context', 'tll');
    expect(code).toBe(3);
    expect(stderr).toContain('till');
  });

  it('does not mix files with a cluster', async () => {
    const { code, stderr } = await live('package.json', '-n', 'shop');
    expect(code).toBe(3);
    expect(stderr).toContain('read without a cluster');
  });
});
