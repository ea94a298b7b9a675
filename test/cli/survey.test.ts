import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf, TestHost } from '../../src/fix/host/testing-host.ts';
import { podcause } from './built-cli.ts';

const RUNC = 'plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc';
const CONFIG = `version = 2\n[${RUNC}]\n  runtime_type = "io.containerd.runc.v2"\n[${RUNC}.options]\n  SystemdCgroup = false\n`;

const host = new TestHost();
const work = mkdtempSync(join(tmpdir(), 'survey-'));
const report = join(work, 'report.json');
const look = join(work, 'look.txt');
let survey = '';

interface Plan {
  readonly steps: readonly unknown[];
  readonly refused: readonly string[];
}

async function planned(...args: readonly string[]): Promise<Plan> {
  const env = { PODCAUSE_ROOT: host.root, PATH: `${host.path('fake/bin')}:${process.env['PATH'] ?? ''}` };
  const { stdout } = await podcause(['fix', report, '-o', 'json', ...args], { env });
  return JSON.parse(stdout) as Plan;
}

beforeAll(async () => {
  host.write('etc/containerd/config.toml', CONFIG);
  writeFileSync(report, (await podcause(['-o', 'json', 'cases/lab-story-cgroup-drivers/pasted'])).stdout);
  survey = (await host.run((await podcause(['fix', report, '-o', 'survey'])).stdout, [])).out;
  writeFileSync(look, survey);
}, 60_000);
afterAll(() => {
  host.remove();
  rmSync(work, { recursive: true, force: true });
});

describe('a host nobody can reach from here', () => {
  it('is planned for from what a script printed there, as if it had been read', async () => {
    const [carried, onHost] = [await planned('--survey', look), await planned('--here')];
    expect(carried.steps.length).toBeGreaterThan(0);
    expect(carried.steps).toEqual(onHost.steps);
    expect((await planned('--survey', `vm-a=${look}`)).steps).toEqual(carried.steps);
  });

  it('gets a script from it that fixes the host', async () => {
    const { stdout, code } = await podcause(['fix', report, '--survey', look, '-o', 'script']);
    expect(code).toBe(0);
    const other = host.copy();
    expect(endOf(await other.run(stdout, []))).toBe('done');
    expect(other.read('etc/containerd/config.toml')).toBe(CONFIG.replace('false', 'true'));
    other.remove();
  });

  it('is not guessed at from half of it, from that of another node, or from none', async () => {
    const half = join(work, 'half.txt');
    writeFileSync(half, survey.slice(0, survey.length / 2));
    for (const given of [half, `other=${look}`, join(work, 'none.txt')]) {
      const { steps, refused } = await planned('--survey', given);
      expect(steps).toEqual([]);
      expect(refused).not.toEqual([]);
    }
  });

  it('is not changed from here', async () => {
    const { code, stderr } = await podcause(['fix', report, '--survey', look, '--apply', '--yes=touches-node']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/only surveyed/);
  });

  it('is not surveyed for a fix that does not touch it', async () => {
    const path = join(work, 'oom.json');
    writeFileSync(path, (await podcause(['-o', 'json', 'cases/lab-oom-limit/pasted'])).stdout);
    const { code, stderr } = await podcause(['fix', path, '-o', 'survey']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/nothing to survey/);
  });
});
