import { defineCause, excludes, isWell, line, minutes, namesOf, supports } from '../../define-cause.ts';

const HELP = /^\s{0,8}(?:usage|Usage|USAGE)(?: of [^\s:]{1,200})?:?(?:\s|$)/;
/** Words of a complaint: then the usage is only printed below it. */
const COMPLAINT =
  /\b(?:error|fatal|panic|exception|traceback|fail(?:ed|ure)?|invalid|unknown|unrecogni[sz]ed|unexpected|cannot|can't|unable|denied|refused|missing|required|not found|no such)\b/i;

/** A help text, as the usual libraries for command lines print it. */
const usage = line(
  [
    '[OPTIONS] [COMMAND]',
    '[OPTIONS] COMMAND',
    '[options] [command]',
    '[options] <command>',
    '[command] [flags]',
    ' [command]',
    ' <command> [args]',
    'command [command options]',
    '[global options]',
    'Available Commands:',
    '[OPTIONS] <COMMAND>',
  ],
  ['container-log', 'prose'],
  // Tools that people run themselves print the same of themselves, and kubectl when it warns of a form of exec that goes away.
  /^(?![\s\S]*?(?:DEPRECATED|\b(?:kubectl|helm|kubeadm|minikube|docker|podman|crictl|istioctl|oc) \[))[\s\S]*?(?:\[OPTIONS\] (?:\[COMMAND\]|COMMAND|<COMMAND>)|\[options\] (?:\[command\]|<command>)|\S \[command\]|<command> \[args\]|\[command options\]|\[global options\]|Available Commands:)/,
);
const complaint = line(
  [
    'unknown command',
    'unknown flag',
    'unrecognized',
    'Unrecognized',
    'Unknown option',
    'required flag',
    'rror: failed',
    'rror: unable',
    'rror: could not',
    'rror: cannot',
    'rror: invalid',
    'rror: required',
    'rror: missing',
    'rror: accepts',
    'rror: open ',
    'rror: no such',
    'not defined',
    'Exception',
    'permission denied',
    'connection refused',
  ],
  [],
);

export const cause = defineCause({
  id: 'app-not-told-what-to-run',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'init-crash'],
  restates: true,

  text: {
    name: 'Program is given no command',
    title: '{container} only prints how it is used and ends: it is not told what to run',
    why: 'The log of {container} is the help text of its program and no error: it was started without the command or arguments it needs (start, serve, server …). command in the pod replaces the ENTRYPOINT of the image and drops its CMD, args replaces only the CMD; a chart for another version of the image, or a list under the wrong one of the two, leaves the program without its word. It prints its usage, ends, and is started again.',
  },

  clues: {
    usage: supports(usage),
    onlyUsage: supports(
      'container.last-words',
      ({ lines }) => lines.some((text) => HELP.test(text)) && !lines.some((text) => COMPLAINT.test(text.slice(0, 2000))),
    ),
    complaint: excludes(complaint),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    usage: 'what it wrote is a help text',
    onlyUsage: 'its last words are its usage, without a complaint',
    complaint: 'it complains of something, and prints its usage below',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place) => ({ ...namesOf(place), named: place.name.includes(' ') ? '' : place.name }),

  fixes: [
    {
      say: 'See what {container} is given, and what its image would run by itself',
      risk: 'reads-only',
      steps: [
        {
          say: 'command, args and image of {container}',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A12 'image:|command:|args:'",
          on: 'cluster',
        },
        { say: 'the commands the help text lists', run: 'kubectl -n {{namespace}} logs {{target}} --tail=60', on: 'cluster' },
      ],
    },
    {
      say: 'Give it its command as args (for example args: ["start"]), and leave command out where the ENTRYPOINT of the image is right',
      risk: 'restarts-pods',
      steps: [{ say: 'in the template, or in the values of the chart', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'args',
          value: { ask: 'args', says: 'the arguments as a JSON list, such as ["start"]' },
        },
      ],
      verified: '{container} writes more than its usage and stays up',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Kubernetes: Define a Command and Arguments for a Container', 'spf13/cobra, picocli, clap and click help texts'],
});
