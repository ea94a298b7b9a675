import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const IMMUTABLE =
  /Talos|Flatcar|Bottlerocket|Container-Optimized|CoreOS|RancherOS|k3OS|Kairos|MicroOS|Elemental|LinuxKit|NixOS|Garden Linux/i;

const readOnly = line(
  ['read-only file system'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /(?:mkdir|open|create|symlink|rename|write|copy|cp:|mount)[^\n]{0,120}?[\s"'‘`\\](?<path>\/(?:host\/)?(?:usr|opt|lib|libexec|bin|sbin|boot)(?:\/[^\s:"'’\\]{1,200})?)['"’\\]{0,4}: read-only file system/i,
);
/** The runtime makes the missing folder of a hostPath volume itself, before the container exists. */
const makeFolder = line(
  ['failed to mkdir ', 'error while creating mount source path'],
  ['pod-events', 'kubelet-log', 'pod-status', 'containerd-log', 'docker-log'],
  /(?:failed to mkdir [\\"]{1,4}|error while creating mount source path ')(?<path>\/(?!(?:var|run|tmp|home|root)\/)[^\s"'\\]{1,200})[\\"']{1,4}: mkdir [^\s:]{1,200}: read-only file system/i,
);
const hostTool = line(
  [
    'nsenter: failed to execute',
    'nsenter: can',
    'chroot: failed to run command',
    'apt-get: not found',
    'yum: not found',
    'No package manager',
    'unsupported os',
    'OS is not supported',
    'unsupported distribution',
    'Unsupported operating system',
  ],
  'container-log',
  /nsenter: (?:failed to execute|can't execute '?) ?'?(?<nsenter>(?!iscsiadm|mount)[\w./-]{1,80})'?: No such file or directory|chroot: failed to run command [‘'"`](?<chroot>(?!nvidia-)[\w./-]{1,80})[’'"]: No such file|(?:apt-get|yum|dnf): (?:command )?not found|(?:unsupported|not supported)[^\n]{0,40}?\b(?<os>talos|flatcar|bottlerocket|cos|coreos)\b/i,
);
const modules = line(
  ['kernel headers not found', 'Unable to find kernel headers', 'Could not resolve Linux kernel version'],
  ['pod-events', 'container-log'],
  /(?:kernel headers not found|Unable to find kernel headers|Could not resolve Linux kernel version)/i,
);
const ownRoot = line('readOnlyRootFilesystem', []);
const ioError = line(['Remounting filesystem read-only', 'EXT4-fs error'], [], /Remounting filesystem read-only|EXT4-fs error/);

export const cause = defineCause({
  id: 'immutable-or-minimal-os-missing-tools',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'creating', 'create-error', 'init-crash', 'init-stuck', 'failed', 'not-ready', 'other-trouble'],

  text: {
    name: 'Immutable system of the host',
    title: 'The system of {where}{os} is read-only or minimal: {what}',
    why: 'Immutable systems (Talos, Flatcar, Bottlerocket, Container-Optimized OS, CoreOS, MicroOS) have a read-only /usr, no package manager and few programs. A pod that writes to the host or calls its tools fails there: {what}. On nodes with an ordinary system the same pod works.',
  },

  clues: {
    readOnly: proves(readOnly, ({ fields, channel }) => channel !== 'container-log' || /^\/host\//.test(fields['path'] ?? '')),
    makeFolder: proves(makeFolder),
    hostTool: supports(hostTool),
    modules: supports(modules),
    image: supports('node.info', ({ osImage }) => osImage !== undefined && IMMUTABLE.test(osImage)),
    system: supports('host.os', ({ name }) => IMMUTABLE.test(name)),
    ownRoot: excludes(ownRoot),
    ioError: excludes(ioError),
  },
  says: {
    readOnly: 'a folder of the host cannot be written: {path} is read-only',
    makeFolder: 'the runtime cannot make the folder of a hostPath volume: {path} is read-only',
    hostTool: 'a program of the host is missing: {tool}',
    modules: 'kernel headers of the host are missing',
    image: 'the node runs {osImage}, an immutable system',
    system: 'the host runs {osImage}, an immutable system',
    ownRoot: 'the pod itself asked for a read-only root (readOnlyRootFilesystem)',
    ioError: 'the kernel made the filesystem read-only after an error',
  },
  slots: (place, { readOnly: host, makeFolder: folder, hostTool: tool, modules: parts, image, system }) => {
    const path = host?.fields['path'] ?? folder?.fields['path'];
    const missing = tool?.fields['nsenter'] ?? tool?.fields['chroot'];
    const osImage = image?.osImage ?? system?.name ?? 'such a system';
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      os: image || system ? ` (${osImage})` : '',
      osImage,
      path: path ?? '/usr',
      tool: missing ?? 'a package manager or tool',
      what: host
        ? `${path ?? '/usr'} is a read-only file system`
        : folder
          ? `the folder ${path ?? 'of a hostPath volume'} cannot be made on the host (read-only)`
          : tool
            ? `${missing ?? 'a tool or package manager'} does not exist on the host`
            : parts
              ? 'kernel headers are missing'
              : 'what the pod expects is not there',
    };
  },

  fixes: [
    {
      say: 'See which path of the host the pod mounts, and which system its node runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'systems of the nodes',
          run: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,OS:.status.nodeInfo.osImage',
          on: 'cluster',
        },
        { say: 'host paths of the pod', run: 'kubectl get pod POD -n NAMESPACE -o yaml | grep -nE -A2 "hostPath"', on: 'cluster' },
      ],
    },
    {
      say: 'Point the pod to a path that can be written on such systems',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Calico: flexVolumePath None or /var/lib/kubelet/volumeplugins; kube-controller-manager: --flex-volume-plugin-dir',
          run: 'kubectl patch installation default --type=merge -p \'{"spec":{"flexVolumePath":"None"}}\'',
          on: 'cluster',
        },
        {
          say: 'a hostPath volume, log or data folder of a chart: a path below /var, which stays writable',
          run: 'kubectl get pod POD -n NAMESPACE -o yaml | grep -nE -A2 "hostPath"',
          on: 'cluster',
        },
        {
          say: 'CNI binaries and configuration: cniBinDir and cniConfDir of the chart; Talos /opt/cni/bin, Container-Optimized OS /home/kubernetes/bin',
        },
        {
          say: 'tools of the host (iscsi, nfs, drivers): the extension of the system (Talos system extensions, Flatcar sysext, Bottlerocket settings)',
        },
      ],
      verified: 'the pods run on {where} too',
    },
    {
      say: 'Or keep the pod off these nodes',
      risk: 'moves-pods',
      steps: [
        {
          say: 'by a nodeSelector or affinity on a label of the other nodes',
          run: `kubectl -n NAMESPACE patch deployment NAME -p '{"spec":{"template":{"spec":{"nodeSelector":{"KEY":"VALUE"}}}}}'`,
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['calico operator Installation flexVolumePath, calico issue 3712', 'talos, flatcar and bottlerocket documentation'],
});
