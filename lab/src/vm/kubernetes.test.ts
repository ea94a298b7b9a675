import { describe, expect, it } from 'vitest';
import { cniConfig, kubeletConfig, kubeletFlags, seedFiles } from './kubernetes.ts';

describe('the kubelet', () => {
  it('gets the driver it is told', () => {
    expect(kubeletConfig({ driver: 'systemd', runtime: 'containerd' })).toContain('\ncgroupDriver: systemd\n');
    expect(kubeletConfig({ driver: 'cgroupfs', runtime: 'containerd' })).toContain('\ncgroupDriver: cgroupfs\n');
  });

  it('gets no field that is younger than itself', () => {
    const old = kubeletConfig({ driver: 'systemd', runtime: 'docker' });
    expect(old).not.toContain('containerRuntimeEndpoint');
    expect(old).not.toContain('NodeLogQuery');
  });

  it('calls the CNI plugins itself only with Docker', () => {
    const about = { name: 'vm-a', address: '10.77.0.21', sandboxImage: 'pause:1' };
    expect(kubeletFlags({ ...about, runtime: 'docker' })).toContain('--network-plugin=cni');
    expect(kubeletFlags({ ...about, runtime: 'containerd' })).not.toContain('cni');
    for (const runtime of ['docker', 'containerd'] as const) {
      expect(kubeletFlags({ ...about, runtime })).toContain('--node-ip=10.77.0.21');
      expect(kubeletFlags({ ...about, runtime })).toContain(':NoSchedule');
    }
  });
});

describe('the files of a boot', () => {
  const cluster = { kubeconfig: 'kind: Config\n', caCertificate: 'PEM\n', podCidr: '10.244.3.0/24' };
  const files = seedFiles({
    name: 'vm-a',
    address: '10.77.0.21',
    prefix: 24,
    gateway: '10.77.0.1',
    publicKey: 'ssh-ed25519 AAAA\n',
    cluster,
  });
  const text = (path: string) => String(files.find((file) => file.path === path)?.data);

  it('give the node its address and name', () => {
    expect(text('etc/hostname')).toBe('vm-a\n');
    expect(text('etc/systemd/network/10-lab.network')).toContain('Address=10.77.0.21/24');
    expect(text('etc/systemd/network/10-lab.network')).toContain('Gateway=10.77.0.1');
  });

  it('keep credentials to root', () => {
    for (const path of ['root/.ssh/authorized_keys', 'etc/kubernetes/kubelet.conf']) {
      expect(files.find((file) => file.path === path)?.mode).toBe(0o600);
    }
  });

  it('lay pods into the range of the node', () => {
    const list = JSON.parse(cniConfig('10.244.3.0/24')) as { plugins: { type: string; ipam?: { ranges: { subnet: string }[][] } }[] };
    expect(list.plugins[0]?.ipam?.ranges[0]?.[0]?.subnet).toBe('10.244.3.0/24');
  });
});
