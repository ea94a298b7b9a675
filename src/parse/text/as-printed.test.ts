import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asPrinted } from './as-printed.ts';
import { JOINED } from './wrapped-lines.ts';

const text = (...lines: readonly string[]) => lines.join('\n');

describe('what pages and editors do to characters', () => {
  it.each([
    [
      'typographic quotes',
      'due to: ‘selfLink was empty, can’t make reference’ of “nfs-client”',
      `due to: 'selfLink was empty, can't make reference' of "nfs-client"`,
    ],
    ['spaces that do not break', 'NAME\u00a0\u00a0READY', 'NAME  READY'],
    ['ideographic spaces', '\u3000\u3000mount failed', '    mount failed'],
    [
      'full-width punctuation between words of a program',
      'mount failed：exit status 32（code 1），retrying',
      'mount failed: exit status 32(code 1), retrying',
    ],
    ['entities', 'pod &quot;web&quot; has &lt;none&gt; &amp; waits &#39;now&#39;', `pod "web" has <none> & waits 'now'`],
    ['dashes of options', 'kubelet —config=/etc/kubelet.yaml', 'kubelet --config=/etc/kubelet.yaml'],
    ['rules under a header', '  ——  ———', '  ----  ------'],
    ['escapes of Markdown', 'VLLM\\_PORT is \\<none\\>', 'VLLM_PORT is <none>'],
    ['tags around a line', '<p>mount failed: exit status 32</p>', 'mount failed: exit status 32'],
    [
      'a cell of an exported sheet',
      '"W0304 08:10:57.118402      12 dispatcher.go:191] Failed calling webhook, failing closed ""policy.example"": no endpoints"',
      'W0304 08:10:57.118402      12 dispatcher.go:191] Failed calling webhook, failing closed "policy.example": no endpoints',
    ],
    ['a quoted word that is no cell', '"W0304" is its "name"', '"W0304" is its "name"'],
    [
      'a break at the end',
      '  Warning  Failed  3s  kubelet  Error: ErrImagePull<br/>',
      '  Warning  Failed  3s  kubelet  Error: ErrImagePull',
    ],
    ['colours of a page', '<span class="s">Error</span>: no', 'Error: no'],
    [
      'a line somebody pointed at',
      '  **Warning  FailedMount  3s  kubelet  mount failed**',
      '  Warning  FailedMount  3s  kubelet  mount failed',
    ],
    ['a log line in a list', '- `E0612 08:53:31.434733  261 memcache.go:265] no`', 'E0612 08:53:31.434733  261 memcache.go:265] no'],
    ['a log line in a comment', '# E0612 08:53:31.434733  261 memcache.go:265] no', 'E0612 08:53:31.434733  261 memcache.go:265] no'],
    ['a text that begins with a prompt', '[root@birch ~]# echo &lt;none&gt;', '[root@birch ~]# echo <none>'],
    ['a line as code', '`Error: cannot open the file of the lamp`', 'Error: cannot open the file of the lamp'],
  ])('%s', (_, given, printed) => {
    expect(asPrinted(given)).toBe(printed);
  });

  it.each([
    ['quotes of another language', '他说“好的”，然后走了（真的）。'],
    ['a colon before what a program said', '报错：Failed to open the lamp'],
    ['a page that a program printed', 'invalid character: <html><h1>403 Forbidden</h1></html>'],
    ['what only looks like a tag', 'Labels: <none>  Reason: <nil>  Age: <unknown>'],
    ['an entity nobody can see', 'a &#8238; b &#27; c'],
    ['a heading', '**Symptoms**'],
    ['a list of what may be wrong', '- Failed to pull image: check the tag\n# What to do'],
    ['escapes of a program', 'msg="a\\tb \\"c\\" d\\_e"'],
    ['an object', '{"message": "&quot;quoted&quot;"}'],
    ['a manifest', 'apiVersion: v1\nkind: Pod\nmessage: “a”'],
  ])('leaves %s as it is', (_, given) => {
    expect(asPrinted(given)).toBe(given);
  });
});

