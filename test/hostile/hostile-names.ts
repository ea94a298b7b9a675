const ESC = '\u001b';

/** Names no cluster would accept, but anybody can write into a file. */
export const SHELL_NAMES = [
  'x;echo PWNED',
  '$(echo PWNED)',
  '`echo PWNED`',
  '$'.concat('{PWNED:=1}'),
  'a\'b"c\\',
  "';echo PWNED;'",
  '"$(echo PWNED)"',
  'two\necho PWNED',
  '--all',
  '-oyaml',
  '|echo PWNED',
  '&& echo PWNED',
  '> owned',
  '*',
  '~root',
  '!!',
  '#PWNED',
  ' ',
];

export const DRAWING_NAMES = [
  `${ESC}[2J${ESC}[31mred${ESC}[0m`,
  `${ESC}]0;owned\u0007`,
  `${ESC}]8;;http://evil.example\u0007click${ESC}]8;;\u0007`,
  `${ESC}]52;c;${Buffer.from('reboot').toString('base64')}\u0007`,
  `${ESC}P+q544e${ESC}\\`,
  '\u009b31mred',
  'a\bb\rc\u007f',
  'user\u202egpj.exe',
  '\u2066isolate\u2069',
  'zero\u200bwidth\ufeff',
  'tag\u{e0041}\u{e0042}',
  'line\u2028separator',
];

export const MARKUP_NAMES = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title></details><iframe srcdoc=x>',
  '[click](javascript:alert(1))',
  '![pixel](http://evil.example/p.png)',
  '<http://evil.example>',
  'http://evil.example/x',
  '```\n# heading\n',
  '`code` **bold** | table |',
  '@everyone #1 &lt;b&gt;',
  '[ref]: http://evil.example',
];

export const HOSTILE_NAMES: readonly string[] = [...SHELL_NAMES, ...DRAWING_NAMES, ...MARKUP_NAMES];

/** A pod in trouble under that name, with everything else in it called the same. */
export function podCalled(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: name, labels: { app: name } },
    spec: { nodeName: name, containers: [{ name, image: name, command: [name] }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', reason: name, message: name }],
      containerStatuses: [
        {
          name,
          image: name,
          ready: false,
          restartCount: 12,
          state: { waiting: { reason: 'CrashLoopBackOff', message: `back-off ${name}` } },
          lastState: { terminated: { exitCode: 1, reason: 'Error', message: `FATAL cannot open ${name}: no such file` } },
        },
      ],
    },
  };
}

/** Events that causes read names out of. */
export function eventsAbout(name: string): object[] {
  const event = (reason: string, message: string) => ({
    apiVersion: 'v1',
    kind: 'Event',
    type: 'Warning',
    reason,
    message,
    count: 7,
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-0' },
  });
  return [
    event('FailedMount', `MountVolume.SetUp failed for volume "${name}" : configmap "${name}" not found`),
    event('Failed', `Error: secret "${name}" not found`),
    event('Failed', `Failed to pull image "${name}": not found`),
    event('FailedScheduling', `0/1 nodes are available: 1 node(s) had untolerated taint {${name}: }.`),
    event(name, name),
  ];
}

export function logOf(names: readonly string[]): string {
  return names
    .flatMap((name, index) => [
      `2031-05-01T10:00:${String(index).padStart(2, '0')}Z ERROR cannot open ${name}: permission denied`,
      `E0501 10:00:00.000000    1 kubelet.go:1] "Error syncing pod, skipping" err="${name}" pod="shop/${name}"`,
    ])
    .join('\n');
}
