import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const INIT = `apiVersion: kubeadm.k8s.io/v1beta3
kind: InitConfiguration
nodeRegistration:
  criSocket: unix:///run/containerd/containerd.sock
  name: elm-1
  kubeletExtraArgs:
    cgroup-driver: cgroupfs
    node-ip: 10.0.0.5
---
apiServer:
  timeoutForControlPlane: 4m0s
apiVersion: kubeadm.k8s.io/v1beta3
kind: ClusterConfiguration
kubernetesVersion: v1.27.4
networking:
  dnsDomain: cluster.local
  podSubnet: 10.244.0.0/16
---
apiVersion: kubelet.config.k8s.io/v1beta1
cgroupDriver: systemd
kind: KubeletConfiguration`;

describe('kubeadm configuration', () => {
  it('reads every document', () => {
    const heard = hear(INIT);
    expect(heard.taken.map(({ what, lines }) => [what, ...lines])).toEqual([
      ['kubeadm configuration', 1, 8],
      ['kubeadm configuration', 10, 17],
      ['kubelet configuration', 19, 21],
    ]);
    expect(told(heard, 'kubelet.cgroup-driver')).toEqual([
      { about: 'Node/elm-1', driver: 'cgroupfs', source: 'flag' },
      { about: 'Node/?', driver: 'systemd', source: 'file' },
    ]);
    expect(told(heard, 'host.version')).toEqual([{ about: 'Node/?', component: 'kubernetes', version: '1.27.4' }]);
    expect(told(heard, 'kubelet.setting').map(({ key, value, source }) => [key, value, source])).toEqual([
      ['criSocket', 'unix:///run/containerd/containerd.sock', 'file'],
      ['node-ip', '10.0.0.5', 'flag'],
      ['dnsDomain', 'cluster.local', 'file'],
      ['podSubnet', '10.244.0.0/16', 'file'],
    ]);
  });

  it('reads flags in the newer form', () => {
    const text = 'kind: JoinConfiguration\nnodeRegistration:\n  kubeletExtraArgs:\n  - name: cgroup-driver\n    value: systemd';
    expect(told(hear(text), 'kubelet.cgroup-driver')).toMatchObject([{ driver: 'systemd', source: 'flag' }]);
  });

  it('reads a line alone', () => {
    expect(told(hear('  criSocket: /var/run/dockershim.sock'), 'kubelet.setting')).toMatchObject([
      { key: 'criSocket', value: '/var/run/dockershim.sock' },
    ]);
  });
});

describe('a ConfigMap that holds it', () => {
  const map = `apiVersion: v1
data:
  kubelet: |
    apiVersion: kubelet.config.k8s.io/v1beta1
    authentication:
      webhook:
        cacheTTL: 0s
    cgroupDriver: systemd
    kind: KubeletConfiguration
kind: ConfigMap
metadata:
  name: kubelet-config
  namespace: kube-system`;

  it('is read, with its lines, and belongs to no host', () => {
    const heard = hear(map, { node: 'Node/laptop' });
    expect(told(heard, 'kubelet.cgroup-driver')).toEqual([{ about: 'Node/?', driver: 'systemd', source: 'file' }]);
    expect(heard.facts.find(({ kind }) => kind === 'kubelet.cgroup-driver')?.cited[0]?.at.lines).toEqual([8, 8]);
    expect(told(heard, 'object.exists')).toEqual([{ about: 'Object/ConfigMap/kube-system/kubelet-config', type: 'ConfigMap' }]);
    expect(heard.taken).toMatchObject([{ lines: [1, 13] }]);
  });

  it('is left alone when it holds something else', () => {
    expect(
      hear(
        map
          .replace('kubelet: |', 'notes: |')
          .replaceAll('kubelet.config', 'other')
          .replace('cgroupDriver: systemd', 'a: b')
          .replace('    kind: KubeletConfiguration\n', ''),
      ).taken,
    ).toEqual([]);
    expect(hear('apiVersion: v1\nkind: Secret\ndata:\n  kubelet: |\n    abc').taken).toEqual([]);
  });
});
