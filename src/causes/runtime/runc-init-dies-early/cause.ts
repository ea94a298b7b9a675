import { defineCause, excludes, line, minutes, notByContainers, supports } from '../../define-cause.ts';

/** runc speaks with its own init process over a pipe; when that process is gone, all it can tell is that the pipe is. */
const pipe = line(
  [
    "can't get final child's PID from pipe",
    'error writing config to pipe: write init-p: broken pipe',
    'write init-p: broken pipe',
    'read init-p: connection reset by peer',
    'waiting for init preliminary setup: ',
    'error during container init: read init-p',
    "can't copy bootstrap data to pipe",
  ],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'pod-spec'],
  /(?<error>can't get final child's PID from pipe: EOF|can't copy bootstrap data to pipe: [^\n"\\]{3,80}|(?:error writing config to pipe: )?write init-p: broken pipe|read init-p: connection reset by peer|waiting for init preliminary setup: [^\n"\\]{3,80})/,
);
const memory = line(['container init was OOM-killed', 'memory limit too low'], [], /container init was OOM-killed|memory limit too low/);
const threads = line(['Resource temporarily unavailable'], [], /resource temporarily unavailable/i);
const space = line(['no space left on device'], [], /(?:unshare|clone|fork)[^\n]{0,80}?no space left on device/);

export const cause = defineCause({
  id: 'runc-init-dies-early',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['create-error', 'creating', 'crash-loop', 'restarts', 'init-crash', 'init-stuck', 'failed', 'not-ready', 'other-trouble'],
  effectOf: [
    'kernel-bug-or-hung-task',
    'max-user-namespaces-or-sysctl-hardening',
    'node-cannot-fork',
    'oom-container-at-create',
    'oom-container-limit',
    'oom-node-global',
    'pid-limit-reached',
  ],

  text: {
    name: 'First process of container dies',
    title: 'runc on {node} loses the first process of the container before its program starts: {error}',
    why: 'runc starts a small process of its own (init) in the new container, sends it what to do over a pipe, and that process becomes the program. Here the pipe breaks: the process was killed or could not be made. Most often the memory limit of the container is too small even for runc (a few MiB, or M written as m), the memory or process limit (pids) of the pod is used up, the kernel allows no further namespaces (user.max_user_namespaces = 0 on RHEL and CentOS 7), or runc and an old kernel do not fit.',
  },

  clues: {
    pipe: supports(pipe, notByContainers),
    killed: supports('kernel.oom', ({ process }) => /^(?:runc|exe$)/.test(process ?? '')),
    memory: excludes(memory),
    threads: excludes(threads),
    space: excludes(space),
  },
  says: {
    pipe: 'runc says: {error}',
    killed: 'the kernel killed a process of runc for memory at that time',
    memory: 'runc names the memory limit itself',
    threads: 'no more processes can be made; that is told in plain words',
    space: 'the kernel has no namespaces left; that is told in plain words',
  },
  slots: (place, { pipe: said }) => ({ node: place.name, error: said?.fields['error'] ?? 'its pipe breaks' }),

  fixes: [
    {
      say: 'See what killed it: the kernel log at that moment, the limits of the pod, the sysctls',
      risk: 'reads-only',
      steps: [
        {
          say: 'on the node',
          run: "dmesg -T | grep -iE 'oom|killed process|fork rejected|segfault' | tail; sysctl user.max_user_namespaces kernel.pid_max; uname -r; runc --version",
          on: 'node',
        },
        {
          say: 'limits of the pods; a memory limit under 12 MiB or with a small m is too little',
          run: 'kubectl get pods -A -o jsonpath=\'{range .items[*]}{.metadata.namespace}{" "}{.metadata.name}{" "}{.spec.containers[*].resources.limits.memory}{"\\n"}{end}\'',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Raise the limit that is too small: memory of the container, podPidsLimit of the kubelet, or user.max_user_namespaces',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'memory, for example',
          run: 'kubectl set resources deployment NAME --limits=memory=128Mi',
          on: 'cluster',
        },
        { say: 'namespaces', run: 'sysctl -w user.max_user_namespaces=15000', on: 'node' },
      ],
      verified: 'the container starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['opencontainers/runc libcontainer/process_linux.go, libcontainer/nsenter/nsexec.c'],
});
