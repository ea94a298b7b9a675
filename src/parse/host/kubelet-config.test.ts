import { describe, expect, it } from 'vitest';
import { hear, linesOf, told } from './testing.ts';

const CONFIG = `apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
containerRuntimeEndpoint: ""
evictionHard:
  memory.available: 200Mi
  nodefs.available: "10%"
failSwapOn: true
imageMinimumGCAge: 0s
kind: KubeletConfiguration
memorySwap: {}
resolvConf: /run/systemd/resolve/resolv.conf
staticPodPath: /etc/kubernetes/manifests`;

function settings(text: string, context = {}) {
  return Object.fromEntries(told(hear(text, context), 'kubelet.setting').map(({ key, value }) => [key, value]));
}

describe('KubeletConfiguration', () => {
  it('tells the driver and the settings of a whole file', () => {
    const heard = hear(CONFIG, { command: 'cat /var/lib/kubelet/config.yaml', node: 'Node/elm-1' });
    expect(told(heard, 'kubelet.cgroup-driver')).toEqual([{ about: 'Node/elm-1', driver: 'systemd', source: 'file' }]);
    expect(linesOf(heard.facts.find(({ kind }) => kind === 'kubelet.cgroup-driver'))).toEqual([5, 5]);
    expect(settings(CONFIG)).toEqual({
      clusterDNS: '10.96.0.10',
      clusterDomain: 'cluster.local',
      'evictionHard.memory.available': '200Mi',
      'evictionHard.nodefs.available': '10%',
      failSwapOn: 'true',
      imageMinimumGCAge: '0s',
      memorySwap: '{}',
      resolvConf: '/run/systemd/resolve/resolv.conf',
      staticPodPath: '/etc/kubernetes/manifests',
    });
    expect(heard.coverage).toMatchObject([{ channel: 'kubelet-config', extent: 'whole' }]);
    expect(heard.taken).toMatchObject([{ lines: [1, 18] }]);
  });

  it('says when a whole file leaves the driver open, and only then', () => {
    const open = CONFIG.replace('cgroupDriver: systemd\n', '');
    expect(told(hear(open), 'kubelet.cgroup-driver')).toEqual([]);
    expect(settings(open)['cgroupDriver']).toBe('');
    expect(settings(open.replace('cluster.local\n', 'cluster.local\n...\n'))).not.toHaveProperty('cgroupDriver');
    expect(settings(open.replace('kind: KubeletConfiguration\n', ''))).not.toHaveProperty('cgroupDriver');
    expect(settings(open, { command: 'head /var/lib/kubelet/config.yaml' })).not.toHaveProperty('cgroupDriver');
  });

  it.each([
    ['a line alone', 'cgroupDriver: systemd', 'systemd'],
    ['grep -n', '7:cgroupDriver: cgroupfs', 'cgroupfs'],
    ['grep of a path', '/var/lib/kubelet/config.yaml:cgroupDriver: systemd', 'systemd'],
    ['quoted, with a comment', 'cgroupDriver: "systemd" # must fit', 'systemd'],
    ['indented, between omissions', '  ...\n  cgroupDriver: cgroupfs\n  ...', 'cgroupfs'],
    ['the end of the file', 'volumeStatsAggPeriod: 0s\ncgroupDriver: systemd', 'systemd'],
  ])('%s', (_name, text, driver) => {
    const heard = hear(text);
    expect(told(heard, 'kubelet.cgroup-driver')).toEqual([{ about: 'Node/?', driver, source: 'file' }]);
    expect(heard.coverage).toMatchObject([{ extent: 'excerpt' }]);
  });

  it.each([
    '# cgroupDriver: systemd',
    'cgroupDriver: this should be the same as the one of the runtime',
    'The cgroupDriver: systemd setting',
    'cgroupDriver',
    'kind: Pod\nmetadata:\n  name: x',
    'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: b',
  ])('takes no driver from %j', (text) => {
    expect(told(hear(text), 'kubelet.cgroup-driver')).toEqual([]);
  });

  it('ends at the next document and at prose', () => {
    expect(hear(`${CONFIG}\n---\nkind: Other`).taken).toMatchObject([{ lines: [1, 18] }]);
    expect(hear(`${CONFIG}\n\nAfter that I restarted it.`).taken).toMatchObject([{ lines: [1, 18] }]);
    expect(hear('cgroupDriver: systemd\nResult: it works').taken).toMatchObject([{ lines: [1, 1] }]);
  });
});
