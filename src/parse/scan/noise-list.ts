export interface Noise {
  /** Any of these stands in the line. */
  readonly says: readonly string[];
  /** Where the words alone would also hit real trouble. */
  readonly pattern?: RegExp;
  readonly reason: string;
}

const BEFORE_FIRST_STATS = 'said at the start of the kubelet, before the first measurement';
const MEASURING_ONLY = 'concerns measuring only; pods are not touched by it';
const UNUSED_IPV6 = 'IPv6 is not in use on this node';
const ADVICE = 'advice, not a failure';
const RETRIED = 'happens in every cluster and is tried again at once';
const DEPRECATION = 'announces a removal in a later release; it works today';
const CONSEQUENCE = 'follows from another failure, which its own lines tell';
const UNUSED_PLUGIN = 'a part of the runtime that is not in use here';
const HOW_IT_WAS_CALLED = 'about the way kubectl was called, not about the cluster';
const ALREADY_GONE = 'asks for something that was removed just before';

/** Lines that look like errors and are harmless in nearly every cluster, each with the reason. */
export const NOISE: readonly Noise[] = [
  // kubectl
  {
    says: [
      'a container name must be specified for pod',
      "the server doesn't have a resource type",
      'a valid pod name or',
      "expected 'logs [-f]",
    ],
    reason: HOW_IT_WAS_CALLED,
  },
  { says: ['unable to retrieve container logs for '], reason: 'the log of a run that is over was removed with its container' },
  // kubeadm
  {
    says: ['could not fetch a Kubernetes version from the internet', 'falling back to the local client version'],
    reason: 'kubeadm then takes its own version',
  },
  // crictl
  {
    says: ['connect using default endpoints', "connect endpoint 'unix:///var/run/dockershim.sock'"],
    reason: 'crictl without a configuration tries one socket after the other',
  },
  // kubelet
  { says: ['invalid capacity 0 on image filesystem'], reason: BEFORE_FIRST_STATS },
  { says: ['Stats initialization may not have completed yet'], reason: BEFORE_FIRST_STATS },
  { says: ['failed to get summary stats'], reason: BEFORE_FIRST_STATS },
  { says: ['Failed to get system container stats', 'unable to find data in memory cache', 'not found in metrics'], reason: MEASURING_ONLY },
  {
    says: ['Partial failure issuing cadvisor', 'Unable to fetch pod log stats', 'Unable to fetch container log stats'],
    reason: MEASURING_ONLY,
  },
  { says: ['Cannot read vendor id correctly', "couldn't collect info from any of the files"], reason: MEASURING_ONLY },
  { says: ['Failed to create existing container'], reason: 'the measuring part of the kubelet met a container that had just ended' },
  {
    says: ['Error while processing event ("'],
    pattern: /no such file or directory/,
    reason: 'a cgroup was gone before it could be watched',
  },
  {
    says: ['DNSConfigForming', 'Nameserver limits exceeded', 'Nameserver limits were exceeded', 'Search Line limits were exceeded'],
    reason: 'resolv.conf holds more entries than a pod may get; the first ones are used',
  },
  {
    says: ['CheckLimitsForResolvConf', 'contains search line consisting of more than 3 domains'],
    reason: 'resolv.conf holds more entries than a pod may get; the first ones are used',
  },
  { says: ['path does not exist, ignoring'], reason: 'a node without static pods has no such folder' },
  { says: ['Error getting node'], pattern: /node .{1,300}not found/, reason: CONSEQUENCE },
  { says: ['may retry after sleeping'], reason: CONSEQUENCE },
  {
    says: ['but volume paths are still present on disk', 'occurred when trying to remove the volumes dir'],
    reason: 'what a removed pod left on disk; running pods do not use it',
  },
  { says: ['This parameter should be set via the config file'], reason: DEPRECATION },
  { says: ['has been deprecated, will be removed', 'is deprecated and will be removed', 'is deprecated in v1.'], reason: DEPRECATION },
  { says: ['instead of auto-generated secret-based tokens'], reason: DEPRECATION },

  // clients of the API server
  { says: ['too old resource version'], reason: RETRIED },
  { says: ['http2: server sent GOAWAY'], reason: RETRIED },
  { says: ['watch lasted less than a second and no items received'], reason: RETRIED },
  { says: ['unable to decode an event from the watch stream'], reason: RETRIED },
  { says: ['the object has been modified; please apply your changes'], reason: RETRIED },
  { says: ['Neither --kubeconfig nor --master was specified'], reason: 'a pod that uses its service account says so at the start' },
  { says: ['http: superfluous response.WriteHeader call'], reason: 'a slip in the program without effect' },
  { says: ['TLS handshake error from'], pattern: /: EOF\s*$/, reason: 'a health check that opens the port and closes it again' },

  // containerd and docker
  { says: ['devmapper not configured', 'could not use snapshotter devmapper'], reason: UNUSED_PLUGIN },
  {
    says: ['aufs is not supported', 'modprobe aufs failed', 'snapshotter.v1.aufs', 'snapshotter.v1.zfs', 'snapshotter.v1.btrfs'],
    reason: UNUSED_PLUGIN,
  },
  { says: ['no OpenTelemetry endpoint'], reason: UNUSED_PLUGIN },
  { says: ['cleaning up after shim disconnected', 'cleanup warnings time='], reason: 'the runtime tidies up after a container that ended' },
  { says: ['cgroups: cgroup deleted'], reason: 'measured a container that had just ended' },
  { says: ['received message on inactive stream'], reason: 'a late answer of a container that had just ended' },
  { says: ['returned error: No such container', 'returned error: No such image'], reason: ALREADY_GONE },
  {
    says: [
      'does not support swap memory limit',
      'does not support cgroup blkio',
      'does not support cgroup rt',
      'No blkio weight support',
      'No swap limit support',
    ],
    reason: 'an accounting feature that pods do not ask for',
  },

  // etcd
  { says: ['rejected connection'], pattern: /EOF/, reason: 'a health check that opens the port and closes it again' },
  { says: ['simple token is not cryptographically signed'], reason: ADVICE },

  // network
  { says: ['no subnet found for key: FLANNEL_IPV6'], reason: UNUSED_IPV6 },
  { says: ['confd/config/bird6.cfg'], reason: UNUSED_IPV6 },
  { says: ["can't initialize ip6tables table", 'ip6tables not available'], reason: UNUSED_IPV6 },
  { says: ['No iptables support for family'], pattern: /IPv6/, reason: UNUSED_IPV6 },
  { says: ['but no IPv6 cluster CIDR defined', 'no IPv6 default route'], reason: UNUSED_IPV6 },
  {
    says: ['resource does not exist: '],
    pattern: /(?:IPAMConfig|BGPConfiguration|FelixConfiguration|KubeControllersConfiguration)\(/,
    reason: 'an optional setting was never made; defaults apply',
  },
  { says: ['with strange next-hop'], reason: 'a route of another program that BIRD leaves alone' },
  {
    says: ['Failed to execute iptables-restore for nat', 'Failed to execute iptables-restore for filter'],
    reason: 'kube-proxy takes away rules of a mode it does not use, once at its start',
  },
  { says: ['You can ignore this message when kube-proxy is running inside container'], reason: 'kube-proxy says so itself' },
  { says: ['vs/conn_reuse_mode'], reason: 'a tuning that older kernels lack' },
  { says: ['assuming iptables proxy'], reason: 'no proxy mode is set, the default applies' },
  { says: ['nodePortAddresses is unset'], reason: ADVICE },
  {
    says: ["didn't find a plugin capable of expanding the volume"],
    reason: 'said whenever a driver outside of Kubernetes enlarges the volume',
  },
  { says: ['No files matching import glob pattern'], reason: 'the optional folder for own CoreDNS settings is empty' },
  {
    says: ['StreamAggregatedResources gRPC config'],
    pattern: /closed(?: since \S{1,20} ago)?: (?:0|13),/,
    reason: 'the stream is renewed every half hour',
  },

  {
    says: ['<error: endpoints "default-http-backend" not found>', "<error: endpoints 'default-http-backend' not found>"],
    reason: 'an Ingress without a default backend is shown so; its rules work',
  },

  {
    says: ['failed for service _ceph-mon._tcp', 'unable to get monitor info from DNS SRV'],
    pattern: /^(?:(?!mount error|rpc error)[^\n]){0,300}(?:failed for service _ceph-mon|unable to get monitor info from DNS SRV)/,
    reason: 'the client looks for monitors by DNS first and then takes those it was told',
  },

  // systemd and the kernel
  { says: ['Unknown lvalue', 'Unknown key name'], pattern: /, ignoring/, reason: 'a unit file written for another version of systemd' },
  { says: ['is marked executable. Please remove', 'is marked world-inaccessible'], reason: ADVICE },
  { says: ["overlayfs: missing 'lowerdir'"], reason: 'the runtime tries out what the kernel can do' },
  { says: ['disabling cgroup2 socket matching'], reason: 'said once when a cgroup v1 controller is used' },

  // programs found in many images
  {
    says: ['org.slf4j.impl.StaticLoggerBinder', 'illegal reflective access operation'],
    reason: 'Java says so at the start; the program runs on',
  },
  { says: ['DeprecationWarning', 'ExperimentalWarning'], reason: DEPRECATION },
  {
    says: [
      'The TCP backlog setting of',
      'overcommit_memory is set to 0',
      'Memory overcommit must be enabled',
      'Transparent Huge Pages (THP) support enabled',
    ],
    reason: ADVICE,
  },
  { says: ['the database system is starting up'], reason: 'a client came before the database was ready' },
  { says: ['role "root" does not exist'], reason: 'a probe that names no user' },
  {
    says: ['makes sense only if the master process runs with super-user privileges', 'can not modify /etc/nginx/conf.d/default.conf'],
    reason: 'nginx runs without root rights and goes on',
  },
];
