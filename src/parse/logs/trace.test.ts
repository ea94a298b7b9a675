import { describe, expect, it } from 'vitest';
import { readError } from '../scan/errors.ts';
import { readText } from './testing-sink.ts';

/** Traces as the runtimes of these languages print them, and the words at their bottom. */
const TRACES: readonly (readonly [language: string, text: string, innermost: string])[] = [
  [
    'Go',
    'panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6a1b2c]\n\ngoroutine 1 [running]:\nmain.(*Server).Start(0x0, {0xc0000b4000, 0x5})\n\t/src/server.go:42 +0x1c\nmain.main()\n\t/src/main.go:17 +0x85\nexit status 2',
    'panic: runtime error: invalid memory address or nil pointer dereference',
  ],
  [
    'Go, of the runtime',
    'fatal error: concurrent map writes\n\ngoroutine 34 [running]:\nruntime.throw({0x7a1b2c, 0x15})\n\t/usr/local/go/src/runtime/panic.go:1198 +0x71\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/usr/local/go/src/net/http/server.go:3086 +0x5cb',
    'concurrent map writes',
  ],
  [
    'Rust, without a note',
    "thread 'main' panicked at src/main.rs:12:5:\nindex out of bounds: the len is 3 but the index is 7",
    'the len is 3 but the index is 7',
  ],
  [
    'Java',
    'Exception in thread "main" org.example.BeanCreationException: Error creating bean\n\tat org.example.Factory.make(Factory.java:1804)\nCaused by: com.example.PoolException: Failed to initialize pool\n\t... 26 common frames omitted\nCaused by: java.net.ConnectException: Connection refused\n\tat java.base/sun.nio.ch.Net.pollConnect(Native Method)\n\t... 38 more',
    'java.net.ConnectException: Connection refused',
  ],
  [
    'Java, a bare exception',
    'java.lang.OutOfMemoryError: Java heap space\n\tat java.base/java.util.Arrays.copyOf(Arrays.java:3745)',
    'java.lang.OutOfMemoryError: Java heap space',
  ],
  [
    'Python',
    'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n    import flask\nModuleNotFoundError: No module named \'flask\'',
    "ModuleNotFoundError: No module named 'flask'",
  ],
  [
    'Python, a chain',
    'Traceback (most recent call last):\n  File "/a.py", line 1, in f\n    connect()\nConnectionRefusedError: [Errno 111] Connection refused\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "/b.py", line 9, in <module>\n    f()\nstore.errors.StoreError: no store at db:5432',
    'store.errors.StoreError: no store at db:5432',
  ],
  [
    'Python, of its parser',
    '  File "/app/main.py", line 12\n    print "x"\n          ^\nSyntaxError: Missing parentheses in call',
    'SyntaxError: Missing parentheses in call',
  ],
  [
    'Node',
    "node:internal/modules/cjs/loader:1078\n  throw err;\n  ^\n\nError: Cannot find module '/app/server.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1075:15)\n    at node:internal/main/run_main_module:23:47 {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v18.16.0",
    "Cannot find module '/app/server.js'",
  ],
  [
    'Node, an error alone',
    "TypeError: Cannot read properties of undefined (reading 'host')\n    at connect (/app/db.js:7:22)",
    "TypeError: Cannot read properties of undefined (reading 'host')",
  ],
  [
    'Node, out of memory',
    '<--- Last few GCs --->\n\n[1:0x5581d0]    34567 ms: Mark-sweep 509.8 (522.1) -> 509.1 (522.3) MB\n\n<--- JS stacktrace --->\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n 1: 0xb095c0 node::Abort() [node]\nAborted (core dumped)',
    'Reached heap limit Allocation failed - JavaScript heap out of memory',
  ],
  [
    'Rust before 1.73',
    "thread 'main' panicked at 'cannot open the store', src/main.rs:14:37\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    'cannot open the store',
  ],
  [
    'Rust',
    "thread 'main' panicked at src/main.rs:14:37:\ncannot open the store\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    'cannot open the store',
  ],
  [
    'Rust, a chain',
    'Error: failed to load config\n\nCaused by:\n    0: cannot open /etc/app.toml\n    1: No such file or directory (os error 2)',
    'cannot open /etc/app.toml: No such file or directory (os error 2)',
  ],
  [
    '.NET',
    'Unhandled exception. System.InvalidOperationException: Failed to start host\n ---> System.Net.Sockets.SocketException (98): Address already in use\n   at System.Net.Sockets.Socket.Bind(EndPoint localEP)\n   --- End of inner exception stack trace ---\n   at Program.Main(String[] args) in /src/Program.cs:line 12',
    'System.Net.Sockets.SocketException (98): Address already in use',
  ],
  [
    'C++',
    "terminate called after throwing an instance of 'std::runtime_error'\n  what():  cannot map /dev/shm/x\nAborted (core dumped)",
    'cannot map /dev/shm/x',
  ],
  ['C', "app: src/main.c:12: main: Assertion `fd >= 0' failed.\nAborted (core dumped)", "Assertion `fd >= 0' failed."],
  ['C, of the allocator', 'malloc(): corrupted top size\nAborted', 'malloc(): corrupted top size'],
  [
    'Ruby',
    "/gems/pg/connection.rb:696:in `connect': could not reach the store (PG::ConnectionBad)\n\tfrom /app/app.rb:3:in `<main>'",
    'could not reach the store (PG::ConnectionBad)',
  ],
  [
    'PHP',
    'PHP Fatal error:  Uncaught PDOException: no store in /app/index.php:3\nStack trace:\n#0 {main}\n  thrown in /app/index.php on line 3',
    'PDOException: no store in /app/index.php:3',
  ],
];

