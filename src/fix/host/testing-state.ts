import type { HostFile, HostState } from './host-state.ts';
import { sha256 } from './plan-files.ts';

/** A healthy Debian host with containerd and a kubelet, unless told otherwise. */
export function stateOf(given: Partial<HostState> & { readonly texts?: Readonly<Record<string, string>> } = {}): HostState {
  const { texts = {}, ...rest } = given;
  return {
    node: 'worker-1',
    complete: true,
    family: 'debian',
    os: 'Debian GNU/Linux 12',
    manager: 'apt-get',
    hasSystemd: true,
    files: new Map(Object.entries(texts).map(([path, text]) => [path, fileOf(path, text)])),
    unread: new Map(),
    configs: { containerd: '/etc/containerd/config.toml', kubelet: '/var/lib/kubelet/config.yaml', docker: '/etc/docker/daemon.json' },
    versions: new Map([['containerd', '1.7.2']]),
    containerdSocket: '/run/containerd/containerd.sock',
    sysctls: new Map([['vm.max_map_count', '65530']]),
    modules: new Set(['overlay']),
    commands: new Set(['containerd', 'ctr', 'kubeadm']),
    packages: new Set(),
    units: new Map([
      ['containerd', 'active'],
      ['kubelet', 'active'],
    ]),
    enabled: new Set(),
    since: new Map(),
    profiles: new Map(),
    etcWritable: true,
    freeBytes: 10_000_000_000,
    ghosts: [],
    dockerSilent: false,
    journal: [],
    ...rest,
  };
}

export function fileOf(path: string, text: string): HostFile {
  return { text, sha256: sha256(text), mode: '644', owner: '0:0', modified: 1000, real: path };
}
