import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const SERVER = /(?:-t nfs4?[^\n]{0,300}?[ \\"](?<server>[\w.-]{1,200}|\[[\da-f:]{2,60}\]):\/|resolve server (?<unknown>[^\s:\\"]{1,200}))/;
const noAnswer = line(
  ['mount.nfs: ', 'mount.nfs4: ', 'mount to NFS server'],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(
    /mount\.nfs4?: (?:mount\(2\): )?(?<how>Connection (?:timed out|refused|reset by peer)|No route to host|Network is (?:unreachable|down)|Host is down|Failed to resolve server|portmap query (?:failed|retrying): RPC: (?:Timed out|Unable|Remote system error)|mount to NFS server '[^'\n]{1,200}' failed: (?:timed out|RPC Error|System Error))/,
    { may: [SERVER, NAMED_VOLUME] },
  ),
);
const efs = line(
  [
    'reachable via TCP port 2049',
    'Connection to the mount target IP address',
    'mount target ip address cannot be found',
    'failed due to timeout after',
    'ensure that the VPC has an EFS mount target',
    'check that your file system ID is correct',
  ],
  ['pod-events', 'kubelet-log', 'container-log', 'prose'],
  /(?:Connection to the mount target IP address (?<target>[\d.]{7,15}) timeout|reachable via TCP port 2049|Mount attempt \d{1,2}\/\d{1,2} failed due to timeout after|Failed to resolve [\\"]{1,4}(?<name>fs-[\w.-]{1,200})[\\"]{1,4}[^\n]{0,120}(?:EFS mount target|check that your file system ID is correct))/,
);
const kernelWaits = line(
  'not responding',
  ['kernel-log', 'system-log'],
  /nfs4?: server (?<server>[\w.:-]{1,200}) not responding, (?:still trying|timed out)/,
);
const rpcFails = line(
  ['clnt_create: RPC: ', 'rpc mount export: RPC: ', "rpcinfo: can't contact"],
  ['host-state', 'container-log'],
  /clnt_create: RPC: (?:Port mapper failure|Unable to receive|Program not registered|Timed out)|rpc mount export: RPC: (?:Unable|Timed out)|rpcinfo: can't contact/,
);
const port = line(
  [':2049: i/o timeout', ':2049: connect', ':2049: no route to host', ':2049: network is unreachable'],
  ['container-log', 'host-state'],
  /[ /[](?<server>[\w.-]{3,200}):2049: (?:connect: )?(?:i\/o timeout|connection (?:refused|timed out)|no route to host|network is unreachable)/i,
);
const stale = line(
  ['Stale file handle', 'stale NFS file handle', 'error while creating mount source path'],
  ['kubelet-log', 'container-log', 'pod-events', 'pod-status'],
  /[sS]tale (?:NFS )?file handle|error while creating mount source path '[^'\n]{1,300}kubernetes\.io~nfs\/[^\n]{1,600}: file exists/,
);
// No channel: a server that answers settles it wherever that was printed.
const answersAgain = line('nfs: server ', [], /nfs: server [\w.:-]{1,200} OK\b/);
const refusesNow = line('access denied by server while mounting', []);

