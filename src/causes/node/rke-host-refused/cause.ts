import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'system-log', 'objects'] as const;
const tunnel = line(
  ['Failed to set up SSH tunneling for host', 'Unsupported Docker version found', 'Failed to dial ssh using address'],
  SAID_BY,
  /(?:SSH tunneling for (?:\w{2,20} )?host \[(?<host>[^\]\s]{1,253})\]: )?(?:(?<version>Unsupported Docker version found \[(?<docker>[^\]\s]{2,40})\][^\n]{0,60}?supported versions are \[(?<supported>[^\]\n]{3,160})\])|(?:Can't|Cannot|can't) (?:retrieve Docker Info|establish dialer connection)?[^\n]{0,300}?(?:(?<login>unable to authenticate|handshake failed|Unable to access node with address|no supported methods remain)|(?<forward>administratively prohibited|open failed)|(?<socket>permission denied|Unable to access the Docker socket|Cannot connect to the Docker daemon)|(?<dialer>can not build dialer)|(?<net>i\/o timeout|connection refused|no route to host|connection timed out)))/i,
);
const other = line(
  ['Failed to set up SSH tunneling for host'],
  SAID_BY,
  /Failed to set up SSH tunneling for (?:\w{2,20} )?host \[(?<host>[^\]\s]{1,253})\]: (?<said>[^\n]{3,300})/,
);
const noHost = line(['Cluster must have at least one etcd plane host'], SAID_BY, /Cluster must have at least one etcd plane host/);
const built = line(['Finished building Kubernetes cluster successfully'], []);

export const cause = defineCause({
  id: 'rke-host-refused',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['node-not-ready', 'kubelet-down', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'RKE cannot use the host',
    title: 'RKE cannot use Docker on host {host} through its SSH tunnel: {what}',
    why: 'RKE (and Rancher with it) sets up every host through SSH: it logs in, opens a tunnel to the socket of Docker, and starts the parts of Kubernetes as containers. For {host} {what}, so the host is left out; when none is left for etcd, it ends with "Cluster must have at least one etcd plane host".',
  },

  clues: {
    tunnel: proves(tunnel),
    other: supports(other),
    noHost: supports(noHost),
    built: excludes(built),
  },
  says: {
    tunnel: 'RKE says of {host}: {what}',
    other: 'RKE cannot set up its SSH tunnel to {host}',
    noHost: 'no host is left for etcd',
    built: 'RKE has built the cluster since',
  },
  slots: (_place, { tunnel: said, other: unnamed }) => {
    const fields = said?.fields ?? {};
    return {
      host: fields['host'] ?? unnamed?.fields['host'] ?? 'of the cluster',
      what: fields['version']
        ? `its Docker version ${fields['docker'] ?? ''} is not supported by this RKE (it takes ${fields['supported'] ?? 'others'})`
        : fields['login']
          ? 'the login by SSH fails (user, private key, or a cipher the host does not allow)'
          : fields['forward']
            ? 'the SSH server forbids forwarding (AllowTcpForwarding no)'
            : fields['socket']
              ? 'the SSH user may not use the socket of Docker (it is not in the group docker), or Docker does not run'
              : fields['dialer']
                ? 'the agent of Rancher on that host is not connected'
                : fields['net']
                  ? 'its SSH port is not reached'
                  : 'the tunnel to the socket of Docker cannot be opened',
    };
  },

  fixes: [
    {
      say: 'Try by hand what RKE does',
      risk: 'reads-only',
      steps: [
        { say: 'from where RKE runs, with the user and key of cluster.yml', run: 'ssh -i KEY USER@HOST docker version' },
        {
          say: 'on the host: group of the user, and what the SSH server allows',
          run: 'id USER; sshd -T | grep -iE "allowtcpforwarding|allowstreamlocalforwarding|ciphers|pubkeyaccepted"; docker version',
          on: 'node',
        },
      ],
    },
    {
      say: 'Let the SSH user use Docker: group docker (root is not allowed on RHEL and CentOS), and AllowTcpForwarding yes',
      risk: 'touches-node',
      steps: [
        { say: 'the group takes effect with the next login', run: 'usermod -aG docker USER', on: 'node' },
        {
          say: 'openEuler, Kylin and hardened hosts forbid forwarding',
          run: "sed -i -E 's/^#?(AllowTcpForwarding).*/\\1 yes/' /etc/ssh/sshd_config && systemctl restart sshd",
          on: 'node',
        },
      ],
      verified: 'ssh USER@HOST docker version prints client and server, and rke up goes on',
    },
    {
      say: 'Docker version not supported: install one of those it names, use a newer RKE, or set ignore_docker_version: true in cluster.yml',
      risk: 'touches-node',
      steps: [{ say: 'the version on the host', run: 'docker version', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['rancher/rke hosts/tunnel.go, hosts/dialer.go', 'rancher docs: RKE requirements (SSH server configuration)'],
});