describe('margins', () => {
  const output = [
    'NAME    READY   STATUS    RESTARTS   AGE',
    'web-0   0/1     Pending   0          3m',
    '',
    'Events:',
    '  Warning  FailedScheduling  3m  default-scheduler  no',
  ];

  it.each([
    ['quote marks', (line: string) => `> ${line}`],
    ['a bar', (line: string) => `│ ${line}`],
    ['a box', (line: string) => `│ ${line.padEnd(90)} │`],
    ['line numbers', (line: string, at: number) => `${String(at + 1).padStart(3)}  ${line}`],
    ['numbers and tabs', (line: string, at: number) => `${String(at + 41).padStart(6)}\t${line}`],
    ['numbers and bars', (line: string, at: number) => `${at + 9} | ${line}`],
    ['numbers and colons', (line: string, at: number) => `${at + 1}: ${line}`],
  ])('%s', (_, mark) => {
    const printed = asPrinted(output.map(mark).join('\n')).split('\n');
    expect(printed.map((line) => line.trimEnd())).toEqual(output);
  });

  it.each([
    [
      'a list that counts by itself',
      text(
        '1: lo    inet 127.0.0.1/8 scope host lo',
        '2: eth0    inet 10.0.2.15/24 scope global eth0',
        '3: eth1    inet 10.1.0.2/24 scope global',
        '4: cni0    inet 10.2.0.1/24 scope',
      ),
    ],
    ['numbers that do not count on', text('1 a', '2 b', '4 c', '5 d')],
    ['a table with bars', text('│ NAME │ READY │', '│ web  │ 0/1   │', '│ db   │ 1/1   │')],
    ['two quoted commands', text('> kubectl get pods', '> kubectl get nodes')],
  ])('leaves %s', (_, given) => {
    expect(asPrinted(given)).toBe(given);
  });
});

/** As a terminal breaks lines. */
function brokenAt(width: number, line: string): string[] {
  return line.length <= width ? [line] : [line.slice(0, width), ...brokenAt(width, line.slice(width))];
}

/** As an editor does. */
function brokenBetweenWords(width: number, line: string): string[] {
  const at = line.length <= width ? -1 : line.lastIndexOf(' ', width);
  return at < 0 ? [line] : [line.slice(0, at), ...brokenBetweenWords(width, line.slice(at + 1))];
}

