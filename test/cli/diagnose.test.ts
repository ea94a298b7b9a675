import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inFolder, tarBytes, zipBytes } from '../../src/collect/testing-archives.ts';
import type { Report } from '../../src/model/report.ts';
import { podcause, root } from './built-cli.ts';
import { evidenceOf, withoutTimes } from './cases.ts';

const STORY = evidenceOf('silent-restarts');
const TWO = evidenceOf('two-troubles-in-one-paste');
const files = ['config.toml', 'kube-proxy-events.txt', 'kube-proxy.log', 'kubelet.log'] as const;

function contentOf(file: string): Buffer {
  return readFileSync(`${root}${STORY}/${file}`);
}

const reports = new Map<string, Report>();

async function reportOf(args: readonly string[], input?: string): Promise<Report> {
  const key = `${args.join(' ')} ${input ?? ''}`;
  const { stdout } = reports.has(key) ? { stdout: '' } : await podcause(['-o', 'json', ...args], input === undefined ? {} : { input });
  const report: Report = reports.get(key) ?? JSON.parse(stdout);
  reports.set(key, report);
  return report;
}

function causesOf(report: Report): string[] {
  return report.incidents.map(({ cause, confidence, place }) => `${cause} ${confidence} ${place}`);
}

describe.concurrent('where evidence comes from', () => {
  it('is the same for files, folders, archives and a pipe, in any mix', () =>
    inFolder(async (folder) => {
      const at = (name: string) => join(folder, name);
      const [config, events, log, kubelet] = files;
      cpSync(`${root}${STORY}`, at('folder'), { recursive: true });
      writeFileSync(at('config.gz'), gzipSync(contentOf(config)));
      writeFileSync(at('events.tgz'), gzipSync(tarBytes([{ path: events, body: contentOf(events) }])));
      writeFileSync(at('log.zip'), zipBytes([{ path: log, body: contentOf(log) }]));
      writeFileSync(at('all.tar'), tarBytes(files.map((path) => ({ path, body: contentOf(path) }))));
      const wanted = causesOf(await reportOf([STORY]));
      expect(wanted).toEqual(['cgroup-driver-kubelet-systemd-runtime-cgroupfs probable node worker-2']);
      const mixed = await reportOf([at('config.gz'), at('events.tgz'), at('log.zip'), '-'], contentOf(kubelet).toString());
      expect(mixed.coverage.documents).toBe(4);
      expect(mixed.coverage.pieces.map(({ doc }) => doc)).toContain('stdin');
      expect(causesOf(mixed)).toEqual(wanted);
      expect(causesOf(await reportOf(files.map((file) => `${STORY}/${file}`)))).toEqual(wanted);
      expect(causesOf(await reportOf([at('all.tar'), at('folder')]))).toEqual(wanted);
    }));

  it('may be named to a command or to none, before or after the options', async () => {
    const input = contentOf('kube-proxy-events.txt').toString();
    const runs = await Promise.all([
      podcause(['-', '--no-color', '-w', '70'], { input }),
      podcause(['diagnose', '-', '-w', '70'], { input }),
      podcause(['--width=70', 'diagnose', '-'], { input }),
    ]);
    const [first] = runs.map(({ stdout }) => withoutTimes(stdout));
    expect(first?.length).toBeGreaterThan(100);
    for (const { stdout, code } of runs) {
      expect(withoutTimes(stdout)).toBe(first);
      expect(code).toBe(runs[0]?.code);
    }
  });
});

describe.concurrent('options', () => {
  it('--focus puts the incident of an object first', async () => {
    const usual = await reportOf([TWO]);
    expect(usual.incidents.length).toBe(2);
    const last = usual.incidents[1]?.victims[0]?.name.split('/')[1] ?? '';
    const focused = await reportOf([TWO, '--focus', `pod/${last}`]);
    expect(focused.incidents[0]?.victims[0]?.name).toContain(last);
    expect(focused.incidents.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('--focus says when nothing is about the object', async () => {
    const { code, stdout, stderr } = await podcause([TWO, '-f', 'pod/nobody-0']);
    expect(code).toBe(1);
    expect(stderr).toBe('podcause: nothing in this report is about pod/nobody-0; the order is the usual one.\n');
    expect(stdout).toContain('2 causes');
  });

  it('--incident shows one of several in each format', async () => {
    const [first, second] = (await reportOf([TWO])).incidents;
    const alone = await reportOf([TWO, '-i', '2']);
    expect(alone.incidents).toEqual([second]);
    const names = [first, second].map((incident) => incident?.victims[0]?.name ?? '');
    for (const format of ['terminal', 'markdown']) {
      const { stdout, code } = await podcause([TWO, '-i', '2', '-o', format]);
      expect(code).toBe(1);
      expect(stdout.includes(names[1] ?? '')).toBe(true);
      expect(stdout.includes(names[0] ?? '')).toBe(false);
    }
  });

  it('--verbose shows more, and says what was read', async () => {
    const [brief, verbose] = await Promise.all([podcause([STORY]), podcause([STORY, '-v'])]);
    expect(verbose.stdout.length).toBeGreaterThan(brief.stdout.length * 1.3);
    expect(verbose.stdout).toContain('config.toml');
  });

  it('--timing tells the cost on stderr, as one line of json', async () => {
    const { stdout, stderr } = await podcause([STORY, '--timing', '-o', 'json']);
    JSON.parse(stdout);
    const cost = JSON.parse(stderr);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    for (const key of ['bytes', 'lines', 'facts', 'lookups', 'milliseconds', 'cpuMilliseconds', 'maxRssMb'])
      expect(cost[key], key).toBeGreaterThan(0);
  });

  it('-o yaml says the same as -o json', async () => {
    const { timings: _json, ...fromJson } = await reportOf([STORY]);
    const { timings: _yaml, ...fromYaml } = parse((await podcause([STORY, '-o', 'yaml'])).stdout);
    expect(fromYaml).toEqual(fromJson);
  });

  it('-o html writes a page of its own', async () => {
    const { stdout } = await podcause([STORY, '-o', 'html']);
    expect(stdout).toMatch(/^<!doctype html>/i);
    expect(stdout.trimEnd()).toMatch(/<\/html>$/);
    expect(stdout).not.toMatch(/(?:src|href)="https?:/);
  });

  it('a report is the same each time, wherever it is made', async () => {
    const [here, there] = await Promise.all([
      podcause(['-o', 'json', '.'], { cwd: `${root}${STORY}` }),
      podcause(['-o', 'json', '.'], { cwd: `${root}${STORY}`, env: { TZ: 'Asia/Kathmandu', LANG: 'de_DE.UTF-8' } }),
    ]);
    expect(withoutTimes(there.stdout)).toBe(withoutTimes(here.stdout));
  });
});
