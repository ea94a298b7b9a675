import {
  defineCause,
  excludes,
  line,
  minutes,
  notByContainers,
  proves,
  supports,
  versionAtLeast,
  versionBelow,
} from '../../define-cause.ts';

const unknown = line(
  ['unknown version specified'],
  ['pod-events', 'pod-status', 'kubelet-log', 'crio-log', 'containerd-log', 'docker-log'],
  /(?:container create failed|OCI runtime create failed|OCI runtime error: crun|crun): unknown version specified/,
);

export const cause = defineCause({
  id: 'oci-runtime-too-old',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['create-error', 'creating', 'crash-loop', 'init-crash', 'init-stuck', 'failed', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'OCI runtime is too old',
    title: '{runtime} on {node} is too old for the OCI specification that CRI-O or containerd writes (unknown version specified)',
    why: 'CRI-O, containerd or Docker describe each container in a file of the OCI specification and hand it to {runtime}. A newer engine writes a newer version of it (1.2), and crun before 1.14.3 refuses what it does not know, so that no container is made. Distributions often keep an old crun beside a CRI-O from another repository.',
  },

  clues: {
    unknown: proves(unknown, notByContainers),
    old: supports('host.version', ({ component, version }) => component === 'crun' && versionBelow(version, '1.14.3')),
    recent: excludes('host.version', ({ component, version }) => component === 'crun' && versionAtLeast(version, '1.14.3')),
  },
  says: {
    unknown: 'the OCI runtime refuses the container: unknown version specified',
    old: 'it is {runtime}; 1.14.3 is the first that takes newer versions',
    recent: 'crun is new enough',
  },
  slots: (place, { old }) => ({ node: place.name, runtime: old ? `crun ${old.version}` : 'crun' }),

  fixes: [
    {
      say: 'Compare the versions',
      risk: 'reads-only',
      steps: [
        {
          say: 'the OCI runtime and the engine',
          run: 'crun --version; crio --version | head -2; containerd --version; which -a crun',
          on: 'node',
        },
      ],
    },
    {
      say: 'Upgrade crun to 1.14.3 or newer, or use the one that CRI-O brings (/usr/libexec/crio/crun)',
      risk: 'touches-node',
      steps: [
        {
          say: 'Debian, Ubuntu (an older release has it in backports)',
          run: 'apt-get update && apt-get install -y crun',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'dnf upgrade -y crun', on: 'node', family: 'rhel' },
        { say: 'which one CRI-O uses', run: 'crio config 2>/dev/null | grep -nE "default_runtime|runtime_path"', on: 'node' },
        { say: 'then', run: 'systemctl restart crio', on: 'node' },
      ],
      verified: 'the container is created and runs',
    },
    {
      say: 'Or make runc the default runtime until then',
      risk: 'touches-node',
      steps: [{ say: 'default_runtime = "runc" in a file below /etc/crio/crio.conf.d', run: 'systemctl restart crio', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['crun src/libcrun/container.c (unknown version specified)', 'containers/crun issues 1485, 1620', 'cri-o issues 7997, 8833'],
});