describe('broken lines', () => {
  const journal = [
    'May 15 21:29:21 node-1 systemd[1]: Started kubelet: The Kubernetes Node Agent.',
    'May 15 21:29:22 node-1 kubelet[6810]: E0515 21:29:22.073222    6810 machine.go:331] failed to get cache information for node 0: open /sys/devices/system/cpu/cpu0/cache: no such file or directory',
    'May 15 21:29:28 node-1 kubelet[6810]: F0515 21:29:28.765602    6810 kubelet.go:1383] Failed to start ContainerManager system validation failed - Following Cgroup subsystem not mounted: [memory]',
    'May 15 21:29:28 node-1 systemd[1]: kubelet.service: Main process exited, code=exited, status=255/EXCEPTION',
  ];
  const joined = (given: string) =>
    asPrinted(given)
      .split('\n')
      .filter((line) => line !== JOINED);

  it.each([80, 100, 117])('at the edge of a terminal, %d wide', (width) => {
    expect(joined(journal.flatMap((line) => brokenAt(width, line)).join('\n'))).toEqual(journal);
  });

  it.each([90, 100])('between words, %d wide', (width) => {
    expect(joined(journal.flatMap((line) => brokenBetweenWords(width, line)).join('\n'))).toEqual(journal);
  });

  it('before a colon', () => {
    expect(joined(text('AttachVolume.Attach failed for volume "pvc-1"', ': rpc error: code = Aborted desc = not ready'))).toEqual([
      'AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Aborted desc = not ready',
    ]);
  });

  it('after a path', () => {
    const path = 'Output: mount: /var/lib/kubelet/pods/f760c19e/volumes/kubernetes.io~nfs/pvc-d3134d79:';
    expect(joined(text(path, 'bad option; you might need a helper program.'))).toEqual([
      `${path} bad option; you might need a helper program.`,
    ]);
  });

  it('between the parts of a status', () => {
    const parts = ['MountVolume.MountDevice failed for volume "a" : rpc error: code = Internal', "desc = disk a can't be found:"];
    expect(joined(text(...parts, 'disk attached but not found'))).toEqual([`${parts.join(' ')} disk attached but not found`]);
  });

  it('below the row of an event', () => {
    expect(joined(text('Warning  FailedMount  kubelet', 'MountVolume.SetUp failed for volume "a"'))).toEqual([
      'Warning  FailedMount  kubelet  MountVolume.SetUp failed for volume "a"',
    ]);
  });

  it.each([
    [
      'rows of a table, the longest among them',
      text(
        'NAME                                     READY   STATUS    RESTARTS   AGE',
        'web-5d89d7c8b9-abcde-with-a-long-name    0/1     Pending   0          2m',
        'db-0                                     1/1     Running   0          2m',
      ),
    ],
    ['a box', text(`+${'-'.repeat(78)}+`, `| NVIDIA-SMI 580${' '.repeat(63)} |`, `|   0  NVIDIA L40S${' '.repeat(60)} |`)],
    ['a key in base64', text(...Array.from({ length: 5 }, (_, at) => String.fromCharCode(65 + at).repeat(64)))],
    ['a sentence below an event', text('  Warning  Failed  3s  kubelet  Error: ErrImagePull', 'Это значит, что образа нет')],
    [
      'frames of a stack',
      text(`2026-01-01 10:00:00 ERROR ${'x'.repeat(60)} failed`, 'Caused by: java.io.IOException: no', '\tat a.b.C(D.java:1)'),
    ],
  ])('leaves %s', (_, given) => {
    expect(asPrinted(given)).toBe(given);
  });
});

it('keeps the number of lines', () => {
  const unit = fc.constantFrom(
    '> ',
    '│',
    '1 ',
    '2 ',
    '\n',
    'a',
    ' ',
    '：',
    '“',
    '&lt;',
    '<br>',
    '**',
    '`',
    '\\_',
    'Warning  Failed ',
    ':',
    '```',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), (given) => {
      expect(asPrinted(given).split('\n')).toHaveLength(given.split('\n').length);
    }),
    { numRuns: 500 },
  );
});

it.each(['> ', '│', '<span ', '&lt;', '“a', '：', '**a', '\\_', '1 ', ': a\n', 'Warning  Failed\nA b \n', `${'a '.repeat(40)}\n`])(
  'takes time in proportion to the length of %j',
  (unit) => {
    const given = unit.repeat(Math.ceil(100_000 / unit.length));
    const start = performance.now();
    asPrinted(given);
    expect(performance.now() - start).toBeLessThan(4000);
  },
);

describe('an error that wraps others, broken behind its colons', () => {
  const whole =
    'Failed to pull image "registry.example/tool:1": failed to resolve reference "registry.example/tool:1": unexpected status from GET request to https://registry.example/token?service=x: 403 Forbidden';

  it('is put together where the rest is indented', () => {
    const given = text(
      '  Failed to pull image "registry.example/tool:1":',
      '    failed to resolve reference "registry.example/tool:1":',
      '    unexpected status from GET request to',
      '    https://registry.example/token?service=x:',
      '    403 Forbidden',
    );
    expect(asPrinted(given)).toBe(text(`  ${whole}`, JOINED, JOINED, JOINED, JOINED));
  });

  it('is put together where it is not', () => {
    const given = text('Failed to pull image "a:1":', 'failed to resolve reference "a:1":', 'a:1: not found', 'and so it goes');
    expect(asPrinted(given)).toBe(
      text('Failed to pull image "a:1": failed to resolve reference "a:1": a:1: not found', JOINED, JOINED, 'and so it goes'),
    );
  });

  it('ends where something else begins', () => {
    const given = text('Failed to pull image "a:1": not found', '  NAME   READY', 'Pulling image "a:1"');
    expect(asPrinted(given)).toBe(given);
  });
});
