import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['docker-log', 'system-log', 'container-log'] as const;
const address = line(
  ['does not match requested configuration'],
  SAID_BY,
  /bridge IPv[46] \((?<has>[^)\s]{3,60})\) does not match requested configuration (?<wanted>[^\s"\\]{3,60})/,
);
const noBridge = line(
  ['bridge device with non default name'],
  SAID_BY,
  /bridge device with non default name [\\"]{0,4}(?<bridge>[\w.-]{1,30})[\\"]{0,4} must (?<must>be created manually|have a valid IP address)/,
);
const noPool = line(
  ['non-overlapping IPv4 address pool', 'list bridge addresses failed', 'networks have overlapping IPv4', 'networks have same bridge name'],
  SAID_BY,
  /(?<pool>could not find an available, non-overlapping IPv4 address pool|list bridge addresses failed: [^\n"]{3,160})|conflicts with network \S{1,80} \((?<other>[\w.-]{1,30})\): networks have (?<clash>overlapping IPv4|same bridge name)/i,
);
const unsupported = line(
  ['error creating default', 'Error initializing network controller'],
  SAID_BY,
  /(?:error creating default [\\"]{0,4}bridge[\\"]{0,4} network|Error initializing network controller): (?:[^\n"]{0,120}?)(?<error>operation not supported|no such network interface|package not installed|permission denied)/i,
);
const ended = line(
  [
    'docker.service: main process exited',
    'Failed to start Docker Application Container Engine',
    'Error starting daemon',
    'failed to start daemon',
  ],
  SAID_BY,
  /docker\.service: main process exited|Failed to start Docker Application Container Engine|Error starting daemon|failed to start daemon/i,
);
const rules = line(
  ['iptables failed', 'Failed to program', 'iptables not found', 'Failed to Setup IP tables'],
  [],
  /Error initializing network controller[^\n]{0,200}?(?:iptables failed|Failed to program|iptables not found|Failed to Setup IP tables)/i,
);
const otherwise = line(
  ['failed to start daemon: ', 'Error starting daemon: '],
  [],
  /(?:failed to start daemon|Error starting daemon): (?!error (?:initializing network|creating default))/i,
);
const up = line(['Daemon has completed initialization'], []);

export const cause = defineCause({
  id: 'docker-network-cannot-start',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['runtime-down', 'kubelet-down', 'node-not-ready', 'creating', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Docker bridge cannot be set up',
    title: 'Docker on {node} does not start: its bridge network cannot be set up ({fault})',
    why: 'At its start dockerd sets up its default network: the bridge docker0, or the one that --bridge names, with the address of --bip or a free one. On {node} that fails ({fault}), and dockerd exits. {mechanism}',
  },

  clues: {
    address: proves(address),
    noBridge: proves(noBridge),
    noPool: proves(noPool),
    unsupported: proves(unsupported),
    ended: supports(ended),
    rules: excludes(rules),
    otherwise: excludes(otherwise),
    up: excludes(up),
  },
  says: {
    address: 'the bridge has the address {has}, and Docker is told {wanted}',
    noBridge: 'Docker is told to use the bridge {bridge}, which is not there or has no address',
    noPool: 'Docker finds no address range for its bridge',
    unsupported: 'the bridge cannot be made: {error}',
    ended: 'Docker ends at its start',
    rules: 'it is iptables that fails, not the bridge',
    otherwise: 'Docker names another reason why it does not start',
    up: 'Docker has started since',
  },
  slots: (place, { address: differs, noBridge: named, noPool: none, unsupported: failed }) => {
    const bridge = named?.fields['bridge'] ?? 'docker0';
    const has = differs?.fields['has'] ?? 'another one';
    const wanted = differs?.fields['wanted'] ?? 'another one';
    const error = failed?.fields['error'] ?? 'see its journal';
    const [fault, mechanism] = differs
      ? [
          `the bridge has the address ${has}, but ${wanted} is configured`,
          'A bridge of an earlier run is left with its old address, mostly after flannel or another network gave --bip a new range.',
        ]
      : named
        ? [
            `the bridge ${bridge} ${named.fields['must'] === 'have a valid IP address' ? 'has no address' : 'does not exist'}`,
            'Docker makes docker0 itself; a bridge of another name must be there before (the kubelet or a network plugin makes it), for instance after a reboot.',
          ]
        : none
          ? [
              none.fields['clash']
                ? `it clashes with ${none.fields['other'] ?? 'another network'}: ${none.fields['clash']}`
                : 'no free address range is left',
              'Routes of the host (VPN, other bridges, leftovers of Docker) cover all ranges that Docker would take.',
            ]
          : [
              error,
              'The kernel lacks the module bridge or veth, or dockerd may not change interfaces (a container, an upgrade without reboot).',
            ];
    return {
      node: place.name,
      bridge,
      has,
      wanted,
      error,
      fault: fault ?? '',
      mechanism: mechanism ?? '',
      interface: differs ? 'docker0' : '',
    };
  },

  fixes: [
    {
      say: 'See the bridges and what Docker is told',
      risk: 'reads-only',
      steps: [
        { say: 'interfaces and routes', run: 'ip -br address; ip route', on: 'node' },
        {
          say: 'options bridge, bip, fixed-cidr, default-address-pools',
          run: 'cat /etc/docker/daemon.json /run/flannel/docker /etc/default/docker 2>/dev/null; systemctl cat docker | grep -n ExecStart',
          on: 'node',
        },
      ],
    },
    {
      say: 'A bridge with an old address: remove it, Docker makes it anew',
      risk: 'touches-node',
      for: ['address'],
      steps: [
        {
          say: 'while Docker is stopped',
          run: 'systemctl stop docker; ip link set docker0 down && ip link delete docker0; systemctl start docker',
          on: 'node',
        },
      ],
      verified: 'docker info answers, and the kubelet stays up',
    },
    {
      say: 'A bridge that is missing: make it, or take the option bridge out of the configuration of Docker',
      risk: 'touches-node',
      for: ['noBridge'],
      steps: [
        { say: 'make it by hand', run: 'ip link add name {{bridge}} type bridge && ip link set {{bridge}} up', on: 'node' },
        { say: 'then', run: 'systemctl reset-failed docker; systemctl restart docker', on: 'node' },
      ],
      verified: 'docker info answers, and the kubelet stays up',
    },
    {
      say: 'No free range: give Docker one of its own (bip or default-address-pools in daemon.json), or remove leftovers',
      risk: 'touches-node',
      for: ['noPool'],
      steps: [
        { say: 'state of networks that Docker kept', run: 'ls /var/lib/docker/network/files; ip -br link type bridge', on: 'node' },
        {
          say: 'an example of a setting: "bip": "172.31.255.1/24"',
          run: 'vi /etc/docker/daemon.json && systemctl restart docker',
          on: 'node',
        },
      ],
      verified: 'docker info answers, and the kubelet stays up',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['moby libnetwork/drivers/bridge (errors.go, setup_device.go, setup_ipv4.go)', 'moby daemon/daemon_unix.go'],
});
