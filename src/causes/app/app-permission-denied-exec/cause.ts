import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const denied = line(
  ['permission denied', ': is a directory'],
  ['pod-events', 'pod-status', 'container-log'],
  /^(?![\s\S]*?(?:exec failed|[Pp]robe (?:failed|errored)|[Ll]ifecycle [Hh]ook|fork\/exec))(?:[\s\S]*?[\s:])?(?:exec: \\?"(?<command>[^"\\]{1,300})\\?": (?:permission denied|is a directory)|exec (?<file>\/[^\s:"]{1,300}): permission denied|exec user process caused:? \\?"?permission denied|\[FATAL tini \(\d{1,6}\)\] exec (?<tini>\S{1,300}) failed: permission denied|\[dumb-init\] (?<dumb>[^\s:]{1,300}): permission denied|(?:s6-[\w-]{1,40}|exec): (?:fatal|warning): unable to exec (?<s6>[^\s:]{1,300}): permission denied|su-exec: (?<su>[^\s:]{1,300}): permission denied|(?:exec container process|open executable|executable file) `(?<process>[^`]{1,300})`:? (?:not executable: )?Permission denied)/i,
);
/** A shell says the same of a file it may not write; hidden files and files of data are no commands. */
/** Every run begins in the working directory of the image, which may belong to another user than the one it runs as. */
const folder = line(
  ['chdir to cwd ('],
  ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log'],
  /chdir to cwd \(\\*"(?<folder>[^"\\]{1,300})\\*"\) set in config\.json failed: permission denied/,
);
const shellSays = line(
  'permission denied',
  'container-log',
  /(?:^|[\s/"'(])[\w.-]{0,60}sh: (?:(?:line )?\d{1,6}: )?(?:exec: |can't open '?|cannot open '?)?(?<command>(?!(?:\/[^\s:']{0,200})?\/\.[\w-][^\s:'/]{0,80}'?: |\/[^\s:']{1,200}\.(?:log|conf|cfg|cnf|ini|json|ya?ml|pid|txt|key|pem|crt|db|lock|xml|properties|env)'?: )[^\s:']{1,300})'?: Permission denied/i,
);

export const cause = defineCause({
  id: 'app-permission-denied-exec',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'create-error', 'init-crash', 'failed', 'restarts'],
  wakesOn: [on('container.terminated', { exitCode: 126 })],

  text: {
    name: 'Command not executable',
    title: '{container} may not {verb} {command}: permission denied',
    why: 'The kernel refuses this to the user that {container} runs as, although {command} is there: {reason}. It fails before the program can write a log, and every replica does.',
  },

  clues: {
    denied: proves(denied),
    folder: proves(folder),
    shellSays: supports(shellSays),
    exit126: supports('container.terminated', ({ exitCode }) => exitCode === 126),
    mounted: supports('pod.volume', ({ type }) => /^ConfigMap$/i.test(type)),
    over: excludes('pod.history'),
  },
  says: {
    denied: 'executing {command} is refused',
    folder: 'it may not enter {command}, the folder in which it is started',
    shellSays: 'the shell may not execute {command}',
    exit126: 'exit code 126: found, but not executable',
    mounted: 'it mounts a ConfigMap ({volume}), whose files are not executable by default',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { denied: direct, folder: cwd, shellSays: said, mounted }) => ({
    ...namesOf(place),
    named: place.name.includes(' ') ? '' : place.name,
    command: Object.values((direct ?? cwd ?? said)?.fields ?? {})[0] ?? 'its command',
    verb: direct === undefined && cwd ? 'enter its working directory' : 'execute the file',
    reason:
      direct === undefined && cwd
        ? 'the image wants to be started in that folder, which belongs to the user the image was built for (often a home folder with mode 0700), and runAsUser or the platform (OpenShift) lets it run as another one'
        : 'the execute bit is not set (a script from a ConfigMap or Secret has mode 0644, or a COPY lost it), the file is for another user, it is a directory, or it lies on a mount with noexec',
    volume: mounted?.source ?? mounted?.name ?? 'a volume',
  }),

  fixes: [
    {
      say: 'See the mode of {command} and what it is mounted from',
      risk: 'reads-only',
      steps: [
        {
          say: 'command, mounts and volumes of {container}',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A8 'command:|volumeMounts:|volumes:|defaultMode|runAsUser'",
          on: 'cluster',
        },
        {
          say: 'noexec on the folder of the kubelet or of the runtime',
          run: 'findmnt -T /var/lib/kubelet -o TARGET,OPTIONS; findmnt -T /var/lib/containerd -o TARGET,OPTIONS',
          on: 'node',
        },
      ],
    },
    {
      say: 'Make {command} executable, or hand it to a shell',
      risk: 'restarts-pods',
      for: ['denied', 'shellSays', 'exit126'],
      steps: [
        { say: 'in the image: RUN chmod 0755 on the file (COPY --chmod=0755)' },
        {
          say: 'from a ConfigMap or Secret: set defaultMode: 0755 on the volume, or start it as command: ["sh", "path"]',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'command',
          value: { ask: 'command', says: 'the command as a JSON list, such as ["/app/start", "--serve"]' },
        },
      ],
      verified: '{container} is Started and writes its own log',
    },
    {
      say: 'For a working directory: let it run as the user of the image (runAsUser), or give another workingDir',
      risk: 'restarts-pods',
      for: ['folder'],
      steps: [
        {
          say: 'set workingDir: / in the container, or runAsUser to the number of the user that owns the folder; in the image: chmod 0755 on the folder',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} is Started and writes its own log',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['execve(2) EACCES', 'opencontainers/runc libcontainer/standard_init_linux.go', 'containers/crun src/libcrun/linux.c'],
});
