import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const execRefused = line(
  ['operation not permitted'],
  ['container-log', 'prose', 'pod-events', 'pod-status'],
  /exec (?:user|container) process (?:caused:? \\?"?operation not permitted|`(?<crun>[^`\n]{1,200})`: Operation not permitted)|exec (?<exec>\/[^\s:"]{1,300}): operation not permitted|exec: \\?"(?<runc>[^"\\\n]{1,300})\\?": operation not permitted/i,
);
const lowPort = line(
  ['permission denied', 'Unable to start Kestrel'],
  ['container-log', 'prose', 'pod-status'],
  /(?:listen (?:tcp|udp)[46]? [^\s]{0,60}?:|bind(?:ing)?(?:\(\))? (?:to |on )?[^\s]{0,60}?:|0\.0\.0\.0:|\[::\]:|:::|port )(?<port>\d{1,3}|10(?:[01]\d|2[0-3]))\b[^\n]{0,60}?[Pp]ermission denied|EACCES: permission denied [\w.:[\]]{0,60}:(?<node>\d{1,4})\b|cannot bind socket \(Permission denied\) for \[?[\w.:*]{0,60}:(?<haproxy>\d{1,4})\]?|\(13\)[Pp]ermission denied: (?:AH\d{5}: )?make_sock: could not bind to address \S{0,60}?:(?<apache>\d{1,4})\b|(?<any>could not bind to address|make_sock)[^\n]{0,80}?\(13\)Permission denied|(?<dotnet>SocketException \(13\): Permission denied)[\s\S]{0,600}?\.(?:DoBind|Bind)\(|(?<kestrel>Unable to start Kestrel)[\s\S]{0,200}?(?:EACCES|\(13\): Permission denied)|(?<java>java\.net\.(?:Socket|Bind)Exception: Permission denied)|[Pp]ermission denied - bind\(2\) for "?[\w.:*]{0,60}"? port (?<puma>\d{1,4})\b|attempt(?:ing)? to bind on address \('[\w.:]{0,60}', (?<asyncio>\d{1,4})\): permission denied/,
);
/** Settings of the kernel are mounted read-only into every container that is not privileged. */
const kernelSetting = line(
  ['read-only file system', 'permission denied'],
  ['container-log', 'prose', 'pod-status'],
  /(?:open|write|writing to|setting key [^\n]{1,80}?:) ?[\\"]{0,4}(?<setting>\/(?:proc\/sys|sys)\/(?![^\s:"]{0,100}nf_conntrack)[^\s:"\\]{3,200})[\\"]{0,4}: (?:read-only file system|permission denied)/i,
);
const refused = line(
  [
    'operation not permitted',
    'you must be root',
    'must be run as root',
    'Permission denied (you must be root)',
    'permission denied (are you root?)',
    '"no new privileges" flag is set',
    'Failed to lock memory',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?:su-exec|gosu|setpriv|su): (?<switch>setgroups|setgid|setuid|[^\n:]{1,60}): [Oo]peration not permitted|(?:error: )?failed switching to "(?<gosu>[^"\n]{1,60})": operation not permitted|(?<iptables>ip6?tables)[^\n]{0,200}?(?:you must be root|Operation not permitted)|(?:sysctl|mount|unshare|modprobe|insmod|ip|tc|nsenter|chroot|swapoff|ulimit): [^\n]{0,120}?(?<call>Operation not permitted|permission denied)|RTNETLINK answers: (?<netlink>Operation not permitted)|(?<socket>socket: Operation not permitted)|(?<sudo>the "no new privileges" flag is set)|(?<lock>Failed to lock memory): (?:cannot allocate memory|operation not permitted)|(?:^|\s)(?<set>set(?:uid|gid|groups)): Operation not permitted/i,
);
/** The runtime itself does not have what the container asks for, so it cannot hand it on. */
const notGranted = line(
  ['unable to apply caps', 'unable to apply bounding set', 'unable to set capability'],
  ['pod-events', 'pod-status', 'container-log', 'kubelet-log', 'containerd-log', 'crio-log', 'prose'],
  /unable to (?:apply (?:caps|bounding set)|set capability \w{1,40}): (?:operation not permitted|invalid argument)/,
);
const denial = excludes('kernel.denial');

