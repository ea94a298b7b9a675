import { byContainers, defineCause, excludes, line, minutes, namesOf, notByContainers, on, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
const noProfile = line(
  ['cannot load seccomp profile', 'opening seccomp profile', 'seccomp profile', 'loading seccomp', 'load local profile', 'setup seccomp'],
  ASKED,
  /(?:cannot load|opening|loading|failed to load|unable to load(?: local)?) (?:seccomp )?profile \\*["(]?(?<profile>[^\s"\\()]{2,300})\\*[")]?(?<error>[^\n]{0,300}?(?:no such file or directory|invalid character|cannot unmarshal|unexpected end of JSON|is a directory|permission denied))|(?<decode>decoding seccomp profile failed)|setup seccomp:[^\n]{0,300}?open (?<file>\/[^\s:"\\]{3,300}): no such file/i,
);
const notLoaded = line(
  [
    'seccomp filter',
    'unable to init seccomp',
    'seccomp not supported',
    'seccomp is not enabled',
    'for seccomp',
    'initializing seccomp',
    'undefined symbol: seccomp',
    'error adding seccomp',
  ],
  ASKED,
  /(?<what>error loading seccomp filter into kernel|error loading seccomp filter|unable to init seccomp|initializing seccomp|config provided but seccomp not supported|seccomp is not enabled in your kernel|is not a valid (?:action|arch|operator) for seccomp|error adding seccomp (?:filter )?rule|error adding arch(?:itecture)? to seccomp filter|undefined symbol: seccomp_\w{3,40})(?:[^\n]{0,120}?errno (?<errno>\d{1,4}))?/i,
);
const cloneRefused = line(
  ['pthread_create failed', 'failed to create new OS thread', 'clone3: Operation not permitted'],
  'container-log',
  /pthread_create failed[^\n]{0,40}?(?:\bEPERM\b|Operation not permitted)|failed to create new OS thread[^\n]{0,60}?errno=1\b|clone3: Operation not permitted/,
);
/** runc itself is under the filter already when it looks at its own files. */
const runcRefused = line(
  ['is on procfs: operation not permitted', 'close exec fds: ', 'reopen exec fifo'],
  ASKED,
  /ensure \/proc\/(?:thread-)?self\/\S{1,40} is on procfs: operation not permitted|(?:close exec fds|reopen exec fifo)[^\n]{0,120}?operation not permitted/i,
);
const badCall = line(['Bad system call'], 'container-log', /Bad system call(?: \(core dumped\))?/);
const apparmor = line(['apparmor profile not found', 'Cannot enforce AppArmor', 'unable to apply apparmor profile'], []);