describe('stack traces', () => {
  for (const [language, text, innermost] of TRACES) {
    const count = text.split('\n').length;

    it(`of ${language} are one line of a log, pasted alone`, () => {
      const heard = readText(text);
      expect(heard.end).toBe(count);
      expect(heard.sayings).toHaveLength(1);
      expect(heard.sayings[0]).toMatchObject({ channel: 'container-log', last: true });
      expect(heard.sayings[0]?.cited.at.lines).toEqual([1, count]);
      expect(readError(heard.sayings[0]?.text ?? '', heard.sayings[0]?.level)?.innermost).toContain(innermost);
    });

    it(`of ${language} are one line where each of their lines is stamped`, () => {
      const stamped = text.split('\n').map((line, index) => `2024-05-02T09:11:12.${String(index).padStart(9, '0')}Z stderr F ${line}`);
      const heard = readText([...stamped, '2024-05-02T09:11:13.000000001Z stdout F and on it goes'].join('\n'), {
        pod: 'Pod/shop/web-1',
        container: 'app',
      });
      expect(heard.sayings.map(({ cited }) => cited.at.lines)).toEqual([
        [1, count],
        [count + 1, count + 1],
      ]);
      expect(heard.sayings[0]?.about).toBe('Container/shop/web-1/app');
      expect(readError(heard.sayings[0]?.text ?? '', heard.sayings[0]?.level)?.innermost).toContain(innermost);
    });

    it(`of ${language} are one line within a log`, () => {
      const log = `2024-05-02T09:11:12Z INFO starting\n${text}\n2024-05-02T09:11:13Z INFO the end`;
      const heard = readText(log, { channel: 'container-log' });
      expect(heard.sayings).toHaveLength(3);
      expect(heard.sayings[1]?.cited.at.lines).toEqual([2, count + 1]);
    });
  }

  it('do not start in sentences, nor with an error that any program may print', () => {
    for (const text of [
      'Error: something is wrong',
      'Aborted',
      'The Error is here: look',
      '/etc/app.conf:12',
      'free memory is low',
      'TypeError: x',
    ]) {
      expect(readText(`${text}\nand more words`).end).toBe(0);
    }
  });

  it('take no more time than their length asks for', () => {
    const started = performance.now();
    for (const [, text] of TRACES) {
      const first = text.split('\n', 1)[0] ?? '';
      readText(Array.from({ length: 1000 }, () => first).join('\n'));
      readText(`${first}${' ('.repeat(20_000)}`, { channel: 'container-log' });
      readText(`${text}\n`.repeat(100), { channel: 'container-log' });
      readText(Array.from({ length: 1000 }, () => `2024-05-02T09:11:12.123456789Z stderr F ${first}`).join('\n'));
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