export const cause = defineCause({
  id: 'nfs-server-unreachable',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating', 'create-error', 'crash-loop', 'other-trouble'],
  effectOf: ['node-firewall-blocks-cluster-ports', 'overlay-traffic-blocked', 'node-unreachable'],

  text: {
    name: 'NFS server out of reach',
    title: 'The NFS server {server} is out of reach: {how}',
    why: 'The node asks the NFS server {server} to mount its export and gets no usable answer: {how}. The server is down, its name or address is wrong, or a firewall or security group (inbound rule) blocks TCP port 2049 for NFS (and 111 for NFS version 3) between node and server. Pods that mount it wait in ContainerCreating, and processes that have it mounted already hang until it is back.',
  },

  clues: {
    noAnswer: proves(noAnswer),
    efs: proves(efs),
    kernelWaits: proves(kernelWaits),
    port: proves(port),
    rpcFails: supports(rpcFails),
    stale: supports(stale),
    answersAgain: excludes(answersAgain),
    refusesNow: excludes(refusesNow),
  },
  says: {
    noAnswer: 'mount.nfs does not get through to the server: {how}',
    efs: 'the mount target does not answer on TCP port 2049: security group?',
    kernelWaits: 'the kernel waits for the NFS server {server}, which does not respond',
    port: 'connecting to port 2049 (NFS) of {server} fails',
    rpcFails: 'the RPC services of the server do not answer',
    stale: 'file handles of an NFS mount are stale: the server or export changed',
    answersAgain: 'the server answers again',
    refusesNow: 'the server is reached and refuses the mount',
  },
  slots: (_place, { noAnswer: said, efs: target, kernelWaits: waits, port: refused, stale: old, rpcFails: rpc }) => {
    const server =
      said?.fields['server'] ??
      said?.fields['unknown'] ??
      target?.fields['target'] ??
      target?.fields['name'] ??
      waits?.fields['server'] ??
      refused?.fields['server'];
    return {
      server: server ?? 'of the volume',
      host: server ?? 'SERVER',
      how:
        said?.fields['how'] ??
        (target?.fields['name']
          ? 'its name does not resolve: no mount target in the zone or VPC of the node, or DNS of the VPC is off'
          : target
            ? 'its mount target does not answer on TCP port 2049'
            : waits
              ? 'it does not respond'
              : refused
                ? 'port 2049 does not answer'
                : rpc
                  ? 'its RPC services do not answer'
                  : old
                    ? 'stale file handles'
                    : 'no answer'),
    };
  },

  fixes: [
    {
      say: 'Test the way from the node to the server',
      risk: 'reads-only',
      steps: [
        {
          say: 'name, port 2049 (NFS) and port 111 (only for version 3)',
          run: 'getent hosts {{host}}; nc -vz -w 3 {{host}} 2049; nc -vz -w 3 {{host}} 111',
          on: 'node',
        },
        { say: 'what the kernel says about it', run: 'dmesg -T | grep -i nfs | tail', on: 'node' },
        {
          say: 'server and path the volume names',
          run: 'kubectl get pv -o yaml | grep -n -A3 -E "nfs:|server:|share:|volumeHandle:"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Open TCP port 2049 from all nodes to the server',
      risk: 'reads-only',
      for: ['noAnswer', 'efs', 'port'],
      steps: [
        {
          say: 'cloud file systems (EFS, Filestore …): add an inbound rule for NFS, TCP 2049, from the nodes to the security group of the mount target',
        },
        {
          say: 'host firewall of the server',
          run: 'firewall-cmd --permanent --add-service=nfs --add-service=rpc-bind --add-service=mountd && firewall-cmd --reload',
        },
      ],
      verified: 'nc connects to port 2049, and the kubelet mounts within two minutes by itself',
    },
    {
      say: 'Bring the NFS server back, or correct its address in the volume',
      risk: 'moves-pods',
      steps: [
        { say: 'on the server', run: 'systemctl status nfs-server rpcbind; exportfs -v' },
        { say: 'a name of a Service does not resolve on nodes (the kubelet mounts with the DNS of the host): use its cluster IP' },
        {
          say: 'the source of a PersistentVolume cannot be edited: with reclaim policy Retain delete and create it anew',
          run: 'kubectl get pv PV -o yaml > pv.yaml',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Clear hanging or stale mounts on the node once the server is back',
      risk: 'restarts-pods',
      for: ['stale'],
      steps: [
        { say: 'mounts of that server', run: 'findmnt -t nfs,nfs4', on: 'node' },
        { say: 'detach a dead one, then delete its pods', run: 'umount -f -l MOUNTPOINT', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['nfs-utils utils/mount/error.c, network.c', 'linux net/sunrpc/clnt.c', 'aws/efs-utils mount_efs'],
});
