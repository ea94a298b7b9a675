import { byContainers, defineCause, excludes, isOneOf, isWell, line, minutes, namesOf, supports, withContext } from '../../define-cause.ts';

/** Where it happens, as each language writes it; of Python the last place, of the others the first of its own. */
const PLACES: readonly RegExp[] = [
  /\n\t(?!\/usr\/(?:local\/)?(?:lib\/)?go[\w.-]{0,10}\/src\/)(?<go>\/?[^\s:]{1,200}\.go:\d{1,7})/,
  /\n {2,12}at (?:[^\n(]{1,200} \()?(?!node:|internal\/|[^\n]{0,200}node_modules)(?<script>(?:file:\/\/)?\/[^\s():]{1,200}:\d{1,7})/,
  /\n\s{1,8}at (?!java\.|jdk\.|sun\.)(?<java>[\w.$]{3,200}\([\w.$]{1,80}(?::\d{1,7})?\))/,
  / in (?<net>\/[^\s:]{1,200}):line \d{1,7}/,
  /^(?<source>\/[^\s:]{1,200}\.[cm]?[jt]s:\d{1,7})\n/,
];
const PYTHON_PLACE = /File "(?<python>[^"\n]{1,200})", line (?<row>\d{1,7})/;

/** Mistakes of the code itself, in the words of each language; what a program says of its surroundings in the same form is left out. */
const ERRORS: readonly RegExp[] = [
  /panic: (?<panic>runtime error: (?:invalid memory address or nil pointer dereference|index out of range|slice bounds out of range|integer divide by zero|makeslice|hash of unhashable|comparing uncomparable)[^\n]{0,80}|assignment to entry in nil map|interface conversion: [^\n]{1,160}|(?:close of|send on) (?:closed|nil) channel|reflect: [^\n]{1,120}|sync: [^\n]{1,80})/,
  /fatal error: (?<fatal>concurrent map [^\n]{1,60}|all goroutines are asleep - deadlock!|sync: [^\n]{1,80})/,
  /(?:^|\n|Uncaught )(?<script>SyntaxError: (?!Unexpected (?:token|end|non)[^\n]{0,80}JSON)(?![^\n]{0,120}(?:JSON|parsing YAML))[^\n]{1,160}|ReferenceError: [^\n]{1,120}|TypeError(?: \[(?!ERR_INVALID_URL)\w{1,60}\])?: (?!fetch failed|Failed to fetch|Invalid URL|Failed to parse URL|Cannot create proxy)[^\n]{1,160}|RangeError: Maximum call stack size exceeded)/,
  /(?:^|\n)(?<python>(?:SyntaxError|IndentationError|TabError|NameError|AttributeError|IndexError|UnboundLocalError|ZeroDivisionError|RecursionError|NotImplementedError|AssertionError): ?[^\n]{0,160})/,
  /(?:Exception in thread "[^"\n]{1,80}" |Caused by: )(?<java>java\.lang\.(?:NullPointerException|ClassCastException|ArrayIndexOutOfBoundsException|StringIndexOutOfBoundsException|ArithmeticException|StackOverflowError|IndexOutOfBoundsException)[^\n]{0,160})/,
  /Unhandled [Ee]xception[.:] (?<net>System\.(?:NullReferenceException|InvalidCastException|IndexOutOfRangeException|DivideByZeroException|NotImplementedException|StackOverflowException)[^\n]{0,160})/,
  /(?:Fatal error: {1,2}Uncaught |Parse error: {1,2})(?<php>(?:TypeError|ArgumentCountError|ParseError|Error): [^\n]{1,160}|syntax error, [^\n]{1,160})/,
  /(?<![\w./-])(?<ruby>[\w./-]{1,200}\.rb:\d{1,7}:in [^\n]{1,300}\((?:NoMethodError|NameError|TypeError|ArgumentError|SyntaxError|FrozenError|ZeroDivisionError)\))/,
  /panicked at (?:'(?<rustOld>(?:index out of bounds|attempt to |called `Option::unwrap|explicit panic|assertion |not (?:yet )?implemented|internal error)[^\n]{1,160})|(?<rustAt>[\w./-]{1,200}:\d{1,7}:\d{1,5}):\n(?<rust>(?:index out of bounds|attempt to |called `Option::unwrap|explicit panic|assertion |not (?:yet )?implemented|internal error|byte index)[^\n]{1,160}))/,
  /(?<![\w./-])(?<native>[\w./-]{1,100}: [\w./-]{1,200}:\d{1,7}: [^\n]{1,200}: Assertion `[^\n]{1,160}' failed)/,
];
const fault = line(
  [
    'panic: runtime error',
    'panic: assignment to entry in nil map',
    'panic: interface conversion',
    'panic: close of ',
    'panic: send on ',
    'panic: reflect: ',
    'fatal error: concurrent map',
    'goroutines are asleep',
    'SyntaxError: ',
    'ReferenceError: ',
    'TypeError: ',
    'TypeError [ERR_',
    'RangeError: Maximum',
    'IndentationError: ',
    'TabError: ',
    'NameError: ',
    'AttributeError: ',
    'IndexError: ',
    'UnboundLocalError: ',
    'ZeroDivisionError: ',
    'RecursionError: ',
    'NotImplementedError',
    'AssertionError',
    'NullPointerException',
    'ClassCastException',
    'OutOfBoundsException',
    'ArithmeticException',
    'StackOverflowError',
    'NullReferenceException',
    'InvalidCastException',
    'IndexOutOfRangeException',
    'Fatal error: ',
    'Parse error: ',
    '(NoMethodError)',
    '(NameError)',
    '(TypeError)',
    '(ArgumentError)',
    '(SyntaxError)',
    "' panicked at ",
    ': Assertion `',
  ],
  ['container-log', 'prose', 'pod-status'],
  withLastPlace(withContext(new RegExp(ERRORS.map(({ source }) => renamed(source)).join('|')), { may: PLACES })),
);

/** Groups of errors keep their own names beside those of places. */
function renamed(source: string): string {
  return source.replace(/\(\?<(\w{1,20})>/g, '(?<said_$1>');
}
/** Of Python the innermost call stands last; looked for once, from the end. */
function withLastPlace({ source, flags }: RegExp): RegExp {
  return new RegExp(`^(?=(?:[\\s\\S]*${PYTHON_PLACE.source})?)${source.slice(1)}`, flags);
}

export const cause = defineCause({
  id: 'app-code-faulty',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  // Code that is not ready for what it meets trips over these first.
  effectOf: [
    'app-config-file-invalid',
    'app-credentials-rejected',
    'app-data-damaged',
    'app-data-of-other-version',
    'app-database-connections-exhausted',
    'app-database-migration-fails',
    'app-database-schema-missing',
    'app-dependency-unreachable',
    'app-file-missing',
    'app-filesystem-permission',
    'app-module-missing',
    'app-root-filesystem-read-only',
    'app-runtime-of-other-version',
    'app-setting-invalid',
    'app-setting-missing',
    'app-tls-peer-untrusted',
    'cluster-dns-unanswered',
    'crd-missing',
    'data-volume-full',
    'rbac-denied-in-app',
  ],

  text: {
    name: 'Fault in the code of the program',
    title: '{container} crashes on a bug of its own code: {error}{at}',
    why: 'The program of {container} ends with {error}{at}: a mistake that its own code makes, which every replica repeats on any node. Kubernetes, the node and the image pull are well. Either this version of the image is faulty, or a library in it has another version than the code was written for, or the code does not expect a value it is given (an empty setting, an unusual answer).',
  },

  clues: {
    fault: supports(fault, byContainers),
    oom: excludes('pod.symptom', isOneOf('oom')),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    fault: 'its own code fails: {error}',
    oom: 'the kernel kills it for memory',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { fault: said }) => {
    const fields = said?.fields ?? {};
    const told = Object.entries(fields).find(([name]) => name.startsWith('said_') && name !== 'said_rustAt')?.[1];
    const python = fields['python'] === undefined ? undefined : `${fields['python']}:${fields['row']}`;
    const spot = fields['said_rustAt'] ?? fields['source'] ?? fields['go'] ?? fields['script'] ?? fields['java'] ?? fields['net'] ?? python;
    return {
      ...namesOf(place),
      error: told?.trim().replace(/\s+/g, ' ').slice(0, 140) ?? 'an error of its code',
      at: spot === undefined ? '' : ` (${spot})`,
    };
  },

  fixes: [
    {
      say: 'See the whole stack trace and which version came last',
      risk: 'reads-only',
      steps: [
        { say: 'the stack trace of the run before', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=80', on: 'cluster' },
        { say: 'what the last rollouts changed', run: 'kubectl -n {{namespace}} rollout history {{target}}', on: 'cluster' },
      ],
    },
    {
      say: 'Go back to the last image that worked, and give the stack trace to those who wrote the program',
      risk: 'restarts-pods',
      steps: [{ say: 'the version before', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: 'its restart count stays the same for 10 minutes',
    },
    {
      say: 'It never worked here: check the settings the failing place reads, and fix the versions of its libraries',
      risk: 'restarts-pods',
      steps: [
        { say: 'what is set: env, envFrom and mounted files', run: 'kubectl -n {{namespace}} describe {{target}}', on: 'cluster' },
        { say: 'a newer version of the program may know the fault: search its tracker for the error, and build with pinned dependencies' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Go src/runtime/panic.go', 'CPython Lib/traceback.py', 'V8 src/common/message-template.h', 'Rust library/std/src/panicking.rs'],
});
