import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
const cliFails = line(
  ['nvidia-container-cli', 'nvidia-container-runtime', 'nvidia-container-toolkit'],
  ASKED,
  /nvidia-container-cli(?:\.real)?: (?<stage>initialization|requirement|device|ldcache|mount|container|detection|driver rpc|timeout) error: (?<error>[^\n"\\]{3,200})|exec: \\*"?(?<missing>\S{0,100}nvidia-container-(?:runtime(?:-hook)?|cli|toolkit)[\w.-]{0,20})\\*"?: (?:executable file not found|stat [^\n]{1,100}no such file)|fork\/exec (?<path>\S{0,100}nvidia-container-\S{1,40}?): no such file|(?:stat|lstat) (?<file>\S{0,100}nvidia-container-\S{1,40}?): no such file/,
);
const noHandler = line(
  [
    'is configured',
    'invoking the NVIDIA Container Runtime Hook directly',
    'unknown or invalid runtime name: nvidia',
    'could not select device driver',
    'runtime handler nvidia',
  ],
  ASKED,
  /no runtime for \\*"(?<handler>nvidia[\w-]{0,20})\\*" is configured|unknown or invalid runtime name: (?<docker>nvidia)|[Cc]ould not select device driver \\*"\S{0,10}\\*" with capabilities: \[\[(?<capability>gpu)|(?<hook>invoking the NVIDIA Container Runtime Hook directly)|failed to find runtime handler (?<crio>nvidia[\w-]{0,20})/,
);
const noDriver = line(
  [
    "couldn't communicate with the NVIDIA driver",
    'Failed to initialize NVML',
    'Driver/library version mismatch',
    'driver not loaded',
    'NVRM: API mismatch',
    "failed to run command 'nvidia-smi'",
    'failed to run command ‘nvidia-smi’',
    'Module nvidia not found in directory',
    "could not insert 'nvidia",
  ],
  ['container-log', 'host-tools', 'pod-events', 'kubelet-log'],
  /(?<smi>NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver)|(?<absent>chroot: failed to run command ['‘]nvidia-smi['’]: No such file or directory)|Failed to initialize NVML: (?<nvml>Driver\/library version mismatch|Driver Not Loaded)|nvml error: (?<loaded>driver not loaded)|NVRM: (?<api>API mismatch): |(?<module>Module nvidia not found in directory \/lib\/modules\/[\w.+-]{3,80}|could not insert 'nvidia[\w-]{0,12}': [A-Z][\w ]{3,60})/i,
);
const noLibrary = line(
  [
    'libcuda.so.1: cannot open shared object',
    'libnvidia-ml.so.1: cannot open shared object',
    'no CUDA-capable device is detected',
    'did you configure the NVIDIA Container Toolkit',
    'Incompatible strategy detected',
    'waiting for nvidia container stack to be setup',
    'CUDA driver version is insufficient',
    'Found no NVIDIA driver on your system',
    'No CUDA GPUs are available',
    'could not load NVML library',
    'did you set the docker default runtime to',
  ],
  'container-log',
  /could not load NVML library|did you set the docker default runtime to|lib(?<library>cuda|nvidia-ml)\.so\.1: cannot open shared object|no CUDA-capable device is detected|did you configure the NVIDIA Container Toolkit|Incompatible strategy detected|waiting for nvidia container stack to be setup|CUDA driver version is insufficient|Found no NVIDIA driver on your system|No CUDA GPUs are available/,
);
// No channel: a container that had its GPU and lost it, gpu-access-lost.
const takenAway = line(['Failed to initialize NVML'], [], /Failed to initialize NVML: (?:Unknown Error|ERROR_UNKNOWN)/);
const gpuFault = line(['GPU is lost', 'fallen off the bus', 'infoROM is corrupted'], []);

export const cause = defineCause({
  id: 'nvidia-runtime-missing',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'create-error',
    'config-error',
    'creating',
    'crash-loop',
    'init-crash',
    'init-stuck',
    'restarts',
    'failed',
    'not-ready',
    'pending',
    'other-trouble',
  ],
  effectOf: [
    'os-upgrade-replaced-runtime-config',
    'containerd-config-version-or-path-mismatch',
    'kernel-too-old-or-module-missing',
    'nvidia-driver-not-built',
  ],

  text: {
    name: 'NVIDIA driver or toolkit missing',
    title: 'GPU containers cannot start on {node}: {what}',
    why: 'A GPU container needs the NVIDIA driver in the kernel of the node, the NVIDIA Container Toolkit, and the nvidia runtime in the configuration of containerd, CRI-O or Docker. On {node} that chain is broken: {what}. {hint}',
  },

  clues: {
    cliFails: proves(cliFails, notByContainers),
    noHandler: proves(noHandler, notByContainers),
    noDriver: proves(noDriver),
    noLibrary: supports(noLibrary),
    gpuFault: excludes(gpuFault),
    takenAway: excludes(takenAway),
  },
  says: {
    cliFails: 'the container toolkit fails: {error}',
    noHandler: 'the runtime knows no handler {handler}',
    noDriver: 'the driver does not answer: {driver}',
    noLibrary: 'a program finds no driver library, GPU or container toolkit',
    gpuFault: 'the GPU itself is at fault',
    takenAway: 'the driver is there; the container lost its access',
  },
  slots: (place, { cliFails: cli, noHandler: handler, noDriver: driver }) => {
    const fields = cli?.fields ?? {};
    const missing = fields['missing'] ?? fields['path'] ?? fields['file'];
    const error = (fields['error'] ?? (missing ? `${missing} is not installed` : 'nvidia-container-cli fails'))
      .replace(/: unknown$/, '')
      .trim()
      .slice(0, 140);
    const name = handler?.fields['handler'] ?? handler?.fields['docker'] ?? handler?.fields['crio'] ?? 'nvidia';
    const said =
      driver?.fields['nvml'] ??
      driver?.fields['loaded'] ??
      driver?.fields['module'] ??
      (driver?.fields['api']
        ? 'driver/library version mismatch: the loaded kernel module is of another version (reboot, or load the new one)'
        : undefined) ??
      (driver?.fields['smi'] ? 'nvidia-smi cannot communicate with it' : 'not installed on the host nor by the driver container');
    const what = cli
      ? error
      : handler
        ? handler.fields['hook']
          ? 'the container is not started by the nvidia runtime (set runtimeClassName: nvidia)'
          : `no runtime "${name}" is configured`
        : driver
          ? `NVIDIA driver: ${said}`
          : 'no driver library in the container: nvidia is not the (default) runtime there, or the driver or the container toolkit is missing';
    return { node: place.name, error, handler: name, driver: said, what, hint: hintOf(what) };
  },

  fixes: [
    {
      say: 'Walk the chain on {node}: driver, toolkit, runtime configuration',
      risk: 'reads-only',
      steps: [
        {
          say: 'driver: module loaded and nvidia-smi answers',
          run: 'nvidia-smi; lsmod | grep -E "nvidia|nouveau"; cat /proc/driver/nvidia/version',
          on: 'node',
        },
        { say: 'toolkit', run: 'nvidia-container-cli -k info; nvidia-ctk --version', on: 'node' },
        {
          say: 'runtime handlers',
          run: 'grep -n -A6 nvidia /etc/containerd/config.toml /etc/docker/daemon.json; kubectl get runtimeclass',
          on: 'node',
        },
      ],
    },
    {
      say: 'Install or configure the NVIDIA Container Toolkit and restart the runtime',
      risk: 'touches-node',
      for: ['noHandler'],
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get install -y nvidia-container-toolkit', on: 'node', family: 'debian' },
        { say: 'RHEL, CentOS', run: 'yum install -y nvidia-container-toolkit', on: 'node', family: 'rhel' },
        {
          say: 'add the runtime to containerd (or --runtime=docker, --runtime=crio)',
          run: 'nvidia-ctk runtime configure --runtime=containerd --set-as-default && systemctl restart containerd',
          on: 'node',
        },
      ],
      verified: 'a test pod that runs nvidia-smi completes on {node}',
    },
    {
      say: 'Driver missing, not loaded or of another version than its libraries: install the driver for this kernel and reboot {node}',
      risk: 'moves-pods',
      for: ['noDriver'],
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'after a kernel upgrade the module must be built anew (dkms); nouveau must be off',
          run: 'dkms autoinstall; modprobe nvidia || dmesg | tail',
          on: 'node',
        },
        { say: 'a new driver takes effect after a reboot', run: 'systemctl reboot', on: 'node' },
        { say: 'open it again', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
    },
    {
      say: 'unsatisfied condition cuda>=…: update the driver of the node, or use an image built with an older CUDA',
      risk: 'restarts-pods',
      steps: [
        { say: 'driver, and the newest CUDA it can run (top right)', run: 'nvidia-smi | head -4', on: 'node' },
        {
          say: 'what there is to install',
          run: 'apt-cache search --names-only "^nvidia-driver-[0-9]+-server$" || dnf module list nvidia-driver',
          on: 'node',
        },
        {
          say: 'where the program does not need the newer CUDA: switch the check off (variable NVIDIA_DISABLE_REQUIRE=true in the container)',
          run: 'kubectl -n NAMESPACE set env deployment/NAME NVIDIA_DISABLE_REQUIRE=true',
          on: 'cluster',
        },
      ],
      verified: 'the container starts and nvidia-smi works in it',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'NVIDIA/libnvidia-container src/cli, src/nvc.c',
    'NVIDIA/nvidia-container-toolkit docs and issues 48, 183',
    'NVIDIA/gpu-operator issue 413',
    'containerd internal/cri/server/podsandbox (no runtime for … is configured)',
  ],
});

function hintOf(what: string): string {
  if (/driver not loaded|communicate|Driver Not Loaded|libnvidia-ml|driver rpc|could not load NVML/i.test(what))
    return 'The kernel module nvidia is not loaded: no driver installed, not built for the running kernel, or replaced by nouveau.';
  if (/version mismatch/i.test(what))
    return 'The driver was upgraded while the old module is still loaded; a reboot (or reloading the module) puts them together.';
  if (/unsatisfied condition|please update your driver/i.test(what))
    return 'The CUDA version of the image is newer than the driver supports: update the driver, or use an image with an older CUDA.';
  if (/no runtime|not installed|not configured/i.test(what))
    return 'The toolkit is not installed, or the runtime was not configured for it (or its configuration was overwritten).';
  return 'nvidia-smi on the node shows at which link it breaks.';
}
