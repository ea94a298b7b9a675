import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const denied = line(
  ['.sock: connect: permission denied', 'permission denied while trying to connect to the'],
  ['runtime-state', 'kubeadm-output', 'kubelet-log'],
  /dial unix (?<socket>\/\S{0,120}?(?:containerd|crio|cri-dockerd|docker|dockershim)\.sock): connect: permission denied|permission denied while trying to connect to the (?<docker>[Dd]ocker (?:daemon socket|API))/,
);
const byRoot = line('uid=0(root)', [], /uid=0\(root\)/);

export const cause = defineCause({
  id: 'runtime-socket-permission-denied',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['runtime-down', 'crash-loop', 'other-trouble'],

  text: {
    name: 'No permission on runtime socket',
    title: 'The caller on {node} may not open the socket of the container runtime {socket}: permission denied',
    why: 'The socket {socket} belongs to root (Docker: also to the group docker). crictl, docker, ctr or kubeadm was called by a user without that right, or a container that mounts the socket does not run as root. The runtime itself may be well.',
  },

  clues: {
    denied: proves(denied),
    runs: supports('unit.state', ({ unit, active }) => /^(?:containerd|docker|crio|cri-docker)$/.test(unit) && active === 'active'),
    byRoot: excludes(byRoot),
  },
  says: {
    denied: 'opening {socket} ends with permission denied',
    runs: 'the runtime itself is running',
    byRoot: 'the caller is root; then SELinux or AppArmor denies it',
  },
  slots: (place, { denied: said }) => ({
    node: place.name,
    socket: said?.fields['socket'] ?? (said?.fields['docker'] ? '/var/run/docker.sock' : '/run/containerd/containerd.sock'),
  }),

  fixes: [
    {
      say: 'Call it as root',
      risk: 'reads-only',
      steps: [{ say: 'the same command with sudo', run: 'sudo crictl info; ls -lZ {{socket}}; id', on: 'node' }],
    },
    {
      say: 'Docker: add the user to the group docker (this equals root), and log in anew',
      risk: 'touches-node',
      steps: [
        { say: 'the group', run: 'sudo usermod -aG docker $USER && newgrp docker', on: 'node' },
        {
          say: 'a pod that mounts the socket: run it as root or with the group of the socket (securityContext.supplementalGroups)',
          on: 'cluster',
        },
      ],
      verified: 'docker ps or crictl ps answers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['docker docs: linux-postinstall', 'cri-tools docs/crictl.md'],
});
