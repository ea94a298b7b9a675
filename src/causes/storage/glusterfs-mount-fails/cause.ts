import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log'] as const;
const noClient = line(
  ["unknown filesystem type 'glusterfs'", '-t glusterfs'],
  SAID_BY,
  withContext(
    /unknown filesystem type '?glusterfs|-t glusterfs [\s\S]{0,900}?(?:missing codepage or helper|bad option; for several filesystems|you might need a \/sbin\/mount\.)/,
    { may: [NAMED_VOLUME] },
  ),
);
const noEndpoints = line(
  ['failed to get endpoint', 'glusterfs: failed to get', '~glusterfs', 'for volume "gluster', 'for volume \\"gluster'],
  SAID_BY,
  withContext(
    /(?:glusterfs|gluster)[\s\S]{0,300}?(?:endpoints? \\*"(?<endpoints>[^"\\\s]{1,200})\\*" not found|failed to get endpoints? (?<named>[^\s\\":]{1,200})?)/i,
    { may: [NAMED_VOLUME] },
  ),
);
const noServer = line(
  [
    'failed to fetch volume file',
    'Mount failed. Please check the log file',
    'glusterfs: mount failed',
    'Transport endpoint is not connected',
  ],
  [...SAID_BY, 'container-log'],
  withContext(
    /failed to fetch volume file(?: \(key:(?<key>[^)\s]{1,100})\))?|glusterfs[\s\S]{0,900}?Mount failed\. (?:Please check|Check) the log file|gluster[\s\S]{0,200}?Transport endpoint is not connected/i,
    { may: [NAMED_VOLUME] },
  ),
);
const mounted = line('MountVolume.SetUp succeeded for volume', []);

export const cause = defineCause({
  id: 'glusterfs-mount-fails',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'GlusterFS volume cannot be mounted',
    title: 'The GlusterFS volume {volume} cannot be mounted: {what}',
    why: 'A GlusterFS volume needs the client glusterfs-fuse on the node, an Endpoints object (and a Service of the same name) with the addresses of the Gluster servers in the namespace of the pod, and servers that answer (TCP 24007 and the brick ports). Here {what}, so the pod stays in ContainerCreating.',
  },

  clues: {
    noClient: proves(noClient),
    noEndpoints: proves(noEndpoints),
    noServer: supports(noServer),
    mounted: excludes(mounted),
  },
  says: {
    noClient: 'the node has no GlusterFS client',
    noEndpoints: 'the Endpoints object {endpoints} with the servers is missing',
    noServer: 'the Gluster servers do not give the volume out',
    mounted: 'the volume was mounted since',
  },
  slots: (place, { noClient: client, noEndpoints: addresses, noServer: server }) => ({
    namespace: namesOf(place).namespace,
    volume: client?.fields['volume'] ?? addresses?.fields['volume'] ?? server?.fields['volume'] ?? server?.fields['key'] ?? 'of the pod',
    command: client ? 'mount.glusterfs' : '',
    endpoints: addresses?.fields['endpoints'] ?? addresses?.fields['named'] ?? 'of the volume',
    what: client
      ? 'the client (package glusterfs-client or glusterfs-fuse) is not installed on the node'
      : addresses
        ? `the Endpoints object ${addresses.fields['endpoints'] ?? addresses.fields['named'] ?? ''} does not exist in the namespace of the pod`
        : 'the servers do not give the volume out: stopped volume, wrong name, or blocked ports',
  }),

  fixes: [
    {
      say: 'Look at client, endpoints and servers',
      risk: 'reads-only',
      steps: [
        { say: 'addresses in the namespace of the pod', run: 'kubectl -n {{namespace}} get endpoints,svc', on: 'cluster' },
        { say: 'client of the node and the way to a server', run: 'command -v mount.glusterfs; nc -vz -w 3 SERVER 24007', on: 'node' },
        { say: 'on a server: the volume is started', run: 'gluster volume info; gluster peer status' },
      ],
    },
    {
      say: 'Install the GlusterFS client on all nodes, in the version of the servers',
      risk: 'touches-node',
      for: ['noClient'],
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get install -y glusterfs-client', on: 'node', family: 'debian' },
        { say: 'RHEL and relatives', run: 'yum install -y glusterfs-fuse', on: 'node', family: 'rhel' },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: 'glusterfs-client', rhel: 'glusterfs-fuse', suse: 'glusterfs', alpine: 'glusterfs-client', arch: 'glusterfs' },
          command: '{{command}}',
        },
      ],
      verified: 'the kubelet mounts at its next try',
    },
    {
      say: 'Create the Endpoints and a Service of the same name in the namespace of the pod',
      risk: 'reads-only',
      for: ['noEndpoints'],
      steps: [
        {
          say: 'with the addresses of the servers and any port',
          run: 'kubectl -n {{namespace}} apply -f glusterfs-endpoints.yaml',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/glusterfs/glusterfs.go (until v1.25)'],
});
