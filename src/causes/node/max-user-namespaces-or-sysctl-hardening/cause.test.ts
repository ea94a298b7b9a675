import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = (message: string) => `Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 kubelet.go:1542] ${message}\n`;
const tunables = kubelet(
  '"Failed to start ContainerManager" err="[invalid kernel flag: vm/overcommit_memory, expected value: 1, actual value: 0, invalid kernel flag: kernel/panic, expected value: 10, actual value: 0]"',
);
const namespaces =
  '$ kubectl -n ci logs builder-0\ntime="2026-03-04T08:10:57Z" level=error msg="cannot start rootless daemon: fork/exec /proc/self/exe: no space left on device"\n';

testCause(cause, {
  finds: {
    'rke2 with a CIS profile': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch rke2[2189]: time="2025-03-04T08:10:57Z" level=fatal msg="missing required: user: unknown user etcd\\ninvalid kernel parameter value vm.overcommit_memory=0 - expected 1\\n"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'rke2 that only lacks its user': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch rke2[2189]: time="2025-03-04T08:10:57Z" level=fatal msg="missing required: user: unknown user etcd\\ngroup: unknown group etcd"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'kernel settings the kubelet does not accept': {
      evidence: {
        'kubelet.log': tunables,
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nprotectKernelDefaults: true\n',
      },
      confidence: 'certain',
      place: 'node alder',
      cites: ['kubelet.log:1'],
    },
    'no user namespaces': {
      evidence: { 'log.txt': namespaces, 'sysctl.txt': '[root@alder ~]# sysctl user.max_user_namespaces\nuser.max_user_namespaces = 0\n' },
      confidence: 'certain',
    },
    'a browser without its sandbox': {
      evidence: {
        'log.txt':
          '$ kubectl -n shop logs shots-0\n[0304/081057.118402:FATAL:zygote_host_impl_linux.cc(127)] No usable sandbox! Update your kernel or see https://docs.example.org/linux_suid_sandbox_development.md\n',
      },
      confidence: 'possible',
    },
    'noexec below the network plugins': {
      evidence: {
        'kubelet.log': kubelet('"Failed to set up network" err="fork/exec /opt/cni/bin/bridge: permission denied"'),
        'host.txt':
          '[root@alder ~]# mount\n/dev/vda3 on /opt type ext4 (rw,nosuid,nodev,noexec,relatime)\n[root@alder ~]# ls /etc/sysctl.d\n99-cis-hardening.conf\n',
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'the disk is full': {
      evidence: { 'log.txt': `${namespaces}time="2026-03-04T08:10:58Z" level=error msg="write /var/lib/x: no space left on device"\n` },
      by: 'diskFull',
    },
  },
  asks: { 'the settings of the host': { evidence: { 'log.txt': namespaces }, for: 'host-state' } },
});
