import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('configz', () => {
  const body = {
    kubeletconfig: {
      cgroupDriver: 'cgroupfs',
      clusterDNS: ['10.96.0.10'],
      evictionHard: { 'memory.available': '100Mi' },
      failSwapOn: false,
    },
  };

  it('tells what the kubelet works with, on the node that was asked', () => {
    const context = { command: 'kubectl get --raw /api/v1/nodes/elm-1/proxy/configz | python3 -m json.tool', node: 'Node/laptop' };
    for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2)]) {
      const heard = hear(text, context);
      expect(told(heard, 'kubelet.cgroup-driver')).toEqual([{ about: 'Node/elm-1', driver: 'cgroupfs', source: 'configz' }]);
      expect(told(heard, 'kubelet.setting').map(({ key, value }) => `${key}=${value}`)).toEqual([
        'clusterDNS=10.96.0.10',
        'evictionHard.memory.available=100Mi',
        'failSwapOn=false',
      ]);
      expect(heard.coverage).toMatchObject([{ extent: 'whole' }]);
    }
  });

  it('reads one line of it', () => {
    expect(told(hear('    "cgroupDriver": "systemd",'), 'kubelet.cgroup-driver')).toMatchObject([{ driver: 'systemd' }]);
  });
});

describe('KubeletConfiguration in JSON', () => {
  it('reads the file', () => {
    const file = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', cgroupDriver: 'systemd' };
    expect(told(hear(JSON.stringify(file, null, 2)), 'kubelet.cgroup-driver')).toMatchObject([{ driver: 'systemd', source: 'file' }]);
    const { cgroupDriver, ...open } = file;
    expect(told(hear(JSON.stringify(open)), 'kubelet.setting')).toEqual([
      { about: 'Node/?', key: 'cgroupDriver', value: '', source: 'file' },
    ]);
    expect(cgroupDriver).toBe('systemd');
  });

  it('reads it out of a ConfigMap, which is no host’s own', () => {
    const map = {
      apiVersion: 'v1',
      data: { kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\ncgroupDriver: systemd\nkind: KubeletConfiguration\n' },
      kind: 'ConfigMap',
      metadata: { name: 'kubelet-config', namespace: 'kube-system' },
    };
    const heard = hear(JSON.stringify(map, null, 2), { node: 'Node/laptop' });
    expect(told(heard, 'kubelet.cgroup-driver')).toEqual([{ about: 'Node/?', driver: 'systemd', source: 'file' }]);
    expect(heard.facts.find(({ kind }) => kind === 'kubelet.cgroup-driver')?.cited[0]).toMatchObject({
      at: { pointer: '/data/kubelet', lines: [4, 4] },
      quote: 'cgroupDriver: systemd',
    });
    expect(told(heard, 'object.exists')).toMatchObject([{ about: 'Object/ConfigMap/kube-system/kubelet-config' }]);
  });

  it('leaves other objects alone', () => {
    expect(hear('{"kind":"Pod","metadata":{"name":"KubeletConfiguration"}}').taken).toEqual([]);
    expect(hear('{"kind":"List","items":[{"kind":"KubeletConfiguration"}]}').taken).toEqual([]);
  });
});