export const cause = defineCause({
  id: 'seccomp-profile-missing-or-blocks',
  area: 'runtime',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['create-error', 'config-error', 'creating', 'crash-loop', 'restarts', 'init-crash', 'failed', 'other-trouble'],
  wakesOn: [
    on('kernel.denial', { by: 'seccomp' }),
    on('container.terminated', { exitCode: 159 }),
    on('container.terminated', { signal: 31 }),
    on('container.terminated', { reason: 'seccomp killed' }),
  ],

  text: {
    name: 'Seccomp stops the container',
    title: 'Seccomp keeps {container} from running: {what}',
    why: 'A seccomp profile lists the system calls a container may use. {reason}',
  },

  clues: {
    noProfile: proves(noProfile, notByContainers),
    notLoaded: proves(notLoaded, notByContainers),
    killed: proves(
      'container.terminated',
      ({ exitCode, signal, reason }) => exitCode === 159 || signal === 31 || reason === 'seccomp killed',
    ),
    cloneRefused: proves(cloneRefused, byContainers),
    runcRefused: supports(runcRefused, notByContainers),
    denied: supports('kernel.denial', ({ by }) => by === 'seccomp'),
    badCall: supports(badCall),
    apparmor: excludes(apparmor),
  },
  says: {
    noProfile: 'the profile {profile} cannot be loaded: {error}',
    notLoaded: 'the kernel or runtime refuses the seccomp filter: {filter}',
    killed: 'it was killed by SIGSYS (exit code 159): a forbidden system call',
    cloneRefused: 'threads cannot be created: the new call clone3 is answered with EPERM',
    runcRefused: 'runc, already under the profile, is refused a call of its own (/proc/self/fd)',
    denied: 'the kernel logged a system call that seccomp refused ({call})',
    badCall: 'the program ended with "Bad system call"',
    apparmor: 'it is an AppArmor profile that is missing',
  },
  slots: (place, { noProfile: missing, notLoaded: filter, denied, cloneRefused: clone, runcRefused: runc, killed, badCall: bad }) => {
    const profile = missing?.fields['profile'] ?? missing?.fields['file'] ?? 'the profile';
    const error = (/no such file or directory|permission denied|is a directory/.exec(missing?.fields['error'] ?? '')?.[0] ??
      (missing?.fields['file'] ? 'no such file or directory' : 'it is not valid JSON')) as string;
    const errno = filter?.fields['errno'];
    const words = filter?.fields['what'] ?? 'not loaded';
    const symbol = words.startsWith('undefined symbol');
    const syscall = denied?.operation?.replace(/^syscall /, '') ?? '';
    const blocked = denied ?? clone ?? killed ?? bad ?? runc;
    return {
      ...namesOf(place),
      profile,
      error,
      filter: errno ? `${words}, errno ${errno}` : words,
      limit: errno === '524' ? 'net.core.bpf_jit_limit' : '',
      call: denied?.operation ?? 'a system call',
      syscall: syscall || 'unknown',
      what: missing
        ? `profile ${profile}: ${error}`
        : filter
          ? symbol
            ? 'libseccomp is older than runc needs'
            : `the filter cannot be loaded${errno ? ` (errno ${errno})` : ''}`
          : clone
            ? 'an old runtime or libseccomp refuses clone3'
            : runc
              ? 'the profile forbids calls that runc itself needs to start a container'
              : `a system call${syscall ? ` (${syscall})` : ''} is forbidden`,
      reason: missing
        ? `The pod asks for ${profile} as a Localhost profile, and the runtime of this node cannot read it (${error}). Each node needs its own copy below /var/lib/kubelet/seccomp.`
        : filter
          ? errno === '524'
            ? 'The kernel cannot compile one more filter: its memory for that (net.core.bpf_jit_limit) is used up, which old kernels leak.'
            : symbol
              ? 'runc on this node was built for a newer libseccomp than is installed, so it cannot even start.'
              : 'Kernel, runc or libseccomp of this node cannot load the filter: it is too old for it, or built without seccomp.'
          : runc
            ? 'runc starts the program when the profile is already in force, and needs some calls itself (fstatfs, openat2, close_range, capset). A profile that was recorded from the program alone lacks them.'
            : blocked
              ? 'The program made a call the profile does not allow: the process was killed by SIGSYS, or got "Operation not permitted". New C libraries use new calls (clone3, faccessat2) which an old libseccomp or runc refuses.'
              : 'Either the profile cannot be loaded, or it forbids a call that the program makes.',
    };
  },

  fixes: [
    {
      say: 'See which profile is asked for, and whether the node has it',
      risk: 'reads-only',
      steps: [
        { say: 'what the pod asks for', run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nA3 -i seccomp', on: 'cluster' },
        { say: 'profiles on the node; localhostProfile is relative to this folder', run: 'ls -R /var/lib/kubelet/seccomp', on: 'node' },
        {
          say: 'refused calls, and versions',
          run: 'journalctl -k --no-pager | grep type=1326 | tail; runc --version; sysctl net.core.bpf_jit_limit',
          on: 'node',
        },
      ],
    },
    {
      say: 'Put the profile onto every node (or correct localhostProfile); seccompProfile type RuntimeDefault needs no file',
      risk: 'restarts-pods',
      for: ['noProfile'],
      steps: [
        {
          say: 'copy it below the root of the kubelet',
          run: 'install -D -m 0644 PROFILE.json /var/lib/kubelet/seccomp/profiles/PROFILE.json',
          on: 'node',
        },
        { say: 'or change the pod', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      verified: '{container} is Started',
    },
    {
      say: 'A forbidden call: allow it in the profile; for clone3 and other new calls upgrade runc, libseccomp and the runtime',
      risk: 'touches-node',
      for: ['killed', 'cloneRefused', 'runcRefused', 'denied', 'badCall'],
      steps: [
        { say: 'name of the system call', run: 'ausyscall {{syscall}} || scmp_sys_resolver {{syscall}}', on: 'node' },
        {
          say: 'Debian, Ubuntu',
          run: 'apt-get update && apt-get install --only-upgrade -y libseccomp2 runc containerd.io',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'yum update -y libseccomp runc containerd.io container-selinux', on: 'node', family: 'rhel' },
        { say: 'errno 524: raise the limit, upgrade the kernel', run: 'sysctl -w net.core.bpf_jit_limit=528482304', on: 'node' },
      ],
      changes: [{ do: 'sysctl', key: '{{limit}}', value: '528482304', atLeast: true }],
      verified: '{container} is Started',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd internal/cri/server/container_create_linux.go, contrib/seccomp',
    'opencontainers/runc libcontainer/seccomp',
    'cri-o internal/config/seccomp',
    'kubernetes issue 88755; runc issue 2151; moby issue 42680',
  ],
});
