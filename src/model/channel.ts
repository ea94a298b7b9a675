/**
 * A channel is one source of evidence as an operator knows it: something one command prints.
 * Coverage is kept per channel and entity, so that "looked and not there" differs from "never looked".
 */
export type Channel =
  | 'pod-status' // kubectl get pods, describe pod, objects
  | 'pod-spec' // describe pod, objects
  | 'pod-events' // describe pod's Events, kubectl get events
  | 'node-status' // get nodes, describe node, objects
  | 'node-events'
  | 'workload' // deployments, daemonsets … objects and describes
  | 'object-events' // events of claims, replica sets, …
  | 'objects' // any other Kubernetes objects
  | 'container-log'
  | 'kubelet-log'
  | 'containerd-log'
  | 'docker-log'
  | 'crio-log'
  | 'kernel-log'
  | 'system-log' // systemd and other units in the journal
  | 'unit-state' // systemctl status / list-units
  | 'kubelet-config'
  | 'kubelet-health' // /healthz of the kubelet, through the API server or on the node
  | 'containerd-config'
  | 'docker-config' // daemon.json, docker info
  | 'crio-config'
  | 'runtime-state' // crictl / docker / ctr listings and inspects
  | 'cgroup-paths' // /proc/PID/cgroup, find /sys/fs/cgroup
  | 'cgroup-version'
  | 'host-os' // os-release, uname
  | 'host-versions' // containerd --version, runc --version, kubelet --version …
  | 'host-tools' // command -v, packages, lsmod
  | 'host-state' // sysctls, mounts, disks, swap, clock, certificates
  | 'apparmor-state' // AppArmor and SELinux
  | 'control-plane-log' // apiserver, etcd, scheduler, controller-manager
  | 'kubeadm-output'
  | 'prose'; // what people wrote around the output

export type Extent =
  | 'whole' // everything this channel holds about the entity
  | 'excerpt' // some lines of it: seeing counts, not seeing does not
  | 'denied'
  | 'failed'
  | 'expired';

export interface Coverage {
  readonly channel: Channel;
  readonly about: string;
  readonly extent: Extent;
  readonly doc: string;
  readonly lines?: readonly [first: number, last: number];
  /** Of a log: the time of its newest line, by the log's own clock. */
  readonly newest?: number;
}
