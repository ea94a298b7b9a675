import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const modprobe = (module: string) =>
  `[root@alder ~]# modprobe ${module}\nmodprobe: FATAL: Module ${module} not found in directory /lib/modules/5.15.0-91-generic\n`;
const flannel =
  '$ kubectl -n kube-flannel logs kube-flannel-ds-7x2lq\nE0304 08:10:57.118402       1 main.go:335] Error registering network: operation not supported\n';

testCause(cause, {
  finds: {
    'Docker, and no nf_tables': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch dockerd[900]: failed to start daemon: Error initializing network controller: error obtaining controller instance: failed to register "bridge" driver: failed to create NAT chain DOCKER: iptables failed: iptables -t nat -N DOCKER: iptables v1.8.10 (nf_tables): Could not fetch rule set generation id: Invalid argument\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'no clsact for cilium': {
      evidence: {
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=fatal msg="failed to start: daemon creation failed: error while initializing daemon: loading overlay: program cil_from_overlay: replacing clsact qdisc for interface cilium_vxlan: no such file or directory" subsys=daemon\n',
      },
      confidence: 'certain',
    },
    'no ip_set': {
      evidence: {
        'node.log':
          '$ kubectl -n kube-system logs calico-node-x7k2p\n2025-03-04 08:10:57.659 [WARNING][90] felix/table.go 1321: Failed to execute ip(6)tables-restore command error=exit status 1 errorOutput="iptables-nft-restore v1.8.8 (nf_tables): Can\'t open socket to ipset.\\n\\n"\n',
      },
      confidence: 'certain',
    },
    'a module that cilium wants': {
      evidence: {
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=fatal msg="failed to start: daemon creation failed: error while initializing daemon: IPv6 is enabled, but module ip6_tables is missing" subsys=daemon\n',
      },
      confidence: 'certain',
    },
    'no WireGuard': {
      evidence: {
        'flannel.log':
          '$ kubectl -n kube-flannel logs kube-flannel-ds-x7k2p\nE0304 08:10:36.377521       1 main.go:292] Error registering network: failed to setup wireguard device: operation not supported\n',
      },
      confidence: 'certain',
    },
    'no nf_tables': {
      evidence: { 'term.txt': '$ iptables -L\niptables/1.8.7 Failed to initialize nft: Protocol not supported\n' },
      confidence: 'certain',
    },
    'no type information of the kernel': {
      evidence: { 'agent.log': 'libbpf: failed to find valid kernel BTF\nlibbpf: Error loading vmlinux BTF: -3\n' },
      confidence: 'possible',
    },
    'a module that is not there': {
      evidence: { 'host.txt': modprobe('ip_vs') },
      confidence: 'certain',
      place: 'node alder',
      cites: ['host.txt:2'],
    },
    'a module the firmware refuses': {
      evidence: {
        'host.txt': "[root@alder ~]# modprobe wireguard\nmodprobe: ERROR: could not insert 'wireguard': Key was rejected by service\n",
      },
      confidence: 'certain',
    },
    'no IPVS in the kernel': {
      evidence: {
        'vip.log':
          '$ kubectl -n kube-system logs gate-vip-4kzpl\ntime="2025-03-04T08:10:57Z" level=error msg="Unable to create an IPVS service, ensure IPVS kernel modules are loaded"\n',
      },
      confidence: 'certain',
    },
    'flannel of k3s makes no vxlan device': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 plover-1 k3s[957]: time="2025-03-04T08:10:57Z" level=fatal msg="flannel exited: operation not supported"\n',
      },
      confidence: 'certain',
    },
    'no table in the kernel': {
      evidence: {
        'proxy.txt':
          '$ kubectl -n kube-system logs kube-proxy-4kzpl\nE0304 08:10:57.118402       1 proxier.go:859] "Failed to ensure chain exists" err="error creating chain \\"KUBE-EXTERNAL-SERVICES\\": exit status 3: iptables v1.8.7 (legacy): can\'t initialize iptables table `filter\': Table does not exist (do you need to insmod?)\\nPerhaps iptables or your kernel needs to be upgraded."\n',
      },
      confidence: 'certain',
    },
    'flannel on a small kernel': { evidence: { 'flannel.txt': flannel }, confidence: 'certain' },
    'a C library that wants a newer kernel': {
      evidence: {
        'log.txt': '$ kubectl -n shop logs cart-0\nFATAL: kernel too old\n',
        'node.txt':
          '$ kubectl get nodes -o wide\nNAME    STATUS   ROLES    AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                KERNEL-VERSION               CONTAINER-RUNTIME\nalder   Ready    <none>   90d   v1.23.17   10.7.0.9      <none>        CentOS Linux 7 (Core)   3.10.0-1160.el7.x86_64       docker://20.10.24\n',
      },
      confidence: 'certain',
    },
    'the folder of the running kernel is gone': {
      evidence: {
        'journal.txt': "Mar 04 08:10:57 alder systemd-modules-load[310]: Failed to find module 'br_netfilter'\n",
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'kube-proxy says so harmlessly': {
      evidence: {
        'proxy.txt':
          '$ kubectl -n kube-system logs kube-proxy-4kzpl\nI0304 08:10:57.118402       1 proxier.go:653] "Failed to load kernel module with modprobe, you can ignore this message when kube-proxy is running inside container without mounting /lib/modules" moduleName="ip_vs"\nmodprobe: FATAL: Module ip_vs not found in directory /lib/modules/5.15.0-91-generic\n',
      },
      by: 'ignorable',
    },
    'switched off on purpose': {
      evidence: {
        'host.txt': `${modprobe('sctp')}[root@alder ~]# cat /etc/modprobe.d/hardening.conf\nmodule sctp is blacklisted: blacklist sctp\n`,
      },
      by: 'blacklisted',
    },
  },
  asks: { 'the kernel of the node': { evidence: { 'flannel.txt': flannel }, for: 'node.info' } },
});
