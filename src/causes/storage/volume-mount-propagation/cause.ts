import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const notShared = line(
  ['but it is not a shared mount', 'but it is not a shared or slave mount', 'is not a shared or slave mount', 'is not a shared mount'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'pod-spec'],
  /path [\\"]{0,4}(?<path>\/[^\s"\\]{0,250})[\\"]{0,4} is mounted on [\\"]{0,4}(?<mount>\/[^\s"\\]{0,250})[\\"]{0,4} but it is not a (?<kind>shared(?: or slave)?) mount|is not a shared(?: or slave)? mount/,
);
// No channel: the mount is shared by now.
const shared = line('PROPAGATION', [], /PROPAGATION\s{1,8}\/\s{1,20}shared/);

export const cause = defineCause({
  id: 'volume-mount-propagation',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['create-error', 'creating', 'crash-loop', 'init-crash', 'init-stuck', 'failed', 'other-trouble'],

  text: {
    name: 'Host mount is not shared',
    title: '{mount} on {node} is not a shared mount, so containers with mount propagation cannot be created',
    why: 'A volume with mountPropagation Bidirectional or HostToContainer (CSI plugins, Rook, Longhorn, Portworx, node agents) must lie on a shared mount of the host. On {node} {path} is mounted on {mount}, which is private: the init system does not run "mount --make-rshared" (Alpine with OpenRC, Docker in Docker, WSL, containers as nodes), or a systemd unit of Docker or the kubelet has MountFlags of its own. The runtime refuses to create the container.',
  },

  clues: {
    notShared: proves(notShared),
    volume: supports('pod.volume', ({ mountPropagation }) => mountPropagation === 'Bidirectional'),
    shared: excludes(shared),
  },
  says: {
    notShared: 'the runtime says: {path} is mounted on {mount}, not a shared mount',
    volume: 'a container of the node asks for Bidirectional mount propagation',
    shared: 'the root of the host is a shared mount by now',
  },
  slots: (place, { notShared: said }) => ({
    node: place.name,
    path: said?.fields['path'] ?? 'the path of the volume',
    mount: said?.fields['mount'] ?? '/',
    target: said?.fields['mount'] ?? '/',
  }),

  fixes: [
    {
      say: 'See how it is mounted',
      risk: 'reads-only',
      steps: [
        {
          say: 'private or shared',
          run: 'findmnt -o TARGET,PROPAGATION / /run /var/lib/kubelet; systemctl show docker kubelet -p MountFlags',
          on: 'node',
        },
      ],
    },
    {
      say: 'Make the mount shared, now and at boot',
      risk: 'touches-node',
      steps: [
        { say: 'now', run: 'mount --make-rshared {{target}}', on: 'node' },
        {
          say: 'at boot on Alpine: a script of the local service',
          run: 'printf "#!/bin/sh\\nmount --make-rshared /\\n" > /etc/local.d/rshared.start && chmod +x /etc/local.d/rshared.start && rc-update add local default',
          on: 'node',
          family: 'alpine',
        },
        {
          say: 'systemd units: remove MountFlags=slave or private, then',
          run: 'systemctl daemon-reload && systemctl restart docker',
          on: 'node',
        },
        {
          say: 'nodes that are containers: start them with the mounts as shared, e.g. docker run -v /var/lib/kubelet:/var/lib/kubelet:rshared',
        },
      ],
      verified: 'findmnt shows shared, and the kubelet creates the container at its next try',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd internal/cri/opts/spec_linux_opts.go',
    'moby daemon/oci_linux.go',
    'cri-o server/container_create_linux.go',
    'kubernetes docs: mount propagation',
  ],
});
