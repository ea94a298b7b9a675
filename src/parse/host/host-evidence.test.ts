import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Fact, FactKind } from '../../model/facts.ts';
import { logReader } from '../logs/log-reader.ts';
import { createEvidenceSink } from '../scan/evidence-sink.ts';
import { createScanner } from '../scan/scanner.ts';
import { readText } from '../segment.ts';
import { hostReaders } from './index.ts';

/** What the looks at a real node printed: Debian 12, kubelet 1.31, containerd 1.6, systemd 252. Names are others'. */
const HOST = readFileSync(new URL('testing-healthy-host.txt', import.meta.url), 'utf8').split('\n');

function read(lines: readonly string[]) {
  const sink = createEvidenceSink(createScanner([]));
  const unrecognised = readText(lines, { doc: 'stdin' }, [...hostReaders, logReader], sink);
  return { ...sink.evidence, unrecognised };
}

const { unrecognised, facts, edges, coverage } = read(HOST);

function told<K extends FactKind>(kind: K): Fact<K>[] {
  return facts.filter((fact): fact is Fact<K> => fact.kind === kind);
}

describe('the evidence of a healthy host', () => {
  it('holds nothing that nobody knows, and is all about that host', () => {
    expect(unrecognised).toEqual([]);
    expect(facts.filter(({ about }) => about.startsWith('Node/') && about !== 'Node/heron-1')).toEqual([]);
  });

  it('tells kernel, disks, certificates, clock and security modules', () => {
    expect(told('host.sysctl').find(({ key }) => key === 'net.ipv4.ip_forward')?.value).toBe('1');
    expect(told('host.filesystem').filter(({ path }) => path === '/')).toEqual([
      expect.objectContaining({ usedShare: 0.01 }),
      expect.objectContaining({ inodesUsedShare: 0.01 }),
    ]);
    expect(told('host.certificate')[0]).toMatchObject({
      path: '/var/lib/kubelet/pki/kubelet-client-current.pem',
      subject: 'O=system:nodes, CN=system:node:heron-1',
      expired: false,
    });
    expect(told('host.clock')).toEqual([expect.objectContaining({ synchronized: false })]);
    const modules = new Set(told('host.lsm').map(({ module, state }) => `${module} ${state}`));
    expect(modules).toEqual(new Set(['apparmor enabled', 'selinux disabled']));
  });

  it('tells what kubelet and runtime are set to, as files and as they really are', () => {
    expect(told('kubelet.cgroup-driver').map(({ driver }) => driver)).toContain('systemd');
    const drivers = told('runtime.cgroup-driver').map(({ driver, source }) => `${driver} ${source}`);
    expect(new Set(drivers)).toEqual(new Set(['systemd file', 'systemd effective']));
    expect(told('runtime.setting').find(({ key }) => key === 'lastCNILoadStatus')?.value).toBe('OK');
  });

  it('puts containers of the cgroup tree and of the runtime to the same pod', () => {
    const [path] = told('container.cgroup-path');
    expect(path).toMatchObject({ shape: 'scope', about: 'cid:680b64ed44447494cc11414d72c07c7f1d46e0e0af8e4f548c4314a1fc7b5e40' });
    expect(edges).toContainEqual({ type: 'alias', alias: path?.about, entity: 'Container/pond/reed-0/main' });
    expect(edges).toContainEqual({ type: 'runs-on', pod: 'Pod/pond/reed-0', node: 'Node/heron-1' });
  });

  it('takes no installed but idle runtime for a stopped one', () => {
    const units = told('unit.state').map(({ unit, active }) => `${unit} ${active}`);
    expect(units).toContain('containerd active');
    expect(units.filter((unit) => unit.startsWith('docker'))).toEqual([]);
  });

  it('covers each channel a host has', () => {
    const channels = new Set(coverage.map(({ channel }) => channel));
    for (const channel of [
      'kubelet-config',
      'containerd-config',
      'unit-state',
      'runtime-state',
      'cgroup-paths',
      'cgroup-version',
      'host-os',
      'host-versions',
      'host-tools',
      'host-state',
      'apparmor-state',
      'kubelet-log',
      'containerd-log',
      'kernel-log',
      'system-log',
    ] as const)
      expect.soft(channels, channel).toContain(channel);
  });
});
