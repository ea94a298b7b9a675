import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const LITERALS = [
  'unknown flag: ',
  'unknown shorthand flag',
  'flag provided but not defined',
  'unrecognized option',
  'unrecognized arguments',
  'unrecognised option',
  'invalid option --',
  'illegal option --',
  'no such option',
  'Unknown option',
  'unknown argument',
  'unexpected argument',
  'Unrecognized VM option',
  'unknown long flag',
  'unexpected parameter:',
  'unknown command "',
  "Unknown command: '",
  '" is not defined',
  "Don't know how to build task '",
  'bad flag syntax',
  'failed to decode configuration from flags',
  'invalid value "',
  'invalid argument "',
];
/** Not the programs of the cluster itself, nor a tool that complains of what somebody typed. */
const PATTERN =
  /^(?![\s\S]*?(?:kubelet|kubeadm|kubectl|containerd|dockerd|helm |kube-apiserver|kube-controller-manager|kube-scheduler|kube-proxy))[\s\S]*?(?:(?:unknown (?:long )?flag:? [`'"]?|flag provided but not defined: |unknown shorthand flag: |unrecogni[sz]ed (?:command[ -]line )?(?:options?|arguments?|VM option):? [`'"]?|(?:invalid|illegal) option -- [`'"]?|no such option:? [`'"]?|unknown (?:option|argument|command)s?:? [`'"]?|unexpected argument [`'"]?|unexpected parameter: )(?<argument>[^\s`'",]{1,120})|Command "(?<symfony>[^"\n]{1,80})" is not defined|Don't know how to build task '(?<rake>[^'\n]{1,80})'|bad flag syntax: (?<syntax>\S{1,120})|failed to decode configuration from flags: field not found, node: (?<field>\S{1,120})|invalid (?:value|argument) "(?<value>[^"\n]{0,120})" for (?:flag )?"?(?<flag>-{1,2}[\w.-]{1,80}))/i;
const unknown = line(LITERALS, ['container-log', 'prose', 'pod-status'], PATTERN);
// No channel: whose words they are stands in the proof itself.
const ofControlPlane = line(LITERALS, [], PATTERN);
/** kubectl, helm and other tools complain of what somebody typed. */
const ofTool = line(
  ["see 'kubectl", 'kubectl options', "Run 'kubectl", "See 'kubectl", 'helm help', 'kubeadm '],
  [],
  /[Ss]ee 'kubectl|[Rr]un 'kubectl|kubectl options|helm help|unknown (?:shorthand )?flag: [^\n]{0,80}kubeadm|^kubeadm /m,
);

export const cause = defineCause({
  id: 'app-argument-unknown',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Unknown argument',
    title: '{container} does not know the argument {argument}',
    why: '{container} is started with {argument}, and its program knows no such flag or option: args of another version of the image (a flag that was removed, renamed or not there yet), a typing error, or an option meant for another program. It prints its usage and ends at once, every time.',
  },

  clues: {
    unknown: proves(unknown, byContainers),
    ofTool: excludes(ofTool),
    ofControlPlane: excludes(ofControlPlane, ({ about }) => /\/kube-(?:apiserver|controller-manager|scheduler)(?:-|\/|$)/.test(about)),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    unknown: 'its program refuses {argument}',
    ofTool: 'a tool says it of a command somebody typed',
    ofControlPlane: 'it is a program of the control plane, set up by its manifest on the node',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { unknown: refused }) => {
    const flag = refused?.fields['flag'];
    const argument = flag ? `${flag}=${refused?.fields['value'] ?? ''}` : Object.values(refused?.fields ?? {})[0];
    return { ...namesOf(place), argument: argument ?? 'one of its arguments' };
  },

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'command, args and image of {container}',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A12 'image:|command:|args:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Take {argument} out, spell it as this version knows it, or use the image version the args were written for',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'manifest or chart and image must be of the same release: the usage in the log lists what this one knows',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        {
          say: 'an option of Java may also come from JAVA_OPTS, JAVA_TOOL_OPTIONS or the start script: newer versions have removed many (UseCGroupMemoryLimitForHeap, MaxPermSize, UseConcMarkSweepGC, PrintGCDateStamps); remove it there, limits of containers are honoured without it',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A1 'JAVA|JVM|_OPTS'",
          on: 'cluster',
        },
      ],
      verified: '{container} starts and writes more than its usage',
    },
    {
      say: 'Go back to the last version that worked',
      risk: 'restarts-pods',
      steps: [
        { say: 'if it worked before the last rollout, go back', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} starts and writes more than its usage',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Go flag package', 'spf13/pflag', 'Python argparse', 'glibc getopt'],
});
