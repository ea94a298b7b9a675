import { bytes, defineCause, excludes, isOneOf, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const javaHeap = line(
  'java.lang.OutOfMemoryError',
  'container-log',
  /OutOfMemoryError: (?<space>Java heap space|GC overhead limit exceeded|Metaspace|Compressed class space|(?:Cannot reserve \d{1,15} bytes of )?[Dd]irect buffer memory|Requested array size exceeds VM limit)/,
);
const scriptHeap = line(
  ['heap out of memory', 'Reached heap limit', 'mark-compacts near heap limit', 'Allowed memory size of'],
  'container-log',
  /(?<space>JavaScript heap out of memory|Reached heap limit|Ineffective mark-compacts near heap limit|Allowed memory size of \d{1,15} bytes exhausted)/,
);
const cannotReserve = line(
  [
    'Could not reserve enough space',
    'insufficient memory for the Java Runtime',
    'set to a larger value than the maximum heap',
    'Too small maximum heap',
    'exceeds the maximum representable size',
    'GC heap initialization failed',
    'HRESULT: 0x8007000E',
    'os::commit_memory(',
    'fatal error: runtime: out of memory',
    'runtime: cannot allocate memory',
  ],
  'container-log',
  /(?<space>Could not reserve enough space|insufficient memory for the Java Runtime Environment|(?:Initial|Minimum) heap size set to a larger value than the maximum heap size|Too small maximum heap|exceeds the maximum representable size|GC heap initialization failed|Failed to create CoreCLR, HRESULT: 0x8007000E|os::commit_memory\([^\n)]{1,80}\) failed; error='(?:Not enough space|Cannot allocate memory)'|fatal error: runtime: (?:out of memory|cannot allocate memory))/i,
);
const threads = line(['unable to create native thread', 'unable to create new native thread'], 'container-log');
const FLAG = /-Xm[xs]\S{1,20}|-XX:MaxRAMPercentage=\S{1,10}|--max[-_]old[-_]space[-_]size=\d{1,10}/;

/** Runtimes other than those of Java and JavaScript, and what sets the size of their memory. */
const OTHERS: readonly (readonly [RegExp, { readonly by: string; readonly variable: string }])[] = [
  [/^Allowed memory size/, { by: 'memory_limit of php.ini', variable: 'PHP_MEMORY_LIMIT=SIZE' }],
  [/^fatal error: runtime/, { by: 'what the kernel gives it', variable: 'GOMEMLIMIT=SIZE' }],
  [/CoreCLR|^GC heap/, { by: 'the memory .NET sees', variable: 'DOTNET_GCHeapHardLimitPercent=0x46' }],
];

export const cause = defineCause({
  id: 'app-heap-vs-limit-misfit',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash'],

  text: {
    name: 'Heap does not fit',
    title: '{container} runs out of its own heap: {space} ({flag}, memory limit {limit})',
    why: 'Not the kernel but the language runtime of {container} stops it: its heap is full ({space}). The heap is sized by {flag}, which does not fit what the program needs or what the memory limit ({limit}) allows.',
  },

  clues: {
    javaHeap: proves(javaHeap),
    scriptHeap: proves(scriptHeap),
    cannotReserve: proves(cannotReserve),
    flag: supports('container.spec', ({ command, args }) => FLAG.test(`${command ?? ''} ${args ?? ''}`)),
    limit: supports('container.memory-limit'),
    killed: excludes('pod.symptom', isOneOf('oom')),
    threads: excludes(threads),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    javaHeap: 'the Java virtual machine is out of memory: {space}',
    scriptHeap: 'the language runtime is out of heap: {space}',
    cannotReserve: 'the heap it is told to use does not fit: {space}',
    flag: 'its heap is set by {flag}',
    limit: 'its memory limit is {limit}',
    killed: 'the kernel kills it at its memory limit: the limit is what is too small',
    threads: 'it cannot create threads: a limit of processes, not of memory',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { javaHeap: java, scriptHeap: script, cannotReserve: reserve, flag, limit }) => {
    const space = (java ?? script ?? reserve)?.fields['space'] ?? 'heap space';
    const other = java === undefined ? OTHERS.find(([said]) => said.test(space))?.[1] : undefined;
    const isNode = script !== undefined && java === undefined && other === undefined;
    const isFlagged = FLAG.test(`${flag?.command ?? ''} ${flag?.args ?? ''}`) || reserve !== undefined;
    const megabytes = limit ? Math.floor((limit.bytes * 0.7) / 1024 ** 2) : undefined;
    return {
      ...namesOf(place),
      named: place.name.includes(' ') ? '' : place.name,
      // A heap set on the command line wins over the environment.
      heapVariable: isFlagged || other ? '' : isNode ? 'NODE_OPTIONS' : 'JAVA_TOOL_OPTIONS',
      heapOption: !isNode ? '-XX:MaxRAMPercentage=70' : megabytes === undefined ? '' : `--max-old-space-size=${megabytes}`,
      space,
      flag:
        FLAG.exec(`${flag?.command ?? ''} ${flag?.args ?? ''}`)?.[0] ??
        other?.by ??
        (isNode ? "the runtime's own default" : "the runtime's default, a quarter of the memory it sees"),
      limit: limit ? bytes(limit.bytes) : 'not known',
      variable: other?.variable ?? (isNode ? 'NODE_OPTIONS=--max-old-space-size=MEGABYTES' : 'JAVA_TOOL_OPTIONS=-XX:MaxRAMPercentage=70'),
    };
  },

  fixes: [
    {
      say: 'See limit, heap settings and real use',
      risk: 'reads-only',
      steps: [
        {
          say: 'limits and flags',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A6 'limits:|JAVA|NODE_OPTIONS|Xmx|MaxRAM'",
          on: 'cluster',
        },
        { say: 'what it uses now', run: 'kubectl -n {{namespace}} top pods --containers', on: 'cluster' },
      ],
    },
    {
      say: 'Set the heap of {container} to 50-75 % of its memory limit, and raise the limit if the heap needs more',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the heap, by environment',
          run: 'kubectl -n {{namespace}} set env {{target}} -c {{container}} {{variable}}',
          on: 'cluster',
        },
        { say: 'the limit', run: 'kubectl -n {{namespace}} set resources {{target}} -c {{container}} --limits=memory=SIZE', on: 'cluster' },
        { say: 'old Java (before 8u372, 11.0.16, 15) does not see cgroup v2 limits: update it, or set -Xmx by hand' },
      ],
      changes: [{ do: 'workload-set', container: '{{named}}', field: 'env.{{heapVariable}}', value: '{{heapOption}}' }],
      verified: 'no out-of-memory line through one full load cycle',
    },
  ],

  verify: { quietForMinutes: minutes(60) },
  sources: [
    'JDK java.lang.OutOfMemoryError, JDK-8230305 (cgroup v2)',
    'nodejs/node deps/v8 (heap limit), --max-old-space-size',
    'php memory_limit',
  ],
});
