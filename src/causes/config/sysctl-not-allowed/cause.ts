import { defineCause, excludes, isWell, line, minutes, namesOf, notByContainers, on, proves, supports } from '../../define-cause.ts';

const forbidden = line(
  ['forbidden sysctl', 'SysctlForbidden', 'unsafe sysctl', 'sysctl is not allowed'],
  ['pod-status', 'pod-events', 'kubelet-log', 'object-events'],
  /forbidden sysctl: \\*"(?<name>[\w./*-]{3,100})\\*" (?<why>not (?:allowlisted|whitelisted|allowed with host (?:net|ipc) enabled))|unsafe sysctl \\*"(?<refused>[\w./*-]{3,100})\\*" is not allowed|sysctls?\[\d{1,3}\][^\n]{0,120}?(?:may not be specified when|sysctl is not allowed)|SysctlForbidden/i,
);
const runtimeRefuses = line(
  ['is not in a separate kernel namespace', 'not allowed in host network namespace', 'in the hosts UTS namespace', 'is not whitelisted'],
  ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  /sysctl [\\"']{0,8}(?<name>[\w./-]{3,100})[\\"']{0,8}(?: is)? (?<why>not in a separate kernel namespace|not allowed in host network namespace|not allowed (?:as|in) [^\n:]{0,80}|not whitelisted)/i,
);
const kernelLacksIt = line(
  ['open /proc/sys/', 'write /proc/sys/', 'opening file `/proc/sys/', 'write sysctl key'],
  ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log', 'crio-log'],
  /(?:open(?:ing file)?|write) `?\/proc\/sys\/(?<path>(?:net|kernel|fs)\/[\w./-]{2,100})`?: (?<why>no such file or directory|permission denied|invalid argument|read-only file system)/i,
);
const ownScript = line(['sysctl: cannot stat', 'sysctl: error setting key', 'sysctl: setting key', 'sysctl: permission denied on key'], []);

const ABSENT = /no such file/;

export const cause = defineCause({
  id: 'sysctl-not-allowed',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['failed', 'create-error', 'creating', 'crash-loop', 'not-ready', 'no-pods', 'pending', 'other-trouble'],
  wakesOn: [on('pod.status', { status: 'SysctlForbidden' })],

  text: {
    name: 'Sysctl not allowed',
    title: 'The pod sets {sysctl}, which is refused: {reason}',
    why: 'securityContext.sysctls of the pod sets {sysctl}. {mechanism} So the node rejects the pod ({reason}), and its controller makes new ones that fail the same way.',
  },

  clues: {
    forbidden: proves(forbidden),
    rejected: proves('pod.status', ({ status }) => status === 'SysctlForbidden'),
    runtimeRefuses: proves(runtimeRefuses),
    notInKernel: proves(kernelLacksIt, (fact) => notByContainers(fact) && ABSENT.test(fact.fields['why'] ?? '')),
    kernelRefuses: supports(kernelLacksIt, (fact) => notByContainers(fact) && !ABSENT.test(fact.fields['why'] ?? '')),
    ownScript: excludes(ownScript),
    well: excludes('pod.status', isWell),
  },
  says: {
    forbidden: 'setting {sysctl} is forbidden: {reason}',
    rejected: 'the pod was rejected with SysctlForbidden',
    runtimeRefuses: 'the runtime refuses {sysctl}: {reason}',
    notInKernel: 'the kernel of the node does not have {sysctl}',
    kernelRefuses: 'the runtime cannot write {sysctl}: {reason}',
    ownScript: 'a command in the container calls sysctl itself',
    well: 'the pod runs and is ready',
  },
  slots: (place, { forbidden: told, runtimeRefuses: runtime, notInKernel: absent, kernelRefuses }) => {
    const kernel = absent ?? kernelRefuses;
    const path = kernel?.fields['path']?.replaceAll('/', '.');
    const name = told?.fields['name'] ?? told?.fields['refused'] ?? runtime?.fields['name'] ?? path;
    return {
      ...namesOf(place),
      sysctl: name ? `the sysctl ${name}` : 'an unsafe sysctl',
      key: name ?? 'SYSCTL',
      reason:
        told?.fields['why'] ??
        runtime?.fields['why'] ??
        (absent ? 'the kernel of the node does not have it' : undefined) ??
        kernel?.fields['why'] ??
        'not on the list of the kubelet',
      mechanism:
        absent && !told && !runtime
          ? 'The kernel of the node has no such file below /proc/sys: it is older than that sysctl (net.ipv4.ip_unprivileged_port_start came with Linux 4.11; CentOS and RHEL 7 run 3.10), the module that brings it is not loaded (nf_conntrack), or the namespace of a pod does not have it.'
          : 'Only a few sysctls count as safe; every other one has to be allowed on each node by the kubelet (allowedUnsafeSysctls), and it must belong to a namespace of the pod.',
    };
  },

  fixes: [
    {
      say: 'See which sysctls the pod sets, and what the kubelet allows',
      risk: 'reads-only',
      steps: [
        {
          say: 'in the pod template',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nA8 'sysctls:'",
          on: 'cluster',
        },
        {
          say: 'on the node',
          run: "grep -A5 allowedUnsafeSysctls /var/lib/kubelet/config.yaml; ps -o args= -C kubelet | grep -o 'allowed-unsafe-sysctls[^ ]*'",
          on: 'node',
        },
      ],
    },
    {
      say: 'Take {sysctl} out of securityContext.sysctls, or set it on the node itself',
      risk: 'restarts-pods',
      for: ['notInKernel', 'kernelRefuses', 'runtimeRefuses'],
      steps: [
        {
          say: 'remove it; with hostNetwork or hostIPC it can never be set per pod',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'a sysctl of the whole node belongs into /etc/sysctl.d', run: 'sysctl -w {{key}}=VALUE', on: 'node' },
      ],
      verified: 'new pods are not rejected',
    },
    {
      say: 'Or allow it: add {sysctl} to allowedUnsafeSysctls of the kubelet on the nodes that run the pod',
      risk: 'touches-node',
      steps: [
        {
          say: 'in /var/lib/kubelet/config.yaml: allowedUnsafeSysctls: ["{key}"], then restart the kubelet',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
        {
          say: 'keep the pod on those nodes with a nodeSelector; delete the rejected pods',
          run: 'kubectl -n {{namespace}} delete pods --field-selector=status.phase=Failed',
          on: 'cluster',
        },
      ],
      verified: 'the pod is Running',
    },
    {
      say: 'A kernel without it: run the pod on nodes with a newer kernel, or upgrade the kernel; load the module that brings the sysctl',
      risk: 'touches-node',
      steps: [
        { say: 'the kernel of each node', run: 'kubectl get nodes -o wide', on: 'cluster' },
        { say: 'is it there', run: 'uname -r; sysctl {{key}}; lsmod | grep -E "^(nf_conntrack|br_netfilter|overlay)"', on: 'node' },
        { say: 'a module, for example', run: 'modprobe nf_conntrack && sysctl {{key}}', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/kubelet/sysctl/allowlist.go', 'opencontainers/runc libcontainer/configs/validate/validator.go'],
});
