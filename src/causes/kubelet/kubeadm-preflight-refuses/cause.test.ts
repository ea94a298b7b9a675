import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const refused = (...errors: string[]) =>
  `[root@alder ~]# kubeadm init\n[init] Using Kubernetes version: v1.29.3\n[preflight] Running pre-flight checks\nerror execution phase preflight: [preflight] Some fatal errors occurred:\n${errors.map((error) => `\t${error}\n`).join('')}[preflight] If you know what you are doing, you can make a check non-fatal with \`--ignore-preflight-errors=...\`\n`;
const forward = '[ERROR FileContent--proc-sys-net-ipv4-ip_forward]: /proc/sys/net/ipv4/ip_forward contents are not set to 1';

testCause(cause, {
  finds: {
    'forwarding is off': {
      evidence: {
        'init.txt': refused(forward),
        'sysctl.txt': '[root@alder ~]# sysctl net.ipv4.ip_forward\nnet.ipv4.ip_forward = 0\n',
      },
      confidence: 'certain',
      place: 'node alder',
      cites: ['init.txt:5'],
    },
    'a port, in the words of an old kubeadm': {
      evidence: {
        'init.txt':
          '[root@birch ~]# kubeadm init\n[preflight] Running pre-flight checks\n[preflight] Some fatal errors occurred:\n    Port 10251 is in use\n    Port 10252 is in use\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'a kernel without the memory cgroup': {
      evidence: { 'init.txt': refused('[ERROR SystemVerification]: missing required cgroups: memory') },
      confidence: 'certain',
    },
    'one line alone': { evidence: { 'paste.txt': `${forward}\n` }, confidence: 'certain' },
    'a machine that was a control plane before': {
      evidence: {
        'init.txt': refused(
          '[ERROR Port-6443]: Port 6443 is in use',
          '[ERROR FileAvailable--etc-kubernetes-manifests-kube-apiserver.yaml]: /etc/kubernetes/manifests/kube-apiserver.yaml already exists',
          '[ERROR DirAvailable--var-lib-etcd]: /var/lib/etcd is not empty',
        ),
      },
      confidence: 'certain',
    },
    'a small machine': {
      evidence: {
        'init.txt': refused(
          '[ERROR NumCPU]: the number of available CPUs 1 is less than the required 2',
          '[ERROR Mem]: the system RAM (978 MB) is less than the minimum 1700 MB',
        ),
      },
      confidence: 'certain',
    },
    'a missing program': {
      evidence: { 'init.txt': refused('[ERROR FileExisting-conntrack]: conntrack not found in system path') },
      confidence: 'certain',
    },
    'not root': { evidence: { 'init.txt': refused('[ERROR IsPrivilegedUser]: user is not running as root') }, confidence: 'certain' },
    "an upgrade with a CoreDNS image of one's own": {
      evidence: {
        'upgrade.txt': refused(
          "[ERROR CoreDNSUnsupportedPlugins]: start version 'v1.9.3-acme.4' not supported",
          "[ERROR CoreDNSMigration]: start version 'v1.9.3-acme.4' not supported",
        ),
      },
      confidence: 'certain',
    },
    'an upgrade whose trial pod has no place': {
      evidence: {
        'upgrade.txt': `[root@alder ~]# kubectl get nodes\nNAME    STATUS                     ROLES           AGE   VERSION\nalder   Ready,SchedulingDisabled   control-plane   90d   v1.30.4\n${refused('[ERROR CreateJob]: Job "upgrade-health-check-7xk2p" in the namespace "kube-system" did not complete in 15s: no condition of type Complete')}`,
      },
      confidence: 'certain',
    },
    'an upgrade while a control plane is not ready': {
      evidence: {
        'upgrade.txt': refused('[ERROR ControlPlaneNodesReady]: there are NotReady control-planes in the cluster: [birch]'),
      },
      confidence: 'certain',
    },
    'images that cannot be pulled': {
      evidence: {
        'init.txt': refused(
          '[ERROR ImagePull]: failed to pull image registry.k8s.io/kube-apiserver:v1.29.3: output: dial tcp: i/o timeout',
        ),
      },
      confidence: 'certain',
    },
    'a runtime that does not answer': {
      evidence: {
        'init.txt': refused('[ERROR CRI]: container runtime is not running: output: E0304 08:10:57 validate service connection'),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a later try went through': {
      evidence: {
        'init.txt': `${refused(forward)}[root@alder ~]# kubeadm init\nYour Kubernetes control-plane has initialized successfully!\n`,
      },
      by: 'done',
    },
  },
  asks: { 'the sysctls of the host': { evidence: { 'init.txt': refused(forward) }, for: 'host-state' } },
});

it('names the check and what it found', async () => {
  const { incidents } = await diagnose([{ name: 'init.txt', text: refused(forward) }], { causes: [cause] });
  expect(incidents[0]?.title).toContain('FileContent--proc-sys-net-ipv4-ip_forward');
  expect(incidents[0]?.why).toContain('net.ipv4.ip_forward=1');
});

it('says what the checks of an upgrade mean, and how to get past them', async () => {
  const of = async (text: string) => (await diagnose([{ name: 'upgrade.txt', text }], { causes: [cause] })).incidents[0];
  const tag = await of(refused("[ERROR CoreDNSMigration]: start version 'v1.9.3-acme.4' not supported"));
  expect(tag?.title).toContain('no CoreDNS release');
  expect(tag?.fixes[0]?.title).toContain('Corefile');
  const plugin = await of(
    refused(
      '[ERROR CoreDNSUnsupportedPlugins]: CoreDNS cannot migrate the following plugins:\n[Plugin "grpc" is unsupported by this migration tool in 1.9.3.]',
    ),
  );
  expect(plugin?.title).toContain('cannot migrate');
  const job = await of(
    refused('[ERROR CreateJob]: Job "upgrade-health-check" in the namespace "kube-system" did not complete in 15s: timed out'),
  );
  expect(job?.title).toContain('health check Job');
  expect(job?.fixes[0]?.title).toContain('uncordon');
});
