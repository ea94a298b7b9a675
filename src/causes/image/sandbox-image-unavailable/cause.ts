import {
  defineCause,
  excludes,
  imageIn,
  isOneOf,
  line,
  minutes,
  needs,
  notAboutNode,
  notByContainers,
  on,
  proves,
  pullLine,
} from '../../define-cause.ts';

/** containerd names the sandbox image; Docker's adapters and CRI-O only pull while they create a sandbox. */
const noSandboxImage = pullLine(
  [
    'failed to get sandbox image',
    'unable to pull sandbox image',
    'failed to inspect sandbox image',
    'create pod sandbox',
    'creating pod sandbox',
    'CreatePodSandbox',
    'RunPodSandbox',
  ],
  /(?:failed to get|unable to pull|failed to inspect) sandbox image|(?:creat(?:e|ing) ?pod ?sandbox|RunPodSandbox)[\s\S]{0,300}?(?:failed pulling image|pulling image \\*"|initializing source docker:\/\/|pinging (?:container|docker) registry|Get \\*"?https?:\/\/[^\s"\\]{4,200}\/manifests\/)/,
  {
    may: [
      /Get \\*"?https?:\/\/(?<address>[\w.:-]{4,200}\/v2\/[\w./-]{3,200}\/manifests\/[\w.-]{1,100})/,
      /(?<reason>unexpected media type text\/html|invalid character '<' looking for beginning of value|no such host|server misbehaving|i\/o timeout|connection refused|TLS handshake timeout|no route to host|network is unreachable|Client\.Timeout exceeded|context deadline exceeded|x509: [^"\\\n]{5,120}|HTTP response to HTTPS client|429 Too Many Requests|toomanyrequests|40[13] (?:Unauthorized|Forbidden)|no basic auth credentials|manifest unknown|connection reset by peer|\bEOF\b|: not found)/,
    ],
    must: [],
  },
);
const volumes = line(
  ['MountVolume.', 'AttachVolume.', 'Unable to attach or mount volumes'],
  [],
  /(?:MountVolume|AttachVolume)\.\w+ failed|Unable to attach or mount volumes/i,
);
const network = line(
  ['failed to setup network for sandbox', 'failed to set up pod', 'NetworkPluginNotReady', 'plugin type="'],
  [],
  /failed to set ?up (?:network for sandbox|pod \\*"[^"\\]{1,400}\\*" network)|NetworkPluginNotReady|plugin type=\\*"/i,
);
/** A Windows host that cannot unpack what it pulled. */
const windowsLayer = line(['hcsshim::'], [], /hcsshim::\w{3,40}/);

/** A pause image that is to be had: that of a registry that was given up is at its new home. */
function toBeHad(image: string): string {
  const tag = /^(?:k8s\.gcr\.io|gcr\.io\/google[-_]containers)\/pause:(?<tag>3\.\d{1,2}(?:\.\d{1,2})?)$/.exec(image)?.groups?.['tag'];
  return `registry.k8s.io/pause:${tag ?? '3.9'}`;
}

export const cause = defineCause({
  id: 'sandbox-image-unavailable',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating'],
  effectOf: ['image-registry-dns-failure', 'image-registry-unreachable', 'image-registry-tls-untrusted'],
  wakesOn: [on('pod.symptom', { symptom: 'creating' })],

  text: {
    name: 'Pause image cannot be pulled',
    title: 'Sandbox (pause) image {image} cannot be pulled on {node}{reason}',
    why: 'Before any container of a pod, the runtime starts a sandbox from the pause image named in its own configuration (not in the pod). {node} does not have it and cannot get it{reason}, so every new pod there stays in ContainerCreating, those on the host network too. {hint}',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('creating', 'init-stuck', 'pending')),
    sandbox: proves(noSandboxImage, notByContainers),
    volumes: excludes(volumes),
    network: excludes(network, notAboutNode),
    windowsLayer: excludes(windowsLayer),
  },
  says: {
    stuck: 'a pod waits for its sandbox',
    sandbox: 'the runtime cannot get the pause image {image}{reason}',
    volumes: 'it waits for its volumes',
    windowsLayer: 'the image was fetched; Windows on that node cannot unpack it',
    network: 'the sandbox image is there; the network plugin fails',
  },
  slots: (place, { sandbox }) => {
    const reason = sandbox?.fields['reason']?.replace(/^: /, '');
    const image =
      imageIn(sandbox) ?? sandbox?.fields['address']?.replace('/v2/', '/').replace('/manifests/', ':') ?? 'registry.k8s.io/pause';
    const local = image.startsWith('localhost/');
    return {
      node: place.name,
      toBeHad: toBeHad(image),
      // A name that only the node itself gives is in no registry: any pause image serves under it.
      from: local ? 'registry.k8s.io/pause:3.10' : image,
      image,
      reason: local
        ? ' (it comes with the machine image and is in no registry; on this node it is gone)'
        : reason === undefined
          ? ''
          : ` (${reason})`,
      hint: local
        ? 'The runtime was set up with an image that is built into the machine (EKS and others); a clean-up, an upgrade of containerd or an import under another name takes it away, and it cannot be pulled again.'
        : /40[13]|basic auth/.test(reason ?? '')
          ? 'The registry wants a login that the node does not have: on EKS the IAM role of the nodes needs AmazonEC2ContainerRegistryReadOnly (or PullOnly), elsewhere the runtime its own credentials; pull secrets of pods do not count for it.'
          : 'Typical for sites without internet, or blocked and retired registries such as k8s.gcr.io.',
    };
  },

  fixes: [
    {
      say: 'See which pause image the runtime wants, and whether the node has it',
      risk: 'reads-only',
      steps: [
        {
          say: 'containerd: the setting in effect (sandbox_image, or sandbox under pinned_images in version 3)',
          run: "containerd config dump | grep -nE 'sandbox_image|pinned_images|sandbox ='",
          on: 'node',
        },
        { say: 'images on the node', run: 'crictl images | grep -i pause', on: 'node' },
      ],
    },
    {
      say: 'Bring the image onto {node} by hand: no restart, works offline',
      risk: 'touches-node',
      steps: [
        {
          say: 'on a machine with access',
          run: 'docker pull {{from}} && docker save {{from}} -o pause.tar',
        },
        { say: 'on the node, into the namespace the kubelet uses', run: 'ctr -n k8s.io images import pause.tar', on: 'node' },
        {
          say: 'or pull it from a mirror; what has another name there needs the expected one',
          run: 'ctr -n k8s.io images pull MIRROR/pause:TAG && ctr -n k8s.io images tag MIRROR/pause:TAG {{image}}',
          on: 'node',
        },
      ],
      verified: 'crictl images lists it, and waiting pods get their sandbox',
    },
    {
      say: 'Point the runtime at a pause image in a registry or mirror the nodes reach',
      risk: 'touches-node',
      steps: [
        {
          say: 'containerd up to 1.7: sandbox_image in /etc/containerd/config.toml (write the default file first where there is none)',
          run: `sed -i 's#sandbox_image = .*#sandbox_image = "MIRROR/pause:TAG"#' /etc/containerd/config.toml && systemctl restart containerd`,
          on: 'node',
        },
        {
          say: 'containerd 2: sandbox = "MIRROR/pause:TAG" under [plugins.\'io.containerd.cri.v1.images\'.pinned_images]',
          run: 'systemctl restart containerd',
          on: 'node',
        },
        { say: 'CRI-O: pause_image in /etc/crio/crio.conf; cri-dockerd: --pod-infra-container-image', on: 'node' },
      ],
      changes: [
        {
          do: 'containerd-set',
          setting: 'sandbox_image',
          value: { ask: 'image', says: 'a pause image that the nodes can pull, such as {{toBeHad}}' },
        },
        { do: 'units', action: 'restart', units: ['containerd'] },
      ],
      verified: 'no more FailedCreatePodSandBox events on {node}',
    },
    {
      say: 'Amazon ECR refuses (401, no basic auth credentials): give the role of the nodes the right to pull, and replace nodes that lost the image',
      risk: 'moves-pods',
      steps: [
        {
          say: 'the role of the node group',
          run: 'aws iam attach-role-policy --role-name NODE_ROLE --policy-arn arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryReadOnly',
        },
        {
          say: 'a node whose image was cleaned away: newer machine images pin it',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd internal/cri/server/podsandbox/sandbox_run.go',
    'cri-dockerd core/sandbox_helpers.go (ensureSandboxImageExists)',
    'cri-o internal/lib/sandbox/infra.go',
    'kubernetes issue 86081',
  ],
});
