import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { bootScript, launchScript } from './boot-script.ts';
import { cniConfiguration, containerdConfiguration, kubeletConfiguration, kubeletUnit, MASKED_UNITS } from './configuration.ts';

const node = { name: 'worker-z', address: '10.1.0.9', podNetwork: '10.2.9.0/24' };

describe('the configuration of a node', () => {
  it.each(['systemd', 'cgroupfs'] as const)('lets kubelet and containerd agree on %s', (driver) => {
    const runtimes = JSON.stringify(parseToml(containerdConfiguration(driver)));
    expect(parseYaml(kubeletConfiguration(driver)).cgroupDriver).toBe(driver);
    expect(runtimes).toContain(`"SystemdCgroup":${driver === 'systemd'}`);
  });

  it('takes further settings of the kubelet', () => {
    expect(parseYaml(kubeletConfiguration('systemd', 'podPidsLimit: 40\n')).podPidsLimit).toBe(40);
  });

  it('gives every node a pod network of its own', () => {
    expect(JSON.parse(cniConfiguration(node)).plugins[0].ipam.ranges).toEqual([[{ subnet: '10.2.9.0/24' }]]);
  });

  it('names the node to its kubelet', () => {
    expect(kubeletUnit(node)).toContain('--hostname-override=worker-z');
    expect(kubeletUnit(node)).toContain('--node-ip=10.1.0.9');
  });

  it('masks whole unit names', () => {
    for (const unit of MASKED_UNITS) expect(unit).toMatch(/^[\w@-]+\.(?:service|socket|mount|automount|path|target)$/);
  });
});

describe('bootScript', () => {
  const place = { node: 'worker-z', disk: '/s/disk.img', mountPoint: '/s/root', layer: '/s/layer' };

  it('makes nothing before its mounts are private, and leaves the old root', () => {
    const lines = bootScript({ ...place, hierarchies: [{ folder: 'memory', options: 'memory' }, { folder: 'unified' }] }).split('\n');
    expect(lines[2]).toBe('mount --make-rprivate /');
    expect(lines).toContain('mount -t cgroup -o memory cgroup sys/fs/cgroup/memory');
    expect(lines).toContain('mount -t cgroup2 cgroup2 sys/fs/cgroup/unified');
    expect(lines.indexOf('umount -l /.old')).toBeGreaterThan(lines.indexOf('pivot_root . .old'));
    expect(lines.at(-2)).toMatch(/^exec .*systemd/);
  });

  it('mounts version 2 at the top where the machine has it alone', () => {
    const script = bootScript({ ...place, hierarchies: [{ folder: '' }] });
    expect(script).toContain('mount -t cgroup2 cgroup2 sys/fs/cgroup\n');
    expect(script).not.toContain('mount -t cgroup ');
  });
});

describe('launchScript', () => {
  it('enters the cgroups before the namespaces are made', () => {
    const lines = launchScript(['/sys/fs/cgroup/memory/lab/z'], 'lab-z', '/s/boot.sh').split('\n');
    expect(lines[2]).toBe('echo $$ > /sys/fs/cgroup/memory/lab/z/cgroup.procs');
    expect(lines[3]).toMatch(/^exec nsenter --net=\/run\/netns\/lab-z unshare .*--cgroup .*\/s\/boot\.sh$/);
  });
});
