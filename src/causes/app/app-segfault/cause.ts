import { defineCause, excludes, isOneOf, isWell, line, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

const kernelSays = line(
  ['segfault at ', 'general protection fault'],
  'kernel-log',
  /(?<process>[\w./:-]{1,64})\[\d{1,10}\]:? (?:segfault at [0-9a-f]{1,18}(?: ip [0-9a-f]{1,18} sp [0-9a-f]{1,18} error [0-9a-f]{1,4})?|general protection fault(?: ip:[0-9a-f]{1,18} sp:[0-9a-f]{1,18} error:[0-9a-f]{1,4})?)(?: in (?<library>[\w.+/-]{1,100})\[)?/i,
);
// A nil pointer in Go speaks of SIGSEGV too, but is a panic of the program with a stack of its own.
const itselfSays = line(
  ['Segmentation fault', '(SIGSEGV)'],
  'container-log',
  /^(?![\s\S]{0,300}(?:panic: runtime error|\[signal SIGSEGV: segmentation violation))[\s\S]{0,400}?(?:Segmentation fault|SIGSEGV)/i,
);
const SEGFAULT = 139;
const SIGSEGV = 11;

export const cause = defineCause({
  id: 'app-segfault',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready'],
  wakesOn: [on('container.terminated', { exitCode: SEGFAULT }), on('container.terminated', { signal: SIGSEGV })],

  text: {
    name: 'Segmentation fault',
    title: '{container} crashes with a segmentation fault (SIGSEGV, exit code 139){library}',
    why: 'The program of {container} touches memory it does not own and the kernel ends it with SIGSEGV; 139 is 128 + 11. That is a fault of native code: a bug, a library that does not fit (musl and glibc mixed, another CPU or driver version), or, when different programs of one node do it, bad memory of that machine.',
  },

  clues: {
    suffers: needs('pod.symptom', isOneOf('crash-loop', 'restarts', 'failed', 'not-ready')),
    ended: proves('container.terminated', ({ exitCode, signal, init }) => init !== true && (exitCode === SEGFAULT || signal === SIGSEGV)),
    kernelSays: supports(kernelSays),
    itselfSays: supports(itselfSays),
    killed: excludes('pod.event', ({ reason }) => reason === 'Killing'),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    suffers: 'the container ends and is restarted',
    ended: 'it ends with exit code 139: SIGSEGV',
    kernelSays: 'the kernel logs a segfault of {process}{library}',
    itselfSays: 'its log speaks of a segmentation fault',
    killed: 'the kubelet stops it; it does not end by itself',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { kernelSays: kernel }) => ({
    ...namesOf(place),
    process: kernel?.fields['process'] ?? 'its program',
    library: kernel?.fields['library'] ? ` in ${kernel.fields['library']}` : '',
  }),

  fixes: [
    {
      say: 'See where it crashes, and whether other programs of the node do',
      risk: 'reads-only',
      steps: [
        {
          say: 'its last words',
          run: 'kubectl -n {{namespace}} logs {{target}} -c {{container}} --previous --tail=50',
          on: 'cluster',
        },
        {
          say: 'the kernel names the library; several programs, or mce and EDAC lines, mean bad memory',
          run: "journalctl -k --no-pager | grep -iE 'segfault|protection fault|mce:|EDAC' | tail -20",
          on: 'node',
        },
      ],
    },
    {
      say: 'Go back to the image that worked, or to one whose libraries fit',
      risk: 'restarts-pods',
      steps: [
        { say: 'the version before', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' },
        { say: 'do not mix musl (Alpine) with binaries built for glibc; build for the CPU of the nodes' },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: 'its restart count stays the same for 10 minutes',
    },
    {
      say: 'If only one node shows it, with different programs: take that node out and test its memory',
      risk: 'moves-pods',
      steps: [{ say: 'no new pods there', run: 'kubectl cordon NODE', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['signal(7)', 'linux arch/x86/mm/fault.c (show_signal_msg)'],
});
