/** Everything that comes from a report is checked here before a host hears of it: a report file may be anybody's. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,127}$/;
const UNIT = /^[A-Za-z0-9][A-Za-z0-9:_.@-]{0,127}$/;
const NEVER_UNITS =
  /^(?:systemd-(?:reboot|poweroff|halt|kexec|suspend|hibernate|hybrid-sleep|exit).*|emergency|rescue|reboot|poweroff|halt|kexec)$/;
const SYSCTL =
  /^(?:net|vm|user)(?:\.[a-z0-9_-]{1,64}){1,6}$|^fs\.(?:inotify\.[a-z_]{1,40}|file-max|nr_open|aio-max-nr|mqueue\.[a-z_]{1,40}|may_detach_mounts)$|^kernel\.(?:pid_max|threads-max|panic|panic_on_oops|softlockup_panic|keys\.[a-z_]{1,40}|sem|shmmax|shmall|shmmni|msgmax|msgmnb|msgmni)$/;
const SYSCTL_VALUE = /^[A-Za-z0-9_.:-]{1,64}(?:[ \t][A-Za-z0-9_.:-]{1,64}){0,7}$/;
const PROFILE = /^[A-Za-z0-9/][A-Za-z0-9_./:+@-]{0,200}$/;
const CERTIFICATE =
  /^(?:all|admin\.conf|super-admin\.conf|controller-manager\.conf|scheduler\.conf|apiserver|apiserver-etcd-client|apiserver-kubelet-client|etcd-healthcheck-client|etcd-peer|etcd-server|front-proxy-client)$/;
const PATH = /^(?:\/[A-Za-z0-9_.@:+~-]{1,128}){2,16}$/;
const REMOVABLE = /^\/(?:etc|run|var\/run|var\/lib\/kubelet|var\/lib\/cni)\//;
const NEVER_PATHS =
  /^\/etc\/(?:passwd|shadow|group|gshadow|subuid|subgid|sudoers(?:\.d)?|ssh|pam\.d|security|ssl|pki|fstab|crypttab|hosts|hostname|ld\.so[^/]*|kubernetes\/pki|machine-id)(?:-|\/|$)/;
/** Where configuration files of daemons are seen; the path is the host's own word, yet its command lines may be anything. */
const CONFIG = /^\/(?:etc|var\/lib|var\/snap|opt|usr\/local\/etc|home\/kubernetes|run)\//;

/** Options that start programs, or open the daemon to others, are not for a file to ask. */
const DROP_IN =
  /^(?:Limit(?:NOFILE|NPROC|MEMLOCK|CORE|STACK)|TasksMax|Delegate|Memory(?:Max|High|Min|Low)|CPU(?:Weight|Quota)|IOWeight|OOMScoreAdjust|OOMPolicy|Restart|RestartSec|TimeoutStartSec|TimeoutStopSec|TimeoutSec|StartLimitIntervalSec|StartLimitInterval|StartLimitBurst|KillMode|Slice|After|Before|Wants|Requires|MountFlags|CPUAccounting|MemoryAccounting)=[A-Za-z0-9%:_.,@ /-]{0,200}$/;
const DROP_IN_VARIABLE =
  /^Environment="?(?:HTTPS?_PROXY|https?_proxy|NO_PROXY|no_proxy|GOMAXPROCS|GOMEMLIMIT|KUBELET_EXTRA_ARGS)=[A-Za-z0-9:_.,@/=*[\]% -]{0,500}"?$/;
const DROP_IN_SECTION = /^\[(?:Unit|Service)\]$/;
const KUBELET_KEY = /^[a-z][A-Za-z0-9]{0,63}(?:\.[A-Za-z0-9_/-]{1,63}){0,4}$/;
const NEVER_KUBELET =
  /^(?:authentication|authorization|staticPodPath|staticPodURL|tls|serverTLSBootstrap|readOnlyPort|address|port|volumePluginDir|enableServer|enableDebuggingHandlers|podLogsDir|providerID)(?![a-z])/;
const DOCKER_OPTION = /^[a-z][a-z0-9-]{0,63}(?:\.[A-Za-z0-9_-]{1,63})?$/;
const NEVER_DOCKER =
  /^(?:runtimes|default-runtime|hosts|init-path|authorization-plugins|tls.*|userland-proxy-path|allow-nondistributable-artifacts|containerd|exec-root|pidfile|seccomp-profile)(?:\.|$)/;
const SCALAR = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{0,300}$/u;

function oneLine(value: string | number | boolean): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'boolean' || (typeof value === 'string' && SCALAR.test(value));
}

export const valid = {
  name: (text: string) => NAME.test(text),
  unit: (text: string) => UNIT.test(text) && !NEVER_UNITS.test(unitName(text)) && !/\.(?:target|mount|swap|slice|scope)$/.test(text),
  sysctl: (text: string) => SYSCTL.test(text),
  sysctlValue: (text: string) => SYSCTL_VALUE.test(text),
  profile: (text: string) => PROFILE.test(text),
  certificate: (text: string) => CERTIFICATE.test(text),
  path: (text: string) => PATH.test(text) && !/\/\.\.?(?:\/|$)/.test(text),
  removable: (text: string) => valid.path(text) && REMOVABLE.test(text) && !NEVER_PATHS.test(text),
  config: (text: string) => valid.path(text) && CONFIG.test(text) && !NEVER_PATHS.test(text),
  dropInLine: (text: string) => DROP_IN.test(text) || DROP_IN_VARIABLE.test(text) || DROP_IN_SECTION.test(text),
  kubeletKey: (text: string) => KUBELET_KEY.test(text) && !NEVER_KUBELET.test(text),
  dockerOption: (text: string) => DOCKER_OPTION.test(text) && !NEVER_DOCKER.test(text),
  scalar: oneLine,
};

/** `containerd.service` is called `containerd` here; other kinds of units keep their ending. */
export function unitName(unit: string): string {
  return unit.endsWith('.service') ? unit.slice(0, -'.service'.length) : unit;
}

/** `net.ipv4.ip_forward` as the kernel's file. */
export function sysctlPath(key: string): string {
  return `/proc/sys/${key.replaceAll('.', '/')}`;
}

/** `br-netfilter` is listed as `br_netfilter`. */
export function moduleName(name: string): string {
  return name.replaceAll('-', '_');
}
