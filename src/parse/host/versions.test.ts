import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('versions', () => {
  it.each([
    ['containerd github.com/containerd/containerd v1.7.12 71909c1814c544ac47ab91d2e8b84718e517bb99', 'containerd', '1.7.12'],
    ['containerd containerd.io 1.6.24 61f9fd88f79f081d64d6fa3bb1a0dc71ec870523', 'containerd', '1.6.24'],
    ['containerd github.com/containerd/containerd 1.6.20~ds1 1.6.20~ds1-1+b1', 'containerd', '1.6.20~ds1'],
    ['containerd github.com/containerd/containerd/v2 v2.0.4 1a43cb6a1035441f9aca8f5666a9b3ef9e70ab20', 'containerd', '2.0.4'],
    ['runc version 1.1.12-0ubuntu3\nspec: 1.0.2-dev\ngo: go1.22.2\nlibseccomp: 2.5.5', 'runc', '1.1.12-0ubuntu3'],
    ['Kubernetes v1.30.2', 'kubelet', '1.30.2'],
    ['Client Version: v1.29.1\nKustomize Version: v5.0.4', 'kubectl', '1.29.1'],
    ['Client Version: version.Info{Major:"1", Minor:"22", GitVersion:"v1.22.3", GitCommit:"c920368"}', 'kubectl', '1.22.3'],
    ['Server Version: v1.28.9', 'kube-apiserver', '1.28.9'],
    ['kubeadm version: &version.Info{Major:"1", Minor:"27", GitVersion:"v1.27.4", GitCommit:"fa3d799"}', 'kubeadm', '1.27.4'],
    ['crictl version v1.28.0', 'crictl', '1.28.0'],
    ['Docker version 24.0.7, build afdd53b', 'docker', '24.0.7'],
    ['crio version 1.28.1\nVersion:        1.28.1\nGitCommit:      unknown', 'crio', '1.28.1'],
    ['iscsiadm version 2.1.5', 'iscsiadm', '2.1.5'],
    ['systemd 249 (249.11-0ubuntu3.12)\n+PAM +AUDIT +SELINUX', 'systemd', '249'],
    ['AppArmor parser version 4.0.1', 'apparmor', '4.0.1'],
  ])('%s', (text, component, version) => {
    const heard = hear(text);
    expect(told(heard, 'host.version')).toEqual([{ about: 'Node/?', component, version }]);
    expect(heard.taken).toMatchObject([{ lines: [1, text.split('\n').length] }]);
  });

  it('a program that answers is there', () => {
    expect(told(hear('iscsiadm version 2.1.5'), 'host.tool')).toMatchObject([{ name: 'iscsiadm', present: true }]);
  });

  it('hands on what kubectl warns of', () => {
    const heard = hear(
      'Client Version: v1.24.0\nKustomize Version: v4.5.4\nWARNING: version difference between client (1.24) and server (1.28) exceeds the supported minor version skew of +/-1',
    );
    expect(heard.sayings).toMatchObject([{ level: 'warning' }]);
  });

  it.each([
    'systemd 247 or later is needed',
    'Kubernetes v1.30 is out',
    'runc version 1.1 has a bug',
    'containerd 1.7',
    'We run Docker version 24.0.7',
  ])('takes no prose: %s', (text) => {
    expect(hear(text).taken).toEqual([]);
  });

  it('does not speak of the host for a container', () => {
    expect(hear('Kubernetes v1.30.2', { command: 'kubectl exec web-0 -- kubelet --version' }).facts).toEqual([]);
  });
});
