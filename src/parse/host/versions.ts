import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, say, scopeOf } from './scope.ts';
import { plainVersion } from './text.ts';

interface VersionLine {
  readonly component: string;
  readonly pattern: RegExp;
  /** Lines that belong to the same output. */
  readonly tail?: RegExp;
}

const KUBE_TAIL = /^(?:Kustomize Version: \S|WARNING: version difference|WARNING: This version information is deprecated)/;

const VERSION_LINES: readonly VersionLine[] = [
  {
    component: 'containerd',
    pattern: /^containerd (?:containerd\.io|github\.com\/containerd\/containerd(?:\/v2)?) (?<version>v?\d\S{0,60})/,
  },
  { component: 'ctr', pattern: /^ctr (?:containerd\.io|github\.com\/containerd\/containerd(?:\/v2)?) (?<version>v?\d\S{0,60})/ },
  { component: 'runc', pattern: /^runc version (?<version>v?\d\S{0,60})$/, tail: /^(?:commit|spec|go|libseccomp): \S/ },
  { component: 'crun', pattern: /^crun version (?<version>\d\S{0,60})$/, tail: /^(?:commit|rundir|spec): \S|^\+[A-Z]/ },
  { component: 'kubelet', pattern: /^Kubernetes (?<version>v\d+\.\d+\.\d+\S{0,60})$/ },
  {
    component: 'kubectl',
    pattern: /^Client Version: (?:(?<version>v\d\S{0,60})$|version\.Info\{.{0,80}GitVersion:"(?<info>v[^"]{1,60})")/,
    tail: KUBE_TAIL,
  },
  {
    component: 'kube-apiserver',
    pattern: /^Server Version: (?:(?<version>v\d\S{0,60})$|version\.Info\{.{0,80}GitVersion:"(?<info>v[^"]{1,60})")/,
    tail: KUBE_TAIL,
  },
  { component: 'kubeadm', pattern: /^kubeadm version: &version\.Info\{.{0,80}GitVersion:"(?<version>v[^"]{1,60})"/ },
  { component: 'crictl', pattern: /^crictl version (?<version>v?\d\S{0,60})$/ },
  { component: 'docker', pattern: /^Docker version (?<version>\d[^\s,]{0,60}), build \S/ },
  {
    component: 'crio',
    pattern: /^crio version (?<version>v?\d\S{0,60})$/,
    tail: /^\s{0,3}(?:Version|GitCommit|GitCommitDate|GitTreeState|BuildDate|GoVersion|Compiler|Platform|Linkmode|BuildTags|LDFlags|SeccompEnabled|AppArmorEnabled|Dependencies):/,
  },
  { component: 'cri-dockerd', pattern: /^cri-dockerd (?<version>v?\d\S{0,60}) \(/ },
  { component: 'systemd', pattern: /^systemd (?<version>\d{3})(?: \([\w.+~-]{1,60}\))?$/, tail: /^[+-][A-Z]/ },
  { component: 'conmon', pattern: /^conmon version (?<version>\d\S{0,60})$/ },
  { component: 'apparmor', pattern: /^AppArmor parser version (?<version>\d\S{0,60})$/, tail: /^Copyright \(C\)/ },
  { component: 'k3s', pattern: /^k3s version (?<version>v\d\S{0,60}) \(/, tail: /^go version / },
  { component: 'rke2', pattern: /^rke2 version (?<version>v\d\S{0,60}) \(/, tail: /^go version / },
  { component: 'iptables', pattern: /^iptables (?<version>v\d[\w.]{2,20}(?: \((?:nf_tables|legacy)\))?)$/ },
  { component: 'iscsiadm', pattern: /^iscsiadm version (?<version>\d\S{0,60})$/ },
  { component: 'mount.nfs', pattern: /^mount\.nfs: \(linux nfs-utils (?<version>\d[^\s)]{0,60})\)/ },
];
const TOOLS: ReadonlySet<string> = new Set(['iscsiadm', 'mount.nfs']);

/** Lines that programs print when asked for their version. */
export const versionReader: BlockReader = {
  what: 'program versions',
  read(lines, from, context, sink) {
    const text = (lines[from] ?? '').slice(0, 600).trim();
    const first = text[0] ?? '';
    if (!/[A-Za-z]/.test(first) || insideContainer(context)) return from;
    for (const { component, pattern, tail } of VERSION_LINES) {
      const groups = pattern.exec(text)?.groups;
      const version = groups?.['version'] ?? groups?.['info'];
      if (version === undefined) continue;
      const scope = scopeOf(lines, context, sink);
      sink.fact('host.version', scope.node, { component, version: plainVersion(version) }, cite(scope, from));
      if (TOOLS.has(component)) sink.fact('host.tool', scope.node, { name: component, present: true }, cite(scope, from));
      let end = from + 1;
      for (; tail?.test((lines[end] ?? '').slice(0, 300).trim()); end++) {
        if (/^WARNING/.test((lines[end] ?? '').trim())) say(scope, 'host-versions', lines[end] ?? '', end, { level: 'warning', component });
      }
      cover(scope, 'host-versions', 'excerpt', from, end);
      return end;
    }
    return from;
  },
};
