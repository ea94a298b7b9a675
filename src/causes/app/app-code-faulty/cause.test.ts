import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const logs = (text: string) => ({ 'till.log': `$ kubectl -n shop logs till-5d8f7c9b6-x2x4z\n${text}\n` });
const found = (text: string) => ({ evidence: logs(text), confidence: 'possible' as const });
const pods = `NAME                   READY   STATUS             RESTARTS      AGE
till-5d8f7c9b6-x2x4z   0/1     CrashLoopBackOff   9 (21s ago)   22m
`;
const nil = `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6c3f2a]

goroutine 1 [running]:
till/internal/drawer.(*Drawer).Open(0x0)
\t/src/internal/drawer/drawer.go:42 +0x1a
main.main()
\t/src/main.go:17 +0x2b`;

testCause(cause, {
  finds: {
    'nil in Go, in a loop': {
      evidence: { 'pods.txt': `$ kubectl -n shop get pods\n${pods}`, ...logs(nil) },
      confidence: 'possible',
      place: 'Deployment shop/till',
      cites: ['till.log:2'],
      victims: 1,
    },
    'a map in Go': found('fatal error: concurrent map writes\n\ngoroutine 44 [running]:\nmain.main()\n\t/src/main.go:9 +0x2b'),
    'a value of undefined': found(
      "TypeError: Cannot read properties of undefined (reading 'drawers')\n    at open (/app/dist/till.js:44:18)\n    at Object.<anonymous> (/app/dist/till.js:90:1)\n\nNode.js v18.19.0",
    ),
    'a value of undefined, with a code': found(
      'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined\n    at open (/app/dist/till.js:44:18)',
    ),
    'a file Node.js cannot read': found(
      "/app/till.js:12\nconst drawer = ;\n               ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe (internal/modules/cjs/loader.js:1001:16)",
    ),
    'an attribute in Python': found(
      'Traceback (most recent call last):\n  File "/app/till.py", line 14, in <module>\n    run(drawer)\n  File "/app/till.py", line 9, in run\n    return drawer.opne\nAttributeError: \'Drawer\' object has no attribute \'opne\'',
    ),
    'null in Java': found(
      'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "drawer" is null\n\tat shop.till.Till.main(Till.java:12)',
    ),
    'null in .NET': found(
      'Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.\n   at Till.Program.Main(String[] args) in /src/Program.cs:line 12',
    ),
    PHP: found(
      'PHP Fatal error:  Uncaught TypeError: strlen(): Argument #1 ($string) must be of type string, null given in /var/www/html/till.php:9',
    ),
    Ruby: found("/app/lib/till.rb:12:in `open': undefined method `name' for nil:NilClass (NoMethodError)"),
    Rust: found("thread 'main' panicked at src/main.rs:12:5:\nindex out of bounds: the len is 3 but the index is 7"),
  },
  rulesOut: {
    'the pod is well': {
      evidence: {
        'pods.txt':
          '$ kubectl -n shop get pods\nNAME                   READY   STATUS    RESTARTS   AGE\ntill-5d8f7c9b6-x2x4z   1/1     Running   0          22m\n',
        ...logs(nil),
      },
      by: 'well',
    },
    'killed for memory': {
      evidence: {
        'pods.txt':
          '$ kubectl -n shop get pods\nNAME                   READY   STATUS      RESTARTS      AGE\ntill-5d8f7c9b6-x2x4z   0/1     OOMKilled   9 (21s ago)   22m\n',
        ...logs(nil),
      },
      by: 'oom',
    },
    'over since days': {
      evidence: {
        'pods.txt':
          '$ kubectl -n shop get pods\nNAME                   READY   STATUS    RESTARTS      AGE\ntill-5d8f7c9b6-x2x4z   1/1     Running   2 (40d ago)   41d\n',
        ...logs(nil),
      },
      by: 'over',
    },
  },
  asks: { 'how the pod is': { evidence: logs(nil), for: 'pod.status' } },
});
