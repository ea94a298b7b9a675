import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, type Scope, say, scopeOf } from './scope.ts';
import { plainVersion } from './text.ts';

/** Packages worth telling, with the component whose version they carry or the tool they bring. */
const PACKAGES: Readonly<Record<string, { readonly component?: string; readonly tool?: string }>> = {
  containerd: { component: 'containerd' },
  'containerd.io': { component: 'containerd' },
  runc: { component: 'runc' },
  crun: { component: 'crun' },
  'docker-ce': { component: 'docker' },
  'docker.io': { component: 'docker' },
  docker: { component: 'docker' },
  'moby-engine': { component: 'docker' },
  'moby-containerd': { component: 'containerd' },
  'cri-o': { component: 'crio' },
  'cri-dockerd': { component: 'cri-dockerd' },
  'cri-tools': { component: 'crictl' },
  kubelet: { component: 'kubelet' },
  kubeadm: { component: 'kubeadm' },
  kubectl: { component: 'kubectl' },
  'kubernetes-cni': {},
  'containernetworking-plugins': {},
  'open-iscsi': { tool: 'iscsiadm' },
  'iscsi-initiator-utils': { tool: 'iscsiadm' },
  'nfs-common': { tool: 'mount.nfs' },
  'nfs-utils': { tool: 'mount.nfs' },
  'nfs-client': { tool: 'mount.nfs' },
  'cifs-utils': { tool: 'mount.cifs' },
  'multipath-tools': { tool: 'multipath' },
  'device-mapper-multipath': { tool: 'multipath' },
  lvm2: { tool: 'lvm' },
  cryptsetup: { tool: 'cryptsetup' },
  dmsetup: { tool: 'dmsetup' },
  xfsprogs: { tool: 'mkfs.xfs' },
  e2fsprogs: { tool: 'mkfs.ext4' },
  conntrack: { tool: 'conntrack' },
  'conntrack-tools': { tool: 'conntrack' },
  socat: { tool: 'socat' },
  ipset: { tool: 'ipset' },
  iptables: { tool: 'iptables' },
  ethtool: { tool: 'ethtool' },
  ebtables: { tool: 'ebtables' },
  chrony: { tool: 'chronyc' },
  apparmor: { component: 'apparmor' },
};

interface PackageLine {
  readonly name: string;
  readonly version?: string;
  readonly installed: boolean;
}

const DPKG =
  /^(?<wanted>[uihrp])(?<state>[ncHUFWti])\s?\s+(?<name>[a-z0-9][\w.+-]{1,80})(?::\w{2,8})?\s+(?<version>\S{1,80})\s+(?:amd64|arm64|all|i386|armhf|ppc64el|s390x|<none>)(?:\s|$)/;
const APT =
  /^(?<name>[a-z0-9][\w.+-]{1,80})\/\S{1,80}\s+(?<version>\S{1,80})\s+(?:amd64|arm64|all|i386|armhf)(?<state>\s+\[[^\]]{1,80}\])?\s*$/;
const RPM =
  /^(?<name>[a-zA-Z][\w.+-]{1,60}?)-(?<version>\d[\w.~^+]{0,40}-[\w.~^+]{1,60})\.(?:x86_64|aarch64|noarch|ppc64le|s390x|i686)\s*$/;
const YUM =
  /^(?<name>[a-zA-Z][\w.+-]{1,60}?)\.(?:x86_64|aarch64|noarch|ppc64le|s390x)\s+(?<version>\S{1,80})\s+(?<repository>@?[\w/.-]{1,60})\s*$/;
const ABSENT =
  /^(?:package (?<rpm>[\w.+-]{1,60}) is not installed|dpkg-query: (?:no packages found matching |package ')(?<dpkg>[\w.+-]{1,60})|E: Unable to locate package (?<apt>[\w.+-]{1,60}))/;

function parse(text: string): PackageLine | undefined {
  const dpkg = DPKG.exec(text)?.groups;
  if (dpkg) return { name: dpkg['name'] ?? '', version: dpkg['version'] ?? '', installed: dpkg['state'] === 'i' };
  const apt = APT.exec(text)?.groups;
  if (apt)
    return { name: apt['name'] ?? '', version: apt['version'] ?? '', installed: /installed|upgradable from/.test(apt['state'] ?? '') };
  const rpm = RPM.exec(text)?.groups;
  if (rpm) return { name: rpm['name'] ?? '', version: rpm['version'] ?? '', installed: true };
  const yum = YUM.exec(text)?.groups;
  if (yum) return { name: yum['name'] ?? '', version: yum['version'] ?? '', installed: (yum['repository'] ?? '').startsWith('@') };
  const absent = ABSENT.exec(text)?.groups;
  const name = absent?.['rpm'] ?? absent?.['dpkg'] ?? absent?.['apt'];
  return name === undefined ? undefined : { name, installed: false };
}

function tell(scope: Scope, found: PackageLine, line: number): void {
  const known = PACKAGES[found.name];
  if (!known || !Object.hasOwn(PACKAGES, found.name)) return;
  const cited = cite(scope, line);
  scope.sink.fact('host.tool', scope.node, { name: found.name, present: found.installed }, cited);
  if (!found.installed) return;
  if (known.tool) scope.sink.fact('host.tool', scope.node, { name: known.tool, present: true }, cited);
  if (known.component && found.version)
    scope.sink.fact('host.version', scope.node, { component: known.component, version: plainVersion(found.version) }, cited);
}

function lineAt(lines: readonly string[], index: number): string {
  const line = lines[index] ?? '';
  return line.length > 600 ? '' : line.trim();
}

const POLICY_NAME = /^(?<name>[a-z0-9][\w.+-]{1,60}):$/;
const POLICY_INSTALLED = /^Installed: (?<version>\S{1,80}|\(none\))$/;

/** `apt-cache policy`: a name, what is installed, what could be. */
function readPolicy(scope: Scope, from: number): number {
  const name = POLICY_NAME.exec(lineAt(scope.lines, from))?.groups?.['name'];
  const version = POLICY_INSTALLED.exec(lineAt(scope.lines, from + 1))?.groups?.['version'];
  if (!name || !version) return from;
  tell(scope, { name, installed: version !== '(none)', ...(version !== '(none)' ? { version } : {}) }, from + 1);
  let end = from + 2;
  while (/^(?:Candidate:|Version table:|\*\*\*|\d{3,4} |\S+ \d{3}$)/.test(lineAt(scope.lines, end))) end++;
  return end;
}

export const packageReader: BlockReader = {
  what: 'package list',
  read(lines, from, context, sink) {
    if (insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (let found = parse(lineAt(lines, end)); found; found = parse(lineAt(lines, end))) {
      tell(scope, found, end);
      if (!found.installed && found.version === undefined) say(scope, 'host-tools', lines[end] ?? '', end);
      end++;
    }
    if (end === from) end = readPolicy(scope, from);
    if (end === from) return from;
    cover(scope, 'host-tools', 'excerpt', from, end);
    cover(scope, 'host-versions', 'excerpt', from, end);
    return end;
  },
};
