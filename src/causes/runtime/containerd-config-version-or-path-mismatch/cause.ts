import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const refusedVersion = line(
  ['unsupported config version', 'is not supported, the max version is', 'expected containerd config version equal to or less than'],
  ['containerd-log', 'system-log'],
  /(?:config version `(?<version>\d{1,3})`(?: is not supported)?|equal to or less than `\d{1,3}`, got `(?<got>\d{1,3})`)/,
);
const refusedName = line(
  ['invalid plugin key URI', 'invalid disabled plugin URI', 'invalid required plugin URI'],
  ['containerd-log', 'system-log'],
  /invalid (?<where>plugin key|disabled plugin|required plugin) URI [\\"“”]{0,8}(?<name>[^\s"\\“”]{1,120})/,
);
const badToml = line(
  ['failed to load TOML', 'failed to unmarshal TOML', '(last key parsed '],
  ['containerd-log', 'system-log'],
  /failed to (?:load|unmarshal) TOML(?: from)?:? ?(?<detail>[^\n]{0,200})|containerd: (?<older>Near line \d{1,6} \(last key parsed [^\n]{3,240})/,
);
// The daemon does without its usual file; only a client that was told to read it complains.
const USUAL_FILE_MISSING = /open \/etc\/containerd\/config\.toml: no such file or directory/;
const badPlugin = line(
  ['invalid plugin config', 'invalid cri image config', 'invalid cri runtime config', 'failed to load plugin'],
  ['containerd-log', 'system-log'],
  /invalid (?:plugin|cri (?:image|runtime)) config: (?<detail>(?!`systemd_cgroup`)[^\n"]{5,240})|failed to load plugin[^\n]{0,120}?\bcri\b[^\n]{0,40}?error=[\\"]{0,4}(?<reason>(?:toml|unable to (?:load|parse|decode)|failed to (?:decode|parse|load) (?:config|toml)|strict mode|no corresponding runtime)[^\n"]{3,240})/,
);
const legacySwitch = line('`systemd_cgroup` only works for runtime', ['containerd-log', 'system-log']);
const unknownKey = line(
  'Ignoring unknown key in TOML',
  'containerd-log',
  /Ignoring unknown key in TOML[^\n]{0,600}?\bkey=[\\"“”]{0,4}(?<key>[\w.-]+(?: [\w.-]+){0,8}?)[\\"“”]{0,4}(?: (?:plugin|file|row|column|error)=|: |$)/,
);
const migrated = line('Configuration migrated from version', []);
const WEIGHTY = /systemd_?cgroup|sandbox|registry|config_path|cni|bin_dir|conf_dir|snapshotter|runtimes|default_runtime/i;

export const cause = defineCause({
  id: 'containerd-config-version-or-path-mismatch',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['runtime-down', 'kubelet-down', 'node-not-ready', 'creating', 'init-stuck', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],
  wakesOn: [on('runtime.cgroup-driver', { ignored: true })],

  text: {
    name: 'containerd config not as read',
    title: 'The containerd configuration on {node} is not what containerd reads: {fault}',
    why: 'The tables of /etc/containerd/config.toml have other names in each version of the file (version = 1, 2, 3). A table under the name of another version is skipped without a word, and a version, name or value that the running containerd does not know stops it or its CRI plugin: {fault}.{hint}',
  },

  clues: {
    refusedVersion: proves(refusedVersion),
    refusedName: proves(refusedName),
    badToml: proves(
      badToml,
      ({ channel, fields }) =>
        (channel !== 'container-log' || /\/containerd\//.test(fields['detail'] ?? '')) && !USUAL_FILE_MISSING.test(fields['detail'] ?? ''),
    ),
    badPlugin: proves(badPlugin),
    legacySwitch: proves(legacySwitch),
    ignored: supports('runtime.cgroup-driver', ({ ignored }) => ignored === true),
    unknownKey: supports(unknownKey, ({ fields }) => WEIGHTY.test(fields['key'] ?? '')),
    inEffect: supports(
      'runtime.cgroup-driver',
      ({ runtime, source, driver }) => runtime === 'containerd' && source === 'effective' && driver === 'cgroupfs',
    ),
    colonPath: supports('container.cgroup-path', ({ shape }) => shape === 'colon'),
    stops: supports('pod.silent-stops'),
    fileProblem: supports('runtime.config-file', ({ runtime, problem }) => runtime === 'containerd' && problem !== undefined),
    migrated: excludes(migrated),
  },
  says: {
    refusedVersion: 'containerd refuses a configuration of version {version}',
    refusedName: 'containerd refuses the plugin name {name} in its configuration',
    badToml: 'containerd cannot read its configuration: {detail}',
    badPlugin: 'a plugin of containerd refuses its settings: {setting}',
    legacySwitch: 'systemd_cgroup is an old switch; it makes the CRI plugin fail',
    ignored: 'SystemdCgroup stands where a version {written} file is not looked at',
    unknownKey: 'containerd ignores the key {key}',
    inEffect: 'the configuration in effect still says cgroupfs',
    colonPath: 'a container sits outside its pod slice, as without the setting',
    stops: 'pods are stopped by the kubelet without an error',
    fileProblem: 'the file is wrong in itself: {problem}',
    migrated: 'containerd translated the old file when it started, so it counts',
  },
  slots: (
    place,
    {
      refusedVersion: version,
      refusedName: name,
      badToml: toml,
      badPlugin: plugin,
      legacySwitch: legacy,
      ignored,
      unknownKey: unknown,
      fileProblem,
    },
  ) => {
    const number = version?.fields['version'] ?? version?.fields['got'] ?? ignored?.configVersion ?? 'another';
    const tomlError = toml?.fields['detail'] || toml?.fields['older'] || 'not valid TOML';
    const setting = plugin?.fields['detail'] ?? plugin?.fields['reason'] ?? 'invalid plugin config';
    const refusals = [
      version && `it does not support a file of version ${number}`,
      name && `${name.fields['name'] ?? 'a short plugin name'} is no ${name.fields['where'] ?? 'plugin'} name of this file version`,
      legacy && 'systemd_cgroup works only with a runtime that is gone; use SystemdCgroup under the runc options',
      toml && `it cannot be read (${tomlError})`,
      plugin && `its CRI plugin is not loaded: ${setting}`,
      ignored && `SystemdCgroup stands in a table that a version ${number} file does not have`,
      unknown && `the key ${unknown.fields['key'] ?? ''} is ignored`,
    ];
    return {
      node: place.name,
      fault: refusals.find((text) => text) ?? 'a setting stands where it is not looked for',
      daemon: ignored?.driver === 'systemd' && !(version ?? name ?? toml ?? plugin ?? legacy) ? 'containerd' : '',
      version: number,
      written: ignored?.configVersion ?? number,
      name: name?.fields['name'] ?? 'cri',
      detail: tomlError,
      setting,
      key: unknown?.fields['key'] ?? 'it does not know',
      problem: fileProblem?.problem ?? 'not valid',
      hint: /`(?:mirrors|configs)` cannot be set/.test(setting)
        ? ' Mirrors stand either in this file or in a folder of hosts.toml files (config_path), never in both; containerd 2.2.0 sets config_path by itself when it translates an older file (2.2.1 does not).'
        : toml
          ? ' With k3s and rke2 the file is written at each start, from registries.yaml and config.toml.tmpl: a quotation mark in a password there breaks it.'
          : '',
    };
  },

  fixes: [
    {
      say: 'Compare the file with what containerd works with',
      risk: 'reads-only',
      steps: [
        {
          say: 'version of the file, of containerd, and the configuration in effect',
          run: 'grep -n ^version /etc/containerd/config.toml; containerd --version; containerd config dump | grep -nE "SystemdCgroup|sandbox|config_path"',
          on: 'node',
        },
        { say: 'which file the daemon was started with', run: 'systemctl cat containerd | grep -n ExecStart', on: 'node' },
      ],
    },
    {
      say: 'Rewrite the configuration in the version this containerd knows',
      risk: 'touches-node',
      steps: [
        { say: 'keep a copy', run: 'cp -a /etc/containerd/config.toml /etc/containerd/config.toml.before', on: 'node' },
        {
          say: 'containerd 2: let it translate the old file; where that fails, start from containerd config default and put your settings in again',
          run: 'containerd config migrate > /etc/containerd/config.toml.new && mv /etc/containerd/config.toml.new /etc/containerd/config.toml',
          on: 'node',
        },
        {
          say: 'SystemdCgroup belongs under [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options] with version = 2 and under [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options] with version = 3',
          run: 'containerd config dump | grep -n SystemdCgroup',
          on: 'node',
        },
        { say: 'restart containerd; running containers stay', run: 'systemctl restart containerd', on: 'node' },
      ],
      changes: [
        { do: 'containerd-set', setting: 'SystemdCgroup', value: true, asKubelet: true },
        { do: 'units', action: 'restart', units: ['{{daemon}}', 'kubelet'] },
      ],
      verified: 'containerd config dump shows the value, and containerd stays up',
    },
    {
      say: 'Mirrors and config_path both set: keep the folder, and move each mirror into a hosts.toml of its own',
      risk: 'touches-node',
      steps: [
        {
          say: 'one folder for each registry, for example a mirror of docker.io',
          run: `mkdir -p /etc/containerd/certs.d/docker.io && printf 'server = "https://registry-1.docker.io"\\n[host."https://MIRROR"]\\n  capabilities = ["pull", "resolve"]\\n' > /etc/containerd/certs.d/docker.io/hosts.toml`,
          on: 'node',
        },
        {
          say: 'in config.toml delete the tables registry.mirrors and registry.configs, and set config_path = "/etc/containerd/certs.d"',
          run: 'grep -nE "registry|mirrors|config_path" /etc/containerd/config.toml',
          on: 'node',
        },
        { say: 'restart it', run: 'systemctl restart containerd && crictl info | head -5', on: 'node' },
      ],
      verified: 'ctr plugins ls shows cri as ok',
    },
    {
      say: 'k3s, rke2, k3d: correct registries.yaml or config.toml.tmpl, from which the file is made, and start again',
      risk: 'touches-node',
      steps: [
        {
          say: 'a password with quotation marks goes into single quotes, with each mark inside escaped',
          run: 'cat /etc/rancher/k3s/registries.yaml /etc/rancher/rke2/registries.yaml 2>/dev/null; tail -20 /var/lib/rancher/*/agent/containerd/containerd.log',
          on: 'node',
        },
        { say: 'k3s, for example', run: 'systemctl restart k3s', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd cmd/containerd/server/config/config.go (2.x), services/server/config/config.go (1.6, 1.7)',
    'containerd plugins/cri/runtime/plugin.go (configMigration), RELEASES.md',
    'kubernetes issue 117293',
  ],
});
