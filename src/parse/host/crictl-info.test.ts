import { describe, expect, it } from 'vitest';
import { hear, linesOf, told } from './testing.ts';

const INFO = JSON.stringify(
  {
    status: {
      conditions: [
        { type: 'RuntimeReady', status: true, reason: '', message: '' },
        {
          type: 'NetworkReady',
          status: false,
          reason: 'NetworkPluginNotReady',
          message: 'Network plugin returns error: cni plugin not initialized',
        },
      ],
    },
    cniconfig: { PluginDirs: ['/opt/cni/bin'] },
    config: {
      containerd: {
        snapshotter: 'overlayfs',
        defaultRuntimeName: 'runc',
        runtimes: {
          nvidia: { runtimeType: 'io.containerd.runc.v2', options: { SystemdCgroup: false } },
          runc: { runtimeType: 'io.containerd.runc.v2', options: { BinaryName: '', SystemdCgroup: true } },
        },
      },
      cni: { binDir: '/opt/cni/bin', confDir: '/etc/cni/net.d' },
      systemdCgroup: false,
      sandboxImage: 'registry.k8s.io/pause:3.9',
    },
    lastCNILoadStatus:
      'cni config load failed: no network config found in /etc/cni/net.d: cni plugin not initialized: failed to load cni config',
  },
  null,
  2,
);

describe('crictl info', () => {
  const heard = hear(INFO, { node: 'Node/elm-1' });

  it('tells the driver of each handler, and not the old key', () => {
    expect(told(heard, 'runtime.cgroup-driver').map(({ handler, driver, source }) => [handler, driver, source])).toEqual([
      ['nvidia', 'cgroupfs', 'effective'],
      ['runc', 'systemd', 'effective'],
    ]);
    const line = INFO.split('\n').findIndex((text) => text.includes('"SystemdCgroup": true')) + 1;
    expect(linesOf(heard.facts.filter(({ kind }) => kind === 'runtime.cgroup-driver')[1])).toEqual([line, line]);
  });

  it('tells what is not ready, in its words', () => {
    const settings = Object.fromEntries(told(heard, 'runtime.setting').map(({ key, value }) => [key, value]));
    expect(settings).toMatchObject({
      RuntimeReady: 'true',
      NetworkReady: 'NetworkPluginNotReady: Network plugin returns error: cni plugin not initialized',
      sandbox_image: 'registry.k8s.io/pause:3.9',
      default_runtime_name: 'runc',
      conf_dir: '/etc/cni/net.d',
    });
    expect(heard.sayings.map(({ text }) => text.slice(0, 30))).toEqual([
      'Network plugin returns error: ',
      'cni config load failed: no net',
    ]);
  });

  it('reads single lines as grep leaves them', () => {
    expect(told(hear('              "SystemdCgroup": false'), 'runtime.cgroup-driver')).toMatchObject([
      { driver: 'cgroupfs', source: 'effective' },
    ]);
    expect(told(hear('"SystemdCgroup": true,\n"systemdCgroup": false,'), 'runtime.cgroup-driver')).toMatchObject([{ driver: 'systemd' }]);
    expect(hear('    "systemdCgroup": false,').facts).toEqual([]);
  });

  it('survives a cut', () => {
    for (let length = 0; length < INFO.length; length += 37) expect(() => hear(INFO.slice(0, length))).not.toThrow();
  });
});
