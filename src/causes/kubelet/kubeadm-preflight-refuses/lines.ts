import { line } from '../../define-cause.ts';

export const leftover = line(
  ['[ERROR FileAvailable-', '[ERROR DirAvailable-'],
  'kubeadm-output',
  /\[ERROR (?<check>(?:File|Dir)Available-[\w.-]{1,120})\]: (?<path>\/[^\s:]{1,200}) (?<state>already exists|is not empty)/,
);
/** Ports of the kubelet itself have a cause of their own. */
export const port = line(
  ['[ERROR Port-', ' is in use'],
  'kubeadm-output',
  /\[ERROR (?<check>Port-(?<port>(?!10250\]|10248\]|10255\])\d{2,5}))\]: Port \d{2,5} is in use|^\s{0,8}(?<old>Port (?<held>(?!10250 |10248 |10255 )\d{2,5}) is in use)\s{0,8}$/,
);
export const content = line(
  '[ERROR FileContent-',
  'kubeadm-output',
  /\[ERROR (?<check>FileContent-[\w.-]{1,120})\]: (?<path>\/proc\/sys\/[\w./-]{1,160}) (?<state>contents are not set to (?<wanted>\w{1,20})|does not exist|could not be read)/,
);
export const size = line(
  ['[ERROR NumCPU]', '[ERROR Mem]'],
  'kubeadm-output',
  /\[ERROR (?<check>NumCPU|Mem)\]: (?<state>the (?:number of available CPUs \d{1,4} is less than the required \d{1,4}|system RAM \(\d{1,9} MB\) is less than the minimum \d{1,9} MB))/,
);
export const tool = line(
  '[ERROR FileExisting-',
  'kubeadm-output',
  /\[ERROR (?<check>FileExisting-[\w.-]{1,80})\]: (?<tool>[\w./-]{1,120}) (?<state>not found in system path|doesn't exist)/,
);
export const images = line('[ERROR ImagePull]', 'kubeadm-output', /\[ERROR (?<check>ImagePull)\]: (?<state>[\s\S]{3,400})/);
/** kubeadm upgrade takes the Corefile along, and knows the releases of CoreDNS and their plugins only. */
export const corefile = line(
  '[ERROR CoreDNS',
  'kubeadm-output',
  /\[ERROR (?<check>CoreDNS\w{1,40})\]: (?<state>(?:start version ['"]?(?<version>[\w.+-]{1,80})|[\s\S]{0,80}?(?:Plugin "(?<plugin>[\w-]{1,40})"|(?<plugins>unsupported plugins|following plugins)))?[\s\S]{3,400})/,
);
/** Before an upgrade kubeadm runs a pod of its own, to see that the cluster can still run one. */
export const job = line(
  ['[ERROR CreateJob]'],
  'kubeadm-output',
  /\[ERROR (?<check>CreateJob)\]: (?<state>(?:Job "?(?<job>[\w.-]{1,120})"?|couldn't create Job|could not delete Job)?[\s\S]{3,400})/,
);
export const nodesNotReady = line(
  '[ERROR ControlPlaneNodesReady]',
  'kubeadm-output',
  /\[ERROR (?<check>ControlPlaneNodesReady)\]: (?<state>(?:there are NotReady control-planes in the cluster: \[?(?<nodes>[^\]\n]{1,400}))?[\s\S]{0,400})/,
);
export const other = line(
  [
    '[ERROR IsPrivilegedUser]',
    '[ERROR SystemVerification]',
    '[ERROR ExternalEtcdVersion]',
    '[ERROR Hostname]',
    '[ERROR Service-',
    '[ERROR StaticPodManifest]',
    '[ERROR Firewalld]',
  ],
  'kubeadm-output',
  /\[ERROR (?<check>IsPrivilegedUser|SystemVerification|ExternalEtcdVersion|Hostname|Service-[\w-]{1,40}|StaticPodManifest|Firewalld)\]: (?<state>[\s\S]{3,400})/,
);
export const runtime = line(['[ERROR CRI]', '[ERROR CRI-'], 'kubeadm-output', /\[ERROR CRI[\w-]{0,20}\]: (?<state>[\s\S]{3,400})/);
export const fatal = line('Some fatal errors occurred', 'kubeadm-output', /\[preflight\] Some fatal errors occurred/);
export const done = line(
  ['Your Kubernetes control-plane has initialized successfully', 'This node has joined the cluster'],
  [],
  /initialized successfully|This node has joined the cluster/,
);
