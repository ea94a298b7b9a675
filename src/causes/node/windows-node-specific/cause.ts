import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID = ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log'] as const;

const mismatch = line(
  [
    'container operating system does not match the host operating system',
    'operating system of the container does not match the operating system of the host',
    '0xc0370101',
    'is incompatible with a 10.0.',
    'image operating system',
  ],
  SAID,
  /container operating system does not match the host operating system|operating system of the container does not match the operating system of the host|0xc0370101|(?:a )?Windows version (?<image>10\.0\.[\d.]{3,12})-based image is incompatible with a (?<host>10\.0\.[\d.]{3,12}) host|image operating system [\\"]{1,4}(?<os>linux|windows)[\\"]{1,4} cannot be used on this platform/i,
);
const hcs = line(
  [
    'hcs::CreateComputeSystem',
    'hcsshim::CreateComputeSystem',
    'hcs::System::',
    'hcsshim::PrepareLayer',
    'hcsshim::ActivateLayer',
    'HNS failed with error',
    'hnsCall failed',
    'hcnCreateEndpoint failed',
    'failed to create the sandbox: hcs',
    'hcnCreateNamespace',
    'hcnCreateNetwork failed',
    'hcnCreateLoadBalancer failed',
    'hcnOpenNetwork failed',
    'hcsshim::Import',
    'Unable to find HNS Network specified',
  ],
  SAID,
  /(?<call>hcs(?:shim)?::[\w:]{3,60})[^\n:]{0,100}: (?<error>[A-Z][^\n"\\{(]{5,100})|(?<hns>HNS failed with error : ?[^\n"\\]{3,120}|hnsCall failed in Win32: [^\n"\\]{3,120}|hcn\w{3,40} failed in Win32: [^\n"\\]{3,120}|Unable to find HNS Network specified[^\n"\\]{0,80})/i,
);
const exit = line(
  ['3221225781', '3221225477', '3221225786', '-1073741515', '-1073741819', '0xc0000135'],
  ['pod-spec', 'pod-events', 'container-log'],
  /\b(?<code>3221225781|3221225477|3221225786|-1073741515|-1073741819|0xc0000135)\b/,
);
const manifest = line(
  ['no matching manifest for windows', 'no match for platform in manifest'],
  SAID,
  /no matching manifest for windows\S{0,20} (?<host>10\.0\.\d{3,6})|no match for platform in manifest/,
);
const kubeletRoot = line('kubelet needs to run as uid', []);

export const cause = defineCause({
  id: 'windows-node-specific',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'create-error', 'crash-loop', 'restarts', 'image-pull', 'failed', 'init-stuck', 'other-trouble'],

  text: {
    name: 'Windows node cannot run it',
    title: 'Windows node {where} cannot run the container: {what}',
    why: 'A Windows container shares the kernel of its node, so the Windows version of its base image must match that of the host (Server 2019 is 10.0.17763, 2022 is 10.0.20348, 2025 is 10.0.26100), and Linux images do not run there at all. On {where}: {what}.',
  },

  clues: {
    mismatch: proves(mismatch),
    hcs: supports(hcs),
    networkFails: proves(hcs, ({ fields }) => fields['hns'] !== undefined),
    exit: supports(exit),
    manifest: proves(manifest, ({ fields }) => fields['host'] !== undefined),
    image: supports('node.info', ({ osImage }) => /Windows/i.test(osImage ?? '')),
    kubeletRoot: excludes(kubeletRoot),
  },
  says: {
    mismatch: 'the system of the image does not match that of the host{versions}',
    hcs: 'the host compute service of Windows fails: {error}',
    networkFails: 'the host network service of Windows fails: {network}',
    exit: 'the program ended with a Windows status code: {code}',
    manifest: 'the image has no variant for this Windows version',
    image: 'the node runs {osImage}',
    kubeletRoot: 'only the harmless remark of a kubelet on Windows about its user id',
  },
  slots: (place, { mismatch: system, hcs: compute, networkFails: network, exit: ended, manifest: variants, image }) => {
    const versions = system?.fields['image'] ? ` (image ${system.fields['image']}, host ${system.fields['host'] ?? 'another'})` : '';
    const error = compute?.fields['error']?.trim() ?? 'see its message';
    const net = network?.fields['hns']?.trim() ?? 'HNS failed';
    const code = ended?.fields['code'] ?? 'unknown';
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'of the pod' : place.name,
      versions,
      error,
      network: net,
      code,
      osImage: image?.osImage ?? 'Windows',
      what: system
        ? system.fields['os']
          ? `the image is for ${system.fields['os']} and cannot be used on this platform`
          : `the operating system version of the container image does not match the host${versions}`
        : network
          ? `the host network service fails (${net})`
          : compute
            ? `the host compute service fails (${error})`
            : variants
              ? `the image has no variant for Windows ${variants.fields['host'] ?? ''}`
              : ended
                ? `the program ended with status ${code} (a missing DLL or an access violation)`
                : 'the pod does not fit Windows',
    };
  },

  fixes: [
    {
      say: 'Compare the Windows build of the node with that of the base image',
      risk: 'reads-only',
      steps: [
        {
          say: 'builds of the nodes',
          run: 'kubectl get nodes -L kubernetes.io/os,node.kubernetes.io/windows-build -o wide',
          on: 'cluster',
        },
        { say: 'builds the image has', run: 'docker manifest inspect IMAGE | grep -A4 platform', on: 'cluster' },
      ],
    },
    {
      say: 'Use an image of the right Windows version (ltsc2019, ltsc2022, ltsc2025), and select the nodes',
      risk: 'restarts-pods',
      for: ['mismatch', 'manifest'],
      steps: [
        {
          say: 'nodeSelector for system and build',
          run: 'kubectl -n NAMESPACE patch deployment NAME -p \'{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/os":"windows","node.kubernetes.io/windows-build":"10.0.20348"}}}}}\'',
          on: 'cluster',
        },
        {
          say: 'Linux pods that land there: nodeSelector kubernetes.io/os=linux, and a taint on the Windows nodes',
          run: 'kubectl taint nodes -l kubernetes.io/os=windows os=windows:NoSchedule',
          on: 'cluster',
        },
        { say: 'the pause image of containerd on the node must fit the build as well (sandbox_image)' },
      ],
      verified: 'the pods are Running on the Windows nodes',
    },
    {
      say: 'Host network or compute service fails: clean up and restart them on the node',
      risk: 'touches-node',
      for: ['hcs', 'networkFails'],
      steps: [
        {
          say: 'in PowerShell on the node',
          run: 'Get-HnsNetwork | Remove-HnsNetwork; Restart-Service hns; Restart-Service containerd; Restart-Service kubelet',
          on: 'node',
        },
        { say: 'if it stays: restart the machine, and install the Windows updates', run: 'Restart-Computer', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes website: concepts/windows, tasks/debug/debug-cluster/windows',
    'microsoft hcsshim internal/hcs/errors.go',
    'kubernetes issues 74019, 72696',
  ],
});
