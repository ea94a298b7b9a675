import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('CRI-O configuration', () => {
  it('reads a drop-in', () => {
    const heard = hear(
      '[crio.runtime]\nconmon_cgroup = "pod"\ncgroup_manager = "cgroupfs"\n\n[crio.image]\npause_image = "registry.k8s.io/pause:3.9"',
    );
    expect(told(heard, 'runtime.cgroup-driver')).toEqual([
      { about: 'Node/?', runtime: 'crio', driver: 'cgroupfs', explicit: true, source: 'file' },
    ]);
    expect(told(heard, 'runtime.setting').map(({ key, value }) => `${key}=${value}`)).toEqual([
      'conmon_cgroup=pod',
      'cgroup_manager=cgroupfs',
      'pause_image=registry.k8s.io/pause:3.9',
    ]);
    expect(heard.coverage).toMatchObject([{ channel: 'crio-config', extent: 'excerpt' }]);
  });

  it('reads a line alone, also from grep', () => {
    expect(told(hear('cgroup_manager = "systemd"'), 'runtime.cgroup-driver')).toMatchObject([{ driver: 'systemd', source: 'file' }]);
    expect(told(hear('/etc/crio/crio.conf:cgroup_manager = "systemd"'), 'runtime.cgroup-driver')).toMatchObject([{ driver: 'systemd' }]);
  });

  it('takes a commented key for the default only where crio itself prints it', () => {
    const text =
      '[crio.runtime]\n# Cgroup management implementation used for the runtime.\n# cgroup_manager = "systemd"\n\n# conmon_cgroup = ""';
    expect(told(hear(text), 'runtime.cgroup-driver')).toEqual([]);
    expect(told(hear(text, { command: 'crio config' }), 'runtime.cgroup-driver')).toEqual([
      { about: 'Node/?', runtime: 'crio', driver: 'systemd', explicit: false, source: 'effective' },
    ]);
    expect(
      told(hear('# cgroup_manager = "systemd"', { command: 'crio config | grep cgroup_manager' }), 'runtime.cgroup-driver'),
    ).toHaveLength(1);
  });

  it('leaves other tables to others', () => {
    expect(hear('[storage]\ndriver = "overlay"').taken).toEqual([]);
    expect(hear('cgroup_manager decides').taken).toEqual([]);
  });
});
