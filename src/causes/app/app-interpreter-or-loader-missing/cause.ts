import { byDaemons, defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const execMissing = line(
  ['no such file or directory', 'required file not found', 'missing dynamic library'],
  ['container-log', 'pod-events', 'pod-status'],
  /(?:^|[\s:])exec (?<file>\/[^\s:"]{1,300}): no such file or directory|exec user process caused:? \\?"?no such file|exec container process (?:\(missing dynamic library\?\) )?`(?<process>[^`]{1,300})`: No such file|(?:^|[\s:])(?<script>[^\s:]{1,300}): cannot execute: required file not found/i,
);
const badInterpreter = line(
  ['bad interpreter', 'no such file or directory'],
  ['container-log', 'pod-events'],
  /(?:^|[\s:"'])(?<interpreter>[^\s:"']{1,200}): bad interpreter|\benv: (?:can't execute )?[‘'"]?(?<program>[^’'":\s]{1,100})[’'"]?: No such file or directory/,
);
const library = line(
  [
    'error while loading shared libraries',
    'Error loading shared library',
    'Error relocating ',
    "' not found (required by",
    'cannot open shared object file',
    'find a valid ICU package',
    'No usable version of libssl',
    'No usable version of the libssl',
  ],
  'container-log',
  /error while loading shared libraries: (?<glibc>[^\s:]{1,200})|Error loading shared library (?<musl>[^\s:]{1,200}): No such file|Error relocating [^\s:]{1,200}: (?<symbol>\S{1,200}): symbol not found|version `(?<version>[^']{1,60})' not found \(required by|(?:ImportError|OSError): (?<python>[\w.+-]{1,120}): cannot open shared object file|find a valid (?<icu>ICU) package|No usable version of (?:the )?(?<ssl>libssl) was found/,
);
const carriageReturn = line(
  ['bad interpreter', 'no such file or directory', "': command not found", '\r: not found'],
  'container-log',
  /(?:\\r|\r|\^M)[’'"]?: (?:No such file|bad interpreter|(?:command )?not found)/,
);

const OF_DOTNET: Readonly<Record<string, string>> = { ICU: 'libicu', libssl: 'libssl' };

/** The library is there, and may not be used. */
const forbidden = line(
  ['cannot change memory protections', 'cannot apply additional memory protection', 'failed to map segment from shared object'],
  [],
);

export const cause = defineCause({
  id: 'app-interpreter-or-loader-missing',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'create-error', 'init-crash', 'failed', 'restarts'],

  text: {
    name: 'Interpreter or loader missing',
    title: '{container} cannot run {file}: {missing} is not in the image',
    why: 'The file {container} is told to run exists, but what the kernel needs to run it does not: the dynamic loader or a shared library of a binary (built for glibc, run on Alpine/musl, or in a scratch image), or the interpreter named in the first line of a script (#!/bin/bash where there is no bash, or CRLF line ends from Windows). The kernel reports this as "no such file or directory".',
  },

  clues: {
    execMissing: proves(execMissing, ({ channel }) => channel !== 'kubelet-log'),
    badInterpreter: proves(badInterpreter),
    library: proves(library, (fact) => !byDaemons(fact)),
    carriageReturn: supports(carriageReturn),
    forbidden: excludes(forbidden),
    over: excludes('pod.history'),
  },
  says: {
    execMissing: 'running {file} fails with "no such file or directory"',
    badInterpreter: 'the interpreter {interpreter} of the script is not there',
    library: 'the loader does not find {library}',
    carriageReturn: 'the script has Windows line ends (CRLF): the name ends in a carriage return',
    forbidden: 'SELinux labels keep the library from being mapped; it is there',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { execMissing: exec, badInterpreter: bad, library: lib, carriageReturn: crlf }) => {
    const interpreter = (bad?.fields['interpreter'] ?? bad?.fields['program'])?.replace(/(?:\\r|\r|\^M)$/, '');
    const needed =
      lib?.fields['glibc'] ??
      lib?.fields['musl'] ??
      lib?.fields['symbol'] ??
      lib?.fields['version'] ??
      lib?.fields['python'] ??
      OF_DOTNET[lib?.fields['icu'] ?? lib?.fields['ssl'] ?? ''];
    const file = exec?.fields['file'] ?? exec?.fields['process'] ?? exec?.fields['script'];
    return {
      ...namesOf(place),
      named: place.name.includes(' ') ? '' : place.name,
      file: file ?? (interpreter || crlf ? 'its script' : 'its program'),
      interpreter: interpreter ?? 'of the script',
      library: needed ?? 'a shared library',
      missing: crlf
        ? `the interpreter "${interpreter ?? 'sh'}\\r" (CRLF line ends)`
        : interpreter
          ? `the interpreter ${interpreter}`
          : (needed ?? 'its interpreter or loader (ld.so)'),
    };
  },

  fixes: [
    {
      say: 'See what {file} needs',
      risk: 'reads-only',
      steps: [
        {
          say: 'in a container of the same image: type of the file, its loader and libraries',
          run: 'file PATH; head -c 60 PATH | od -c | head -3; ldd PATH || readelf -l PATH | grep interpreter',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Build the image so that the interpreter or loader is in it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a Go or Rust binary: link statically (CGO_ENABLED=0, or the musl target); others: use the base image it was built on (Debian for glibc, not Alpine) or install the missing library',
        },
        {
          say: 'a script: name an interpreter that is in the image (#!/bin/sh), and turn CRLF into LF',
          run: "sed -i 's/\\r$//' entrypoint.sh",
        },
        { say: 'roll the new image out', run: 'kubectl -n {{namespace}} set image {{target}} {{container}}=IMAGE', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'image',
          value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' },
        },
      ],
      verified: '{container} is Started and writes its own log',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'execve(2)',
    'opencontainers/runc libcontainer/standard_init_linux.go',
    'containers/crun src/libcrun/container.c',
    'glibc elf/dl-load.c, musl ldso/dynlink.c',
  ],
});
