import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beside, filesOf, macAddress, qemuArguments, runningPid, stopQemu, tapName } from './qemu.ts';

const machine = {
  name: 'vm-a',
  folder: '/var/lib/lab/vm-a',
  image: { disk: '/cache/disk.img', kernel: '/cache/vmlinuz', initrd: '/cache/initrd.img' },
  network: { namespace: '/run/netns/lab', bridge: 'lab0', address: '10.77.0.21', prefix: 24 },
  memoryMegabytes: 2048,
};

describe('the arguments of qemu', () => {
  it('boot the overlay, never the shared image, and keep the seed read-only', () => {
    const words = qemuArguments(machine);
    expect(words).toContain('file=/var/lib/lab/vm-a/overlay.qcow2,format=qcow2,if=virtio,cache=unsafe');
    expect(words).toContain('file=/var/lib/lab/vm-a/seed.tar,format=raw,if=virtio,readonly=on');
    expect(words.join(' ')).not.toContain('/cache/disk.img');
  });

  it('ask for AppArmor and for emulation, since nested virtualisation hangs', () => {
    const words = qemuArguments(machine).join(' ');
    expect(words).toContain('apparmor=1 security=apparmor');
    expect(words).toContain('-accel tcg');
    expect(words).not.toContain('kvm');
  });
});

it('names fit what Linux and networks allow', () => {
  expect(tapName('vm-a')).toBe('tap-vm-a');
  expect(tapName('a-node-with-a-long-name').length).toBeLessThanOrEqual(15);
  expect(macAddress('vm-a')).toMatch(/^52:54:00(:[0-9a-f]{2}){3}$/);
  expect(macAddress('vm-a')).not.toBe(macAddress('vm-b'));
});

it('programs run beside the bridge, wherever it is', () => {
  expect(beside(machine.network)).toEqual(['nsenter', '--net=/run/netns/lab']);
  expect(beside({})).toEqual([]);
});

describe('the machine of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'podcause-vm-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('does not run where there is no pid file, or a broken one', () => {
    expect(runningPid(folder)).toBeUndefined();
    for (const text of ['', 'none', '1', '-4', '99999999']) {
      writeFileSync(filesOf(folder).pid, text);
      expect(runningPid(folder)).toBeUndefined();
    }
  });

  it('is not a stranger that got the same number', async () => {
    writeFileSync(filesOf(folder).pid, `${process.pid}\n`);
    expect(runningPid(folder)).toBeUndefined();
    expect(await stopQemu('vm-none', folder, '/run/netns/no-such-lab')).toBeUndefined();
  });
});
