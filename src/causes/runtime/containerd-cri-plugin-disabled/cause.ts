import { defineCause, excludes, line, minutes, on, proves, supports, versionBelow } from '../../define-cause.ts';

const unknownService = line(
  'unknown service runtime.v1',
  ['kubelet-log', 'kubeadm-output', 'runtime-state'],
  /code = Unimplemented desc = unknown service runtime\.(?<api>v1(?:alpha2)?)\.(?:RuntimeService|ImageService)/,
);
const pluginFailed = line(
  'failed to load plugin',
  [],
  /failed to load plugin[^\n]{0,200}(?:\bcri\b|type=io\.containerd\.(?:cri|grpc)\.v1\b)/,
);
/** A machine that is just being set up: its containerd is new, so it is hardly too old. */
const fresh = line(
  ['[ERROR CRI]', '[ERROR ImagePull]'],
  'kubeadm-output',
  /\[ERROR (?:CRI|ImagePull)\][\s\S]{0,600}?unknown service runtime\.v1/,
);
const CRI = /(?:^|[\s,."])cri(?:$|[\s,"])/;

export const cause = defineCause({
  id: 'containerd-cri-plugin-disabled',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'runtime-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],
  wakesOn: [on('runtime.setting', { key: 'disabled_plugins' })],

  text: {
    name: 'CRI plugin of containerd disabled',
    title: 'containerd on {node} runs with its CRI plugin disabled{where}',
    why: 'The kubelet talks to containerd through the CRI service. The config.toml that comes with the containerd.io package of Docker holds disabled_plugins = ["cri"], so containerd runs and answers, but does not implement that service: kubelet, kubeadm and crictl get Unimplemented.',
  },

  clues: {
    unknownService: supports(unknownService, ({ fields }) => fields['api'] === 'v1'),
    noService: proves(unknownService, ({ fields }) => fields['api'] !== 'v1'),
    disabled: proves(
      'runtime.setting',
      ({ runtime, key, value }) => runtime === 'containerd' && key === 'disabled_plugins' && CRI.test(value),
    ),
    skipped: proves(
      'runtime.setting',
      ({ runtime, key, value }) => runtime === 'containerd' && /^plugin io\.containerd\.\S*\bcri\b/.test(key) && value === 'skip',
    ),
    fresh: supports(fresh),
    dockers: supports('runtime.setting', ({ key, value }) => key === 'supplied-by' && value === 'docker'),
    pluginFailed: excludes(pluginFailed),
    pluginInError: excludes('runtime.setting', ({ key, value }) => /^plugin io\.containerd\.\S*\bcri\b/.test(key) && value === 'error'),
    tooOld: excludes('host.version', ({ component, version }) => component === 'containerd' && versionBelow(version, '1.6')),
    byDocker: excludes('node.info', ({ runtime }) => runtime === 'docker'),
  },
  says: {
    unknownService: 'the runtime does not know the CRI service (runtime.{api})',
    noService: 'the runtime does not even know the old CRI service (runtime.v1alpha2)',
    disabled: 'disabled_plugins in the containerd configuration holds {value}',
    skipped: 'containerd skipped its CRI plugin',
    fresh: 'kubeadm finds it so while the machine is being set up',
    dockers: 'containerd came with the packages of Docker, which disable CRI',
    pluginFailed: 'the CRI plugin is enabled but fails to load',
    pluginInError: 'the CRI plugin is enabled but in error',
    byDocker: 'the node runs its pods by Docker; containerd needs no CRI there',
    tooOld: 'containerd {version} is too old for the CRI v1 API',
  },
  slots: (place, { unknownService: unknown, noService, disabled, tooOld }) => ({
    node: place.name,
    where: disabled ? `: disabled_plugins = [${disabled.value}]` : '',
    api: (unknown ?? noService)?.fields['api'] ?? 'v1',
    value: disabled?.value ?? 'cri',
    version: tooOld?.version ?? 'of that age',
  }),

  fixes: [
    {
      say: 'See whether the plugin is disabled, failed, or containerd too old',
      risk: 'reads-only',
      steps: [
        {
          say: 'the setting and the state of the plugin',
          run: 'grep -n disabled_plugins /etc/containerd/config.toml; ctr plugins ls | grep cri',
          on: 'node',
        },
        {
          say: 'kubelet 1.26 and later want containerd 1.6 or newer; upgrade containerd if it is older',
          run: 'containerd --version; kubelet --version',
          on: 'node',
        },
      ],
    },
    {
      say: 'Enable the CRI plugin: take cri out of disabled_plugins in /etc/containerd/config.toml',
      risk: 'touches-node',
      steps: [
        {
          say: 'keep a copy and write the full default configuration, which has the plugin on',
          run: 'cp -a /etc/containerd/config.toml /etc/containerd/config.toml.before && containerd config default > /etc/containerd/config.toml',
          on: 'node',
        },
        {
          say: 'the default leaves runc on cgroupfs: set SystemdCgroup = true as well, or pods will restart for ever; add the line under the runc options where it is missing',
          run: "sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml && grep -n SystemdCgroup /etc/containerd/config.toml",
          on: 'node',
        },
        { say: 'restart containerd, then the kubelet', run: 'systemctl restart containerd && systemctl restart kubelet', on: 'node' },
      ],
      changes: [
        { do: 'containerd-enable', plugin: 'cri' },
        { do: 'containerd-set', setting: 'SystemdCgroup', value: true, asKubelet: true },
        { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
      ],
      verified: 'crictl version prints RuntimeApiVersion: v1, and the kubelet stays up',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd plugins/cri',
    'kubernetes staging/src/k8s.io/cri-client/pkg/remote_runtime.go',
    'docker containerd-packaging (config.toml)',
  ],
});
