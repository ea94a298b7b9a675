import { defineCause, excludes, line, minutes, namesOf, notByContainers, on, proves, supports } from '../../define-cause.ts';

// Not the programs of the node itself: its runtimes, their hooks and helpers.
const notInImage = line(
  [
    'executable file not found in',
    '": stat /',
    '": stat ./',
    '": stat ../',
    'executable file `',
    'error finding executable',
    'cannot find the file specified',
  ],
  ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log'],
  /^(?![\s\S]*?(?:exec failed|[Pp]robe (?:failed|errored)|[Ll]ifecycle [Hh]ook))[\s\S]*?(?:exec: \\?"(?<command>(?!(?:nvidia-(?:container-[a-z.-]{1,40}|ctk)|apparmor_parser|runc|crun|youki|runsc|kata-runtime|containerd-shim[a-z0-9-]{0,40}|conmon|criu|crictl|docker-(?:init|runc|credential-[a-z0-9-]{1,40})|mount\.[a-z0-9]{1,12}|unpigz)\\?")[^"\\]{1,200})\\?": (?:executable file not found|stat [^:]{1,300}: no such file)|executable file `(?<quoted>[^`]{1,200})` not found|error finding executable \\?"(?<found>[^"\\]{1,200})\\?"|CreateProcess[\s\S]{0,2000}?cannot find the file specified)/,
);
const scriptMissing = line(
  [
    "can't open file '",
    'Unable to access jarfile',
    'Could not find or load main class',
    "sh: can't open '",
    'sh: 0: can',
    ' (LoadError)',
    "Can't open perl script",
    'Could not open input file:',
    "Cannot find module '/",
    'Missing script: ',
    'missing script: ',
    'error Command "',
    '[FATAL tini (',
    '[dumb-init] ',
    'unable to exec ',
    'su-exec: ',
    'failed to exec pid1',
    'The application to execute does not exist',
    'no main manifest attribute',
    'Invalid or corrupt jarfile',
  ],
  'container-log',
  /(?:can't open file '(?<script>[^']{1,300})': \[Errno 2\]|Unable to access jarfile (?<jar>\S{1,300})|Could not find or load main class (?<main>\S{1,300})|sh: can't open '(?<opened>[^']{1,300})'(?!: [Pp]ermission)|sh: 0: (?:[Cc]an't|cannot) open (?<dash>[^\s:]{1,300})(?!: [Pp]ermission)|No such file or directory -- (?<ruby>\S{1,300}) \(LoadError\)|Can't open perl script "(?<perl>[^"]{1,300})"|Could not open input file: (?<php>\S{1,300})|[Mm]issing script:? ["']?(?<npm>[^"'\s]{1,80})|error Command "(?<yarn>[^"\n]{1,80})" not found|\[FATAL tini \(\d{1,6}\)\] exec (?<tini>\S{1,300}) failed: No such file|\[dumb-init\] (?<dumb>[^\s:]{1,300}): No such file|(?:s6-[\w-]{1,40}|exec): (?:fatal|warning): unable to exec (?<s6>[^\s:]{1,300}): No such file|su-exec: (?<su>[^\s:]{1,300}): No such file|failed to exec (?<pid1>pid1): No such file|application to execute does not exist: ['"](?<dotnet>[^'"\n]{1,300})|no main manifest attribute, in (?<manifest>\S{1,300})|Invalid or corrupt jarfile (?<corrupt>\S{1,300})|(?:^|\s)Error: Cannot find module '(?<module>\/(?![^']*\/node_modules\/)[^']{1,300})')/,
);
const shellSays = line(
  ['command not found', ': not found'],
  'container-log',
  /(?:^|[\s/"'(])[\w.-]{0,60}sh: (?:exec: )?(?:(?:line )?\d{1,6}: )?(?:exec: )?(?!\$'\\r'|\S{0,100}(?:\\r|\r))(?<command>[^\s:]{1,200}): (?:command )?not found/,
);
const childMissing = line(
  'executable file not found in',
  'container-log',
  /exec: \\?"(?<command>[^"\\]{1,200})\\?": executable file not found/,
);

const BUILT_IN = /^(?:until|while|for|if|then|do|done|fi|echo|sleep|cd|exec|export|set|source|true|false|test|exit|trap|umask|wait|\[|\.)$/;

/** What a shell is told to run: the first word of a part of `sh -c …` that is no word of the shell itself. */
function programOf(command: string): string | undefined {
  const script = /(?:^|\/)(?:ba|da|a)?sh (?:-[a-z]{1,5} ){1,3}(?<script>[\s\S]{1,400})/.exec(command)?.groups?.['script'] ?? '';
  for (const part of script.split(/[;&|\n]/)) {
    const word = /^\s{0,20}(?:exec )?(?<word>[\w./+-]{1,200})(?![=\w])/.exec(part)?.groups?.['word'];
    if (word !== undefined && !BUILT_IN.test(word)) return word;
  }
  return undefined;
}

export const cause = defineCause({
  id: 'app-command-not-found',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'create-error', 'init-crash', 'failed', 'restarts', 'config-error'],
  wakesOn: [on('container.terminated', { exitCode: 127 })],

  text: {
    name: 'Command not in the image',
    title: 'The command of {container} is not found: {command}',
    why: '{container} is told to run {command}, but no such executable file exists in its image at that path or in $PATH. The runtime or the shell gives up at once (exit code 127 or 128, StartError), before the program could write a log.',
  },

  clues: {
    notInImage: proves(notInImage, notByContainers),
    scriptMissing: proves(scriptMissing),
    childMissing: supports(childMissing, ({ channel }) => channel === 'container-log'),
    shellSays: supports(shellSays),
    exit127: supports('container.terminated', ({ exitCode }) => exitCode === 127),
    shellLine: supports('container.spec', ({ command, args }) => programOf(`${command ?? ''} ${args ?? ''}`) !== undefined),
    over: excludes('pod.history'),
  },
  says: {
    notInImage: 'the runtime does not find {command} in the image',
    scriptMissing: 'the interpreter is there, the file it shall run is not: {command}',
    childMissing: 'it does not find a program that it starts itself: {command}',
    shellSays: 'the shell says that {command} is not found',
    exit127: 'exit code 127: a shell or Docker did not find the command',
    shellLine: 'it runs a shell line that begins with {program}',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { notInImage: direct, scriptMissing: file, childMissing: child, shellSays: said, shellLine }) => {
    const own = shellLine?.about.endsWith(`/${place.name}`) ? shellLine : undefined;
    const program = programOf(`${own?.command ?? ''} ${own?.args ?? ''}`);
    const given = Object.values((direct ?? file ?? child ?? said)?.fields ?? {})[0];
    const inside = file?.fields ?? {};
    const script = inside['npm'] ?? inside['yarn'];
    const named = script
      ? `the script "${script}" in package.json`
      : inside['manifest'] || inside['corrupt']
        ? `a class to start in ${given}`
        : inside['pid1']
          ? 'the program it names'
          : given;
    return {
      ...namesOf(place),
      command: named ?? program ?? 'the program it names',
      program: program ?? 'another program',
      named: place.name.includes(' ') ? '' : place.name,
    };
  },

  fixes: [
    {
      say: 'See what the image holds and what {container} is told to run',
      risk: 'reads-only',
      steps: [
        {
          say: 'command, args and mounts of {container}: a volume mounted over the folder hides the file as well',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A12 'command:|args:|mountPath:'",
          on: 'cluster',
        },
        {
          say: 'entrypoint and command of the image itself',
          run: 'crictl inspecti IMAGE | grep -A8 -iE \'"(entrypoint|cmd)"\'',
          on: 'node',
        },
      ],
    },
    {
      say: 'Correct command/args of {container}, or use an image that holds {command}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'spell {command} as it is in the image, give its full path, or choose an image in which it is installed (busybox and distroless images lack most tools)',
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
      say: 'Go back to the last version that worked',
      risk: 'restarts-pods',
      steps: [
        { say: 'if it worked before the last rollout, go back', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} is Started and writes its own log',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'opencontainers/runc libcontainer/standard_init_linux.go, init_linux.go',
    'Go os/exec LookPath',
    'containers/crun src/libcrun/linux.c',
    'gvisor runsc/boot/loader.go',
  ],
});