export const cause = defineCause({
  id: 'app-capability-missing',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'create-error', 'other-trouble'],

  text: {
    name: 'Capability or privilege missing',
    title: '{container} lacks a privilege: {action} is not permitted',
    why: 'The kernel refuses {action} to {container} (EPERM): it runs without the Linux capability for it. {reason}',
  },

  clues: {
    execRefused: proves(execRefused),
    lowPort: proves(lowPort, byContainers),
    refused: proves(refused, byContainers),
    kernelSetting: proves(kernelSetting, byContainers),
    notGranted: proves(notGranted),
    denial,
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    execRefused: 'running its program fails: operation not permitted',
    lowPort: 'it may not listen on port {port}: permission denied',
    refused: 'the kernel refuses: operation not permitted',
    kernelSetting: 'it may not write the kernel setting {setting}',
    notGranted: 'the runtime cannot give it the capabilities it asks for',
    denial: 'a security module (SELinux, AppArmor) refuses, no capability is missing',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { execRefused: exec, lowPort: low, refused: no, kernelSetting: kernel, notGranted: asked }) => {
    const file = exec?.fields['crun'] ?? exec?.fields['exec'] ?? exec?.fields['runc'];
    const port =
      low?.fields['port'] ??
      low?.fields['node'] ??
      low?.fields['apache'] ??
      low?.fields['haproxy'] ??
      low?.fields['puma'] ??
      low?.fields['asyncio'];
    return {
      ...namesOf(place),
      port: port ?? 'below 1024',
      setting: kernel?.fields['setting'] ?? 'below /proc/sys',
      action: kernel
        ? `writing the kernel setting ${kernel.fields['setting']}`
        : asked
          ? 'taking on the capabilities of its security context'
          : exec
            ? `running ${file ?? 'its program'}`
            : low
              ? `listening on port ${port ?? 'below 1024'}`
              : no?.fields['iptables']
                ? 'changing iptables rules'
                : no?.fields['lock']
                  ? 'locking memory (mlock)'
                  : no?.fields['set'] || no?.fields['switch'] || no?.fields['gosu'] || no?.fields['sudo']
                    ? 'switching to another user (setuid, setgid)'
                    : 'what it asks the kernel for',
      capability: kernel
        ? 'SYS_ADMIN (or privileged: true)'
        : exec || low
          ? 'NET_BIND_SERVICE'
          : no?.fields['iptables'] || no?.fields['netlink']
            ? 'NET_ADMIN'
            : no?.fields['lock']
              ? 'IPC_LOCK'
              : 'SETUID, SETGID, CHOWN',
      reason: kernel
        ? 'The files below /proc/sys and /sys are mounted read-only into every container that is not privileged; a setting of the node is better made on the node.'
        : asked
          ? 'Its securityContext.capabilities.add names one that the container runtime itself has not got, so nobody can be given it: Talos takes SYS_MODULE and SYS_BOOT away from all containers, rootless runtimes and containers in containers have fewer still, and an old kernel does not know the newer ones (BPF, PERFMON, CHECKPOINT_RESTORE).'
          : exec
            ? 'The file carries capabilities (setcap) that the container does not have: capabilities.drop ALL, or allowPrivilegeEscalation: false on old kernels and runtimes; such a file cannot be run at all. SELinux or a seccomp profile can do the same.'
            : low
              ? 'Ports below 1024 are for root or NET_BIND_SERVICE, and it runs as another user or with all capabilities dropped.'
              : 'Its security context drops the capability (capabilities.drop, a restricted profile of Pod Security or an SCC), or it runs as a user other than root where the image expects root.',
    };
  },

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'security context of pod and {container}',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A12 'securityContext:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where the runtime cannot grant it: take that capability out of securityContext.capabilities.add (on Talos: SYS_MODULE)',
      risk: 'restarts-pods',
      for: ['notGranted'],
      steps: [
        {
          say: 'which ones it asks for, init containers too',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A14 'capabilities:'",
          on: 'cluster',
        },
        {
          say: 'Cilium on Talos: give securityContext.capabilities.ciliumAgent and .cleanCiliumState in its Helm values, without SYS_MODULE',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts',
    },
    {
      say: 'Do without: a port above 1024 ({port} is below), an image made to run as a normal user, no setcap on the file',
      risk: 'restarts-pods',
      for: ['lowPort'],
      steps: [
        {
          say: 'the Service may still show port 80: only its targetPort changes',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts',
    },
    {
      say: 'Or grant only what it needs: add the capability {capability}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'securityContext of {container}: capabilities.add with {capability} beside drop ALL; for a file with setcap also take allowPrivilegeEscalation: false out',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'ports below 1024 for all users of the pod: sysctl net.ipv4.ip_unprivileged_port_start=0 in securityContext.sysctls' },
      ],
      verified: '{container} starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'capabilities(7)',
    'opencontainers/runc libcontainer/standard_init_linux.go, capabilities_linux.go',
    'siderolabs/talos issue 5948',
    'coredns and caddy-docker issue 396',
  ],
});
