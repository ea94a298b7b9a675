export function remedyOf(check: string, path: string | undefined, state: string): string {
  if (check.includes('ip_forward')) return 'Set net.ipv4.ip_forward=1 with sysctl, in /etc/sysctl.d too.';
  if (check.includes('bridge-nf-call')) return 'Load the module br_netfilter and set net.bridge.bridge-nf-call-iptables=1.';
  if (check.startsWith('FileContent')) return `Set ${path ?? 'the kernel setting'} as it asks for.`;
  if (check === 'NumCPU') return 'Give the machine at least 2 CPUs (or ignore the check on a test machine).';
  if (check === 'Mem') return 'Give the machine at least 1700 MB of memory.';
  if (/^(?:File|Dir)Available/.test(check))
    return 'An earlier kubeadm init or join left it behind: clean up with kubeadm reset, or the node already is a member.';
  if (check.startsWith('Port-'))
    return 'Another process, mostly a control plane that already runs here, holds the port: kubeadm reset, or stop that process.';
  if (check.startsWith('FileExisting')) return 'Install the missing program on the host.';
  if (check === 'IsPrivilegedUser') return 'Run kubeadm as root (sudo).';
  if (check === 'ImagePull')
    return 'The images of the control plane cannot be pulled: fix registry access, set imageRepository to a mirror, or load them beforehand.';
  if (check === 'SystemVerification' && /cgroups?: [^\n]{0,60}\bmemory\b/.test(state))
    return 'The memory cgroup is off: add cgroup_enable=memory cgroup_memory=1 to the kernel command line (cmdline.txt on a Raspberry Pi, GRUB_CMDLINE_LINUX elsewhere) and reboot.';
  if (check === 'SystemVerification')
    return 'The kernel or its configuration lacks what is needed (cgroups, modules), or the kernel is too old.';
  if (check === 'ExternalEtcdVersion') return 'The external etcd cannot be reached or is too old.';
  if (check.startsWith('CoreDNS'))
    return 'kubeadm upgrade rewrites the Corefile for the new CoreDNS, and can do so only from a CoreDNS release and with plugins that it knows; a tag of your own or a foreign plugin is neither.';
  if (check === 'CreateJob')
    return 'Before an upgrade kubeadm runs a pod in kube-system (Job upgrade-health-check) and gives it 15 seconds: it needs a node that is Ready and not cordoned, the pause image, and no webhook or quota in its way.';
  if (check === 'ControlPlaneNodesReady') return 'An upgrade begins only while every control plane node is Ready.';
  if (check === 'StaticPodManifest')
    return 'A manifest of the control plane is missing in /etc/kubernetes/manifests: bring it back before the upgrade.';
  if (check.startsWith('CRI')) return 'Start the container runtime and enable its CRI plugin.';
  return 'Do what the message says, then run the same command again.';
}

/** What a check means where its own words do not tell. */
export function foundBy(fields: Readonly<Record<string, string | undefined>>, cordoned: boolean): string | undefined {
  const { check, version, plugin, plugins } = fields as Record<'check' | 'version' | 'plugin' | 'plugins', string | undefined>;
  if (version !== undefined)
    return `the running CoreDNS image has the tag ${version}, which is no CoreDNS release that kubeadm can migrate from`;
  if (plugin !== undefined || (plugins !== undefined && check?.startsWith('CoreDNS')))
    return `the Corefile of CoreDNS uses ${plugin === undefined ? 'plugins' : `the plugin ${plugin}`} that kubeadm cannot migrate`;
  if (check === 'CreateJob')
    return cordoned
      ? 'its health check Job cannot be scheduled, as a node is cordoned (drained, SchedulingDisabled)'
      : 'its health check Job did not run to its end: no node takes its pod, or the pod cannot start';
  return undefined;
}

export function clean(text: string): string {
  const line = (text.split(/\n|\\n/)[0] ?? '').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
