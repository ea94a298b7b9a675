import { describe, expect, it } from 'vitest';
import { flagsOf } from './kubelet-flags.ts';
import { hear, told } from './testing.ts';

function flags(text: string, context = {}) {
  return told(hear(text, context), 'kubelet.setting').map(({ key, value }) => `${key}=${value}`);
}

describe('flagsOf', () => {
  it('reads both ways of writing a value', () => {
    expect(flagsOf('--a=1 --b 2 --c --d="x y" -v=2')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
      { name: 'c', value: 'true' },
      { name: 'd', value: 'x y' },
      { name: 'v', value: '2' },
    ]);
  });

  it('leaves a cut word out', () => {
    expect(flagsOf('--a=1 --container-runtime-endpoint=unix:///run/cont…')).toEqual([{ name: 'a', value: '1' }]);
  });
});

describe('kubelet flags', () => {
  it('reads kubeadm’s file and the distribution’s', () => {
    expect(
      flags(
        'KUBELET_KUBEADM_ARGS="--container-runtime-endpoint=unix:///run/containerd/containerd.sock --pod-infra-container-image=registry.k8s.io/pause:3.9"',
      ),
    ).toEqual(['container-runtime-endpoint=unix:///run/containerd/containerd.sock', 'pod-infra-container-image=registry.k8s.io/pause:3.9']);
    expect(told(hear('KUBELET_EXTRA_ARGS=--cgroup-driver=cgroupfs'), 'kubelet.cgroup-driver')).toEqual([
      { about: 'Node/?', driver: 'cgroupfs', source: 'flag' },
    ]);
    expect(flags('KUBELET_EXTRA_ARGS=')).toEqual([]);
  });

  it('reads the drop-in, with lines that go on', () => {
    const text = `# /usr/lib/systemd/system/kubelet.service
[Unit]
Description=kubelet: The Kubernetes Node Agent

[Service]
ExecStart=/usr/bin/kubelet \\
  --config=/etc/kubelet.yaml \\
  --cgroup-driver=systemd
Restart=always

# /etc/systemd/system/kubelet.service.d/10-kubeadm.conf
[Service]
Environment="KUBELET_NETWORK_ARGS=--network-plugin=cni --cni-bin-dir=/opt/cni/bin"
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_NETWORK_ARGS`;
    const heard = hear(text, { command: 'systemctl cat kubelet' });
    expect(heard.taken).toEqual([{ what: 'systemd unit file', lines: [1, 15] }]);
    expect(told(heard, 'kubelet.cgroup-driver')).toMatchObject([{ driver: 'systemd', source: 'flag' }]);
    expect(flags(text)).toEqual(['config=/etc/kubelet.yaml', 'network-plugin=cni', 'cni-bin-dir=/opt/cni/bin']);
  });

  it.each([
    'root         914  2.3  1.1 1861020 98724 ?       Ssl  20:50   0:41 /usr/bin/kubelet --config=/var/lib/kubelet/config.yaml --cgroup-driver=systemd',
    '  914 /usr/local/bin/kubelet --kubeconfig=/etc/kubernetes/kubelet.conf --cgroup-driver systemd',
    '/usr/bin/kubelet --cgroup-driver=systemd --hostname-override=elm-1',
  ])('reads a process: %s', (text) => {
    expect(told(hear(text), 'kubelet.cgroup-driver')).toMatchObject([{ driver: 'systemd', source: 'flag' }]);
  });

  it('takes the name that the kubelet was given for the node', () => {
    expect(hear('/usr/bin/kubelet --hostname-override=elm-1 --max-pods=200').facts.map(({ about }) => about)).toEqual([
      'Node/elm-1',
      'Node/elm-1',
    ]);
  });

  it.each([
    'Run kubelet --cgroup-driver=systemd to fix it.',
    'kubelet --version',
    '  12 monkeys /kubelet -- yes',
    'Mar 04 10:00:00 elm-1 kubelet[914]: Flag --cgroup-driver has been deprecated',
    'EXTRA_ARGS="--cgroup-driver=systemd"',
  ])('takes nothing from %j', (text) => {
    expect(hear(text).facts).toEqual([]);
  });
});

describe('runtime units', () => {
  it('tells how docker is started', () => {
    const heard = hear('[Service]\nExecStart=/usr/bin/dockerd -H fd:// --exec-opt native.cgroupdriver=systemd');
    expect(told(heard, 'runtime.cgroup-driver')).toMatchObject([{ runtime: 'docker', driver: 'systemd', source: 'file' }]);
    const running = hear(
      'root  1234  0.5  2.0 1500 900 ?  Ssl  10:00  1:02 /usr/bin/dockerd -H fd:// --exec-opt native.cgroupdriver=cgroupfs',
    );
    expect(told(running, 'runtime.cgroup-driver')).toMatchObject([{ driver: 'cgroupfs', source: 'effective' }]);
  });

  it('tells what systemd does to containerd’s children', () => {
    const heard = hear('[Service]\nExecStart=/usr/bin/containerd\nKillMode=control-group', { unit: 'containerd' });
    expect(told(heard, 'runtime.setting')).toEqual([
      { about: 'Node/?', runtime: 'containerd', key: 'KillMode', value: 'control-group', source: 'file' },
    ]);
  });
});
