import { defineCause, excludes, line, minutes, needs, proves, supports, versionAtLeast, versionBelow } from '../../define-cause.ts';

const ASKED = ['kubelet-log', 'kubeadm-output', 'runtime-state'] as const;
const unknownApi = line(
  [
    'runtime API is not implemented for endpoint',
    'image API is not implemented for endpoint',
    'unknown service runtime.v1',
    'Minimum supported API version is',
    'Maximum supported API version is',
  ],
  ASKED,
  /CRI (?<asked>v1(?:alpha2)?) (?:runtime|image) API is not implemented for endpoint [\\"]{0,4}(?<endpoint>[^\s"\\]{3,160})|unknown service runtime\.(?<api>v1(?:alpha2)?)\.(?:Runtime|Image)Service|(?<by>failed to (?:get docker version from dockerd|retrieve docker version): [^\n]{0,60}?)?client version (?<client>[\d.]{3,10}) is too (?:old|new)\. (?:Minimum|Maximum) supported API version is (?<least>[\d.]{3,10})/,
);
const dockerApi = line(
  ['Minimum supported API version is', 'Maximum supported API version is'],
  [...ASKED, 'docker-log', 'system-log'],
  /(?<by>failed to (?:get docker version from dockerd|retrieve docker version): [^\n]{0,60}?)?client version (?<client>[\d.]{3,10}) is too (?<word>old|new)\. (?:Minimum|Maximum) supported API version is (?<least>[\d.]{3,10})/,
);
const switchedOff = line(
  ['disabled_plugins', 'skip loading plugin'],
  [],
  /^\s{0,8}disabled_plugins\s{0,4}=\s{0,4}\[[^\]]{0,200}["']cri["']|skip loading plugin[^\n]{0,80}\bcri\b/,
);
const pluginFailed = line(
  'failed to load plugin',
  [],
  /failed to load plugin[^\n]{0,200}(?:\bcri\b|type=io\.containerd\.(?:cri|grpc)\.v1\b)/,
);

export const cause = defineCause({
  id: 'kubelet-runtime-version-skew',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'runtime-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Kubelet and runtime do not fit',
    title: '{runtime} on {node} is of a version that does not fit {peer}: {what}',
    why: '{rule} Here {what}, so {peer} ends at start until the older side is upgraded.',
  },

  clues: {
    unknownApi: needs(unknownApi, ({ channel, fields }) => channel !== 'container-log' || fields['by'] !== undefined),
    noApi: supports(unknownApi, ({ channel, fields }) => channel !== 'container-log' && (fields['asked'] ?? fields['api']) !== undefined),
    oldContainerd: proves('host.version', ({ component, version }) => /^containerd/.test(component) && versionBelow(version, '1.6')),
    oldOnNode: proves(
      'node.info',
      ({ runtime, runtimeVersion }) => runtime === 'containerd' && runtimeVersion !== undefined && versionBelow(runtimeVersion, '1.6'),
    ),
    newContainerd: supports('host.version', ({ component, version }) => /^containerd/.test(component) && versionAtLeast(version, '2.0')),
    newKubelet: supports(
      'host.version',
      ({ component, version }) => /^(?:kube|kubernetes)/.test(component) && versionAtLeast(version, '1.26'),
    ),
    dockerApi: proves(dockerApi, ({ channel, fields }) => /^(?:kubelet|system|docker)-log$/.test(channel) || fields['by'] !== undefined),
    switchedOff: excludes(switchedOff),
    pluginFailed: excludes(pluginFailed),
  },
  says: {
    unknownApi: 'the runtime does not offer the API it is asked for',
    noApi: 'the CRI {api} is not implemented by the runtime',
    oldContainerd: 'containerd is {old}, older than 1.6: it has no CRI v1',
    oldOnNode: 'the node runs containerd {old}, older than 1.6: it has no CRI v1',
    newContainerd: 'containerd is {new}: it no longer has CRI v1alpha2',
    newKubelet: 'Kubernetes is {kube}: it asks for CRI v1 only',
    dockerApi: 'Docker refuses API {client}; it wants {least}',
    switchedOff: 'the CRI plugin of containerd is disabled in its configuration',
    pluginFailed: 'the CRI plugin is enabled but fails to load',
  },
  slots: (place, { unknownApi: said, oldContainerd: old, oldOnNode, newContainerd, newKubelet, dockerApi: docker }) => {
    const fields = said?.fields ?? {};
    const api = fields['asked'] ?? fields['api'] ?? 'v1';
    const version = old?.version ?? oldOnNode?.runtimeVersion ?? 'too old';
    const endpoint = fields['endpoint'] ?? '';
    const crio = /crio/.test(endpoint);
    const adapter = /dockerd/.test(docker?.fields['by'] ?? '');
    return {
      node: place.name,
      runtime: docker ? 'Docker' : crio ? 'CRI-O' : 'containerd',
      peer: docker ? (adapter ? 'cri-dockerd' : 'the kubelet or its adapter cri-dockerd') : 'the kubelet or kubeadm',
      rule: docker
        ? 'cri-dockerd (and kubelets before 1.24) speak to Docker in one version of its API. Docker 25 dropped versions before 1.24, Docker 29 those before 1.44: a cri-dockerd of an older release is turned away after such an upgrade of Docker.'
        : 'Kubelet and container runtime must speak the same version of the CRI. Kubernetes 1.26 and later ask for CRI v1, which containerd has from 1.6 on (1.4 and 1.5 are too old); containerd 2.0 dropped v1alpha2, which kubelets before 1.23 need.',
      api,
      old: version,
      new: newContainerd?.version ?? '2.0',
      kube: newKubelet?.version ?? '1.26 or later',
      client: docker?.fields['client'] ?? fields['client'] ?? '1.24',
      least: docker?.fields['least'] ?? fields['least'] ?? 'a newer one',
      what: docker
        ? `it refuses API version ${docker.fields['client'] ?? ''} and wants ${docker.fields['least'] ?? 'a newer one'}`
        : old || oldOnNode
          ? `containerd ${version} is too old and has no CRI ${api}`
          : `the ${api} runtime API is not implemented by it`,
    };
  },

  fixes: [
    {
      say: 'Compare the versions, and rule out a disabled CRI plugin',
      risk: 'reads-only',
      steps: [
        {
          say: 'versions of all three',
          run: 'kubelet --version; containerd --version; crictl --version; docker version 2>/dev/null | head -20',
          on: 'node',
        },
        {
          say: 'the CRI plugin must be "ok"',
          run: 'grep -n disabled_plugins /etc/containerd/config.toml; ctr plugins ls | grep -i cri',
          on: 'node',
        },
      ],
    },
    {
      say: 'Upgrade containerd on {node} to 1.6 or newer (1.7 or 2.x where the kubelet allows it)',
      risk: 'touches-node',
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: "Debian, Ubuntu (Docker's repository has current versions)",
          run: 'apt-get update && apt-get install -y containerd.io',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'yum install -y containerd.io', on: 'node', family: 'rhel' },
        {
          say: 'write a configuration that fits the new version',
          run: "containerd config default > /etc/containerd/config.toml && sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml && systemctl restart containerd kubelet",
          on: 'node',
        },
      ],
      verified: 'crictl version answers with RuntimeApiVersion v1 and {node} is Ready',
    },
    {
      say: 'Docker refuses the API version: install a newer cri-dockerd, or let Docker serve the old version for now',
      risk: 'touches-node',
      steps: [
        {
          say: 'current release of cri-dockerd for your system',
          run: 'cri-dockerd --version; docker version | grep -E "API version|Version"',
          on: 'node',
        },
        {
          say: 'for now: let the daemon take version {client} (Docker 29 and later; or "min-api-version" in daemon.json)',
          run: `mkdir -p /etc/systemd/system/docker.service.d && printf '[Service]\\nEnvironment=DOCKER_MIN_API_VERSION={{client}}\\n' > /etc/systemd/system/docker.service.d/min-api.conf && systemctl daemon-reload && systemctl restart docker cri-docker`,
          on: 'node',
        },
      ],
      verified: 'cri-dockerd stays up, and {node} is Ready',
    },
    {
      say: 'An old kubelet or cri-dockerd with a new runtime: upgrade that one instead, or keep the runtime one release back (containerd 1.7, Docker 28)',
      risk: 'touches-node',
      steps: [
        {
          say: 'hold the package so that it is not upgraded again',
          run: 'apt-mark hold containerd.io docker-ce',
          on: 'node',
          family: 'debian',
        },
        { say: 'hold the package', run: 'yum versionlock add containerd.io docker-ce', on: 'node', family: 'rhel' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/cri-client/pkg/remote_runtime.go (validateServiceConnection)',
    'containerd RELEASES.md (Kubernetes support, removed CRI v1alpha2)',
    'moby api/server/middleware/version.go',
  ],
});
