import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const formatError = line(
  'exec format error',
  ['container-log', 'pod-events', 'pod-status'],
  /^(?![\s\S]*?(?:exec failed|[Pp]robe (?:failed|errored)))(?:[\s\S]*?[\s:])?(?:exec (?<file>\/?[^\s:"]{1,300}): exec format error|exec: \\?"(?<quoted>[^"\\]{1,300})\\?": exec format error|exec user process caused:? \\?"?exec format error|\[FATAL tini \(\d{1,6}\)\] exec (?<tini>\S{1,300}) failed: exec format error|\[dumb-init\] (?<dumb>[^\s:]{1,300}): exec format error|unable to exec (?<s6>[^\s:]{1,300}): exec format error|exec container process `(?<process>[^`]{1,300})`: Exec format error|(?<binary>[^\s:]{1,300}): cannot execute binary file: Exec format error)/i,
);
/** The emulator runs programs of another architecture, and looks for the loader of that one. */
const emulated = line(
  ['qemu-x86_64', 'qemu-aarch64', 'qemu-arm: ', 'qemu-ppc64le', 'qemu-s390x'],
  'container-log',
  /qemu-(?<architecture>[a-z0-9_]{3,12})(?:-static)?: (?:Could not open '[^'\n]{1,200}'|uncaught target signal|Error while loading)/,
);
const childFormatError = line(
  'exec format error',
  'container-log',
  /(?:fork\/exec |spawn )(?<file>[^\s:]{1,300})[\s\S]{0,40}exec format error|Errno 8\] Exec format error/i,
);

const SCRIPT = /\.(?:sh|py|rb|pl|js|bash)$/;

export const cause = defineCause({
  id: 'app-exec-format-error',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'create-error', 'init-crash', 'failed', 'restarts'],

  text: {
    name: 'Image for another CPU',
    title: '{container} cannot run {file}: exec format error, {mismatch}',
    why: 'The kernel refuses to run {file}: it is no executable for the architecture of the node ({architecture}). The image was built for another CPU architecture (amd64 image on an arm64 node, or the reverse), or the file is a script without a #! line.',
  },

  clues: {
    formatError: proves(formatError),
    emulated: proves(emulated),
    childFormatError: supports(childFormatError),
    architecture: supports('node.info', ({ architecture }) => architecture !== undefined),
    over: excludes('pod.history'),
  },
  says: {
    formatError: 'the kernel says: exec format error',
    emulated: 'an emulator of another CPU ({emulator}) runs the program, and fails',
    childFormatError: 'a program it starts is for another CPU: exec format error',
    architecture: 'the node is {architecture}',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { formatError: direct, emulated: emulator, childFormatError: child, architecture }) => {
    const file = direct ? Object.values(direct.fields)[0] : child?.fields['file'];
    const script = SCRIPT.test(file ?? '');
    const cpu = architecture?.architecture;
    return {
      ...namesOf(place),
      named: place.name.includes(' ') ? '' : place.name,
      file: file ?? 'its program',
      emulator: `qemu-${emulator?.fields['architecture'] ?? 'user'}`,
      architecture: cpu ?? 'see kubernetes.io/arch',
      // The interpreter a script names may be for another CPU just as well.
      mismatch: script ? 'an image for another CPU, or a script without #! line' : cpu ? `not built for ${cpu}` : 'built for another CPU',
    };
  },

  fixes: [
    {
      say: 'Compare the architecture of node and image',
      risk: 'reads-only',
      steps: [
        { say: 'architecture of the nodes', run: 'kubectl get nodes -L kubernetes.io/arch', on: 'cluster' },
        { say: 'architectures the image offers', run: 'docker manifest inspect IMAGE | grep -A2 architecture' },
      ],
    },
    {
      say: 'Use an image built for the architecture of the nodes (multi-arch, linux/amd64 and linux/arm64)',
      risk: 'restarts-pods',
      steps: [
        { say: 'build for both and push', run: 'docker buildx build --platform linux/amd64,linux/arm64 -t IMAGE --push .' },
        { say: 'for a script: make #!/bin/sh its first line' },
        { say: 'roll it out', run: 'kubectl -n {{namespace}} set image {{target}} {{container}}=IMAGE', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'image',
          value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' },
        },
      ],
      verified: '{container} starts on every node',
    },
    {
      say: 'Or keep {container} on nodes of the architecture the image is for',
      risk: 'moves-pods',
      steps: [
        {
          say: 'node selector for amd64 (or arm64)',
          run: `kubectl -n {{namespace}} patch {{target}} --type merge -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/arch":"amd64"}}}}}'`,
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'nodeSelector.kubernetes.io/arch',
          value: { ask: 'arch', says: 'the architecture the image is built for, such as amd64 or arm64' },
        },
      ],
      verified: '{container} starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['execve(2) ENOEXEC', 'opencontainers/runc libcontainer/standard_init_linux.go', 'containers/crun src/libcrun/container.c'],
});
