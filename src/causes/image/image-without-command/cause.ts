import { defineCause, excludes, line, minutes, namesOf, notByContainers, proves, supports } from '../../define-cause.ts';

const noCommand = line(
  'no command specified',
  ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  /(?:generat(?:e|ing) (?:container )?spec[^\n]{0,120}|Error response from daemon|containerd container|CreateContainer(?:Error)?[^\n]{0,80}|creat(?:e|ing) container[^\n]{0,80}|(?:^|\s)Error): {1,2}no command specified|code = \w{1,30} desc = (?:[^\n]{0,80}: )?no command specified/i,
);
const notInImage = line('executable file not found in', [], /exec: \\*"[^"\\]{1,200}\\*": executable file not found/);

export const cause = defineCause({
  id: 'image-without-command',
  area: 'image',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['create-error', 'config-error', 'crash-loop', 'init-crash', 'failed', 'other-trouble'],

  text: {
    name: 'Image has no command',
    title: '{container} has nothing to run: its image has no command, and the pod gives none',
    why: 'A container runs the command of the pod, or else ENTRYPOINT and CMD of its image. The image of {container}{image} has neither (an empty base image, a data image, one made by docker import or a build without CMD), and the pod sets no command, so the runtime says "no command specified" and creates nothing.',
  },

  clues: {
    noCommand: proves(noCommand, notByContainers),
    spec: supports('container.spec', ({ command, args }) => command === undefined && args === undefined),
    notInImage: excludes(notInImage, notByContainers),
  },
  says: {
    noCommand: 'the runtime says: no command specified',
    spec: 'the pod sets neither command nor args for it{image}',
    notInImage: 'a command is given, but it is not in the image',
  },
  slots: (place, { spec }) => ({
    ...namesOf(place),
    image: spec ? ` (${spec.image})` : '',
    reference: spec?.image ?? 'IMAGE',
  }),

  fixes: [
    {
      say: 'See what the image is set to run',
      risk: 'reads-only',
      steps: [
        {
          say: 'entrypoint and command of the image',
          run: 'skopeo inspect --config docker://{{reference}} | grep -A6 -iE \'"(entrypoint|cmd)"\'',
        },
        { say: 'on a node that has it', run: 'crictl inspecti {{reference}} | grep -A8 -iE \'"(entrypoint|cmd)"\'', on: 'node' },
      ],
    },
    {
      say: 'Set command (and args) of {container} in the pod template',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for instance command: ["/bin/sh", "-c", "exec /app/start"]',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'command',
          value: { ask: 'command', says: 'the command as a JSON list, such as ["/app/start", "--serve"]' },
        },
      ],
      verified: '{container} is Started',
    },
    {
      say: 'Or rebuild the image with ENTRYPOINT or CMD, and check that the right image and tag is named',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'docker import and docker commit drop the command; build from a Dockerfile, or give it',
          run: 'docker import --change \'CMD ["/app/start"]\' FILE.tar IMAGE',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containerd internal/cri/opts/spec_opts.go (WithProcessArgs)', 'moby daemon/create.go', 'cri-o server/container_create.go'],
});
