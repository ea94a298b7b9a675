import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const unreadable = line(
  ['process manifest file', 'process config file', 'please check config file'],
  'kubelet-log',
  /(?:(?:Could not|Can't) process (?:manifest|config) file|can't process config file)[^\n]{0,60}?(?:[\\"]{1,4}(?<first>\/[^\s"\\]{1,200})[\\"]{1,4})?[^\n]{0,20}?(?:err=|: )(?<rest>[\s\S]{0,400})|(?<file>\/[^\s":\\]{1,200}): couldn't parse as pod\((?<reason>[\s\S]{1,300}?)\), please check config file/,
);
const parse = line(
  "couldn't parse as pod",
  'kubelet-log',
  /(?:(?<path>\/[^\s":\\]{1,200}): )?couldn't parse as pod\((?<reason>[\s\S]{1,300}?)\), please check config file/,
);
const invalid = line(
  ['invalid pod: ', 'Error validating pod'],
  'kubelet-log',
  /(?:manifest|config) file[\s\S]{0,200}?invalid pod: (?<error>[\s\S]{1,300})|Error validating pod (?<pod>\S{1,300}) from file due to duplicate pod name/i,
);
const duplicate = line(
  ['due to duplicate pod name', 'duplicate pod name'],
  ['kubelet-log', 'pod-events'],
  /duplicate pod name(?:,| [\\"]{0,4}(?<name>[a-z0-9.-]{1,253}))/i,
);
const copies = line(
  ['.yaml.bak', '.yaml.old', '.yaml.orig', '.yaml.save', '.yaml-bak', '.yaml_bak', '.yaml.backup', '.yaml.rpmsave', '.yaml.swp'],
  'host-tools',
  /(?<copy>(?:kube-apiserver|kube-controller-manager|kube-scheduler|etcd)\.yaml[._-](?:bak|old|orig|save|backup|rpmsave|swp)[\w.-]{0,30})/,
);
const noDirectory = line('path does not exist, ignoring', [], /Unable to read config path[^\n]{0,80}path does not exist, ignoring/);

export const cause = defineCause({
  id: 'kubelet-static-pod-manifest-broken',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['control-plane-down', 'node-not-ready', 'not-ready', 'restarts', 'crash-loop', 'kubelet-down', 'other-trouble'],

  text: {
    name: 'Static pod manifest is broken',
    title: 'The kubelet of {node} cannot read the static pod manifest {path}: {reason}',
    why: 'Static pods (kube-apiserver, etcd, kube-scheduler and kube-controller-manager of kubeadm) come from files in /etc/kubernetes/manifests. The kubelet cannot use {path} ({reason}), so it does not start that pod, and without API server or etcd nothing of the cluster answers. Every file in the folder is read, copies with .bak too: two files of one pod name fight.',
  },

  clues: {
    parse: proves(parse),
    // Editors make files for a moment; one that is gone again does no harm.
    unreadable: proves(
      unreadable,
      ({ channel, fields }) => channel !== 'container-log' && !/no such file or directory/.test(fields['rest'] ?? ''),
    ),
    invalid: proves(invalid),
    duplicate: proves(duplicate, ({ channel }) => channel !== 'container-log'),
    copies: supports(copies),
    noDirectory: excludes(noDirectory),
  },
  says: {
    parse: 'the kubelet cannot parse {path} as a pod: {reason}',
    unreadable: 'the kubelet cannot process the manifest {path}',
    invalid: 'the manifest parses, but is no valid pod: {reason}',
    duplicate: 'two manifests have the same pod name {name}',
    copies: 'a copy lies among the manifests: {copy}',
    noDirectory: 'there is no manifest folder at all, as on most workers: harmless',
  },
  slots: (place, { parse: parsed, unreadable: file, invalid: pod, duplicate: twin, copies: copy }) => ({
    node: place.name,
    path: parsed?.fields['path'] ?? file?.fields['first'] ?? file?.fields['file'] ?? 'in /etc/kubernetes/manifests',
    reason: clean(
      parsed?.fields['reason'] ??
        pod?.fields['error'] ??
        file?.fields['reason'] ??
        (twin ? `two files hold a pod of the same name ${twin.fields['name'] ?? ''}` : 'it is no valid pod'),
    ),
    name: twin?.fields['name'] ?? '',
    copyName: copy?.fields['copy'] ?? '',
    copy: copy?.fields['copy'] ?? 'a .bak file',
  }),

  fixes: [
    {
      say: 'See what the kubelet says about each file, and what lies in the folder',
      risk: 'reads-only',
      steps: [
        {
          say: 'the errors',
          run: "journalctl -u kubelet -b --no-pager | grep -E 'manifest file|config file|parse as pod|duplicate pod name' | tail; ls -la /etc/kubernetes/manifests",
          on: 'node',
        },
      ],
    },
    {
      say: 'Correct {path}: tabs, indentation, a missing colon, a wrong field; the kubelet reads it again by itself',
      risk: 'touches-node',
      for: ['parse', 'unreadable', 'invalid'],
      steps: [
        {
          say: 'check the YAML before it goes back',
          run: "python3 -c 'import sys,yaml; [yaml.safe_load(open(f)) for f in sys.argv[1:]]' /etc/kubernetes/manifests/*.yaml",
          on: 'node',
        },
        {
          say: 'or write the default manifest anew (one of apiserver, controller-manager, scheduler; for etcd: kubeadm init phase etcd local)',
          run: 'kubeadm init phase control-plane apiserver --config kubeadm-config.yaml',
          on: 'node',
        },
      ],
      verified: 'crictl ps shows the container, and the mirror pod is Running',
    },
    {
      say: 'Move copies and backups out of /etc/kubernetes/manifests',
      risk: 'touches-node',
      for: ['duplicate', 'copies'],
      steps: [
        {
          say: 'only one file per pod may stay there',
          run: 'mkdir -p /var/tmp/manifests-backup && mv /etc/kubernetes/manifests/*.bak /etc/kubernetes/manifests/*.old /var/tmp/manifests-backup/ 2>/dev/null; ls -la /etc/kubernetes/manifests',
          on: 'node',
        },
      ],
      changes: [{ do: 'remove-file', path: '/etc/kubernetes/manifests/{{copyName}}' }],
      verified: 'crictl ps shows the container, and the mirror pod is Running',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/config/file.go, file_linux.go, common.go, config.go'],
});

function clean(text: string): string {
  const first = (text.split('\n')[0] ?? '').replace(/\\?"[\s\S]*$/, '').trim();
  return first.length > 160 ? `${first.slice(0, 159)}…` : first || 'it is no valid pod';
}
