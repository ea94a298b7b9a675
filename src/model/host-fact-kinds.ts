export type Reached =
  | 'ok'
  | 'refused'
  | 'timed-out'
  | 'no-route'
  | 'unreachable'
  | 'unresolved'
  | 'reset'
  | 'untrusted' // the certificate was not accepted
  | 'filtered' // the answer was an ICMP prohibition
  | 'failed';

/** What only the machine below the API knows: its system, files, units and kernel. */
export interface HostFactKinds {
  'host.os': { id?: string; versionId?: string; name: string; family?: 'debian' | 'rhel' | 'suse' | 'alpine' | 'arch' | 'other' };
  'host.version': { component: string; version: string };
  'host.cgroup-version': { version: 1 | 2 };
  'host.tool': { name: string; present: boolean };
  /** Without a value the kernel has no such setting: the module it comes with is not loaded. */
  'host.sysctl': { key: string; value?: string };
  /** How full a filesystem is, as shares of 1; a file listing may tell only one of them. */
  'host.filesystem': { path: string; usedShare?: number; inodesUsedShare?: number; readOnly?: boolean };
  /** The same as seen inside a pod: its volumes, by where they are mounted. */
  'pod.filesystem': { path: string; usedShare?: number; inodesUsedShare?: number };
  /** A certificate file by its dates, epoch milliseconds; `expired` by the host's own clock, where it was asked. */
  'host.certificate': {
    path: string;
    subject?: string;
    issuer?: string;
    /** Names and addresses it is valid for. */
    names?: readonly string[];
    notBefore?: number;
    notAfter?: number;
    expired?: boolean;
  };
  'host.lsm': { module: 'apparmor' | 'selinux'; state: 'enabled' | 'enforcing' | 'permissive' | 'disabled' };
  /** `offsetSeconds`: how far the clock is off, positive when it is ahead. */
  'host.clock': { synchronized: boolean; offsetSeconds?: number };
  /** Load average of the last minute. */
  'host.load': { oneMinute: number };
  /** What a resolv.conf says; about the pod where it was read inside one. */
  'host.resolver': { servers: readonly string[]; search?: readonly string[]; options?: string };
  /** Whether any swap is in use; `area` names a file or partition. */
  'host.swap': { active: boolean; area?: string };
  'host.memory': { totalBytes: number; availableBytes?: number };
  /** A network interface; `present: false` when it was asked for by name and is not there. */
  'host.interface': {
    name: string;
    present: boolean;
    state?: 'up' | 'down';
    /** Whether a cable or a peer is there. */
    carrier?: boolean;
    mtu?: number;
    /** With prefix length: `10.244.1.1/24`. */
    addresses?: readonly string[];
    /** Of a bridge. */
    members?: readonly string[];
  };
  /** `destination` is `default` or a prefix; `present: false` when the whole table was shown without it. */
  'host.route': { destination: string; present: boolean; via?: string; device?: string; type?: 'blackhole' | 'unreachable' | 'prohibit' };
  /** A network configuration: `plugins` in their order; `subnet` and `mtu` as it or flannel's subnet.env gives them. */
  'host.cni-config': { name?: string; version?: string; plugins: readonly string[]; subnet?: string; network?: string; mtu?: number };
  /** A feature of a network card, by the name ethtool gives it. */
  'host.offload': { device: string; feature: string; on: boolean };
  /** What a packet filter refuses or lets pass by policy; a rule that accepts is not told. */
  'host.firewall': {
    chain: string;
    table?: string;
    action: 'ACCEPT' | 'DROP' | 'REJECT';
    by: 'policy' | 'rule';
    rejectWith?: string;
    /** Packets it met so far. */
    packets?: number;
    /** The rule as printed. */
    rule?: string;
  };
  /** How many services kube-proxy has written rules for. */
  'host.service-rules': { mode: 'iptables' | 'ipvs' | 'nftables'; services: number };
  /** A virtual service of IPVS; without backends it refuses every connection. */
  'host.virtual-service': { protocol: string; address: string; port: number; backends: number };
  'host.listener': { protocol: 'tcp' | 'udp'; address: string; port: number; process?: string; pid?: number };
  /** One mount; `propagation` where findmnt was asked for it. */
  'host.mount': { path: string; source?: string; type?: string; options?: string; propagation?: string };
  'host.block-device': { name: string; type: string; filesystem?: string; mountedAt?: string; under?: string };
  'host.multipath': { map: string; vendor?: string; product?: string; paths: number; failed: number };
  'host.iscsi-session': { target: string; portal?: string; state?: string };
  /** What an NFS server offers, and to whom. */
  'host.export': { path: string; clients: string; server?: string };
  /** A limit of a shell or process, by the name `ulimit -a` or `/proc/PID/limits` gives it. */
  'host.limit': { name: string; soft: string; hard?: string };
  /** Somebody tried to reach something, from the host or from within the pod this is about. */
  'net.attempt': {
    tool: string;
    target: string;
    port?: number;
    result: Reached;
    /** Of an HTTP answer. */
    status?: number;
    /** The address a name was resolved to, or the server that was asked for it. */
    address?: string;
    server?: string;
  };
  'unit.state': {
    unit: string;
    active: string;
    sub?: string;
    result?: string;
    exitStatus?: string;
    restarts?: number;
    since?: string;
    enabled?: string;
  };
  'kernel.oom': { scope: 'cgroup' | 'node'; process?: string; cgroup?: string };
  'kernel.denial': {
    by: 'apparmor' | 'selinux' | 'seccomp';
    operation?: string;
    profile?: string;
    process?: string;
    signal?: string;
    peer?: string;
  };
}
