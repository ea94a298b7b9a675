import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactLine, redactText } from './redact.ts';

const SMALL = 'abcdefghijklmnopqrstuvwxyz';

/** Long enough, and with a digit, not to be a word by chance. */
function madeOf(letters: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...letters, ...'0123456789'), minLength: 7, maxLength: 40 }),
      fc.constantFrom(...'0123456789'),
      fc.constantFrom(...letters),
    )
    .map(([body, digit, letter]) => `${letter}${body}${digit}`);
}

/** Small letters alone may look like the name of an object. */
const plain = fc.oneof(madeOf(SMALL), madeOf(`${SMALL}${SMALL.toUpperCase()}`));

const symbols = fc
  .tuple(plain, fc.string({ unit: fc.constantFrom(...'!#%^*-_+.~|'), maxLength: 4 }))
  .map(([body, tail]) => `${body}${tail}x`);

type Plant = (secret: string) => string;

/** Contexts that stand on a line of their own. */
const ownLine: readonly Plant[] = [
  (secret) => `password: ${secret}`,
  (secret) => `    - token: "${secret}"`,
  (secret) => `DB_PASSWORD=${secret}`,
  (secret) => `export APP_SECRET="${secret}"`,
  (secret) => `      SMTP_PASSWD:   ${secret}`,
  (secret) => `spring.datasource.password = ${secret}`,
  (secret) => `      "apiKey": "${secret}",`,
  (secret) => `    client-key-data: ${secret}`,
  (secret) => `- name: SESSION_SECRET\n  value: ${secret}`,
  (secret) => `- name: SESSION_TOKEN\n  value: "${secret}"`,
  (secret) => `      "name": "ADMIN_PASSWORD",\n      "value": "${secret}"`,
  (secret) => `  - --access-key\n  - ${secret}`,
  (secret) => `passphrase: |\n  ${secret}\n`,
  (secret) => `apiVersion: v1\ndata:\n  some-name: ${secret}\nkind: Secret\nmetadata:\n  name: x`,
  (secret) => `kind: Secret\nstringData:\n  file: |\n    a\n    ${secret}\n`,
  (secret) => `{\n  "kind": "Secret",\n  "data": {\n    "x": "${secret}"\n  }\n}`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret.replace(/[^A-Za-z0-9]/g, '+')}\n-----END PRIVATE KEY-----`,
];

/** Contexts that may stand anywhere in a line. */
const anywhere: readonly Plant[] = [
  (secret) => `password=${secret}`,
  (secret) => `--password=${secret}`,
  (secret) => `--db-password ${secret}`,
  (secret) => `{"token":"${secret}"}`,
  (secret) => `{\\"clientSecret\\":\\"${secret}\\"}`,
  (secret) => `{"name":"API_KEY","value":"${secret}"}`,
  (secret) => `{"data":{"x":"${secret}"},"kind":"Secret"}`,
  (secret) => `{Password:${secret} Host:x}`,
  (secret) => `amqps://user:${secret}@mq.example.org:5671/`,
  (secret) => `Server=x;Pwd=${secret};Timeout=3`,
  (secret) => `AccountKey=${secret}`,
  (secret) => `Authorization: Bearer ${secret}`,
  (secret) => `Authorization: Basic ${Buffer.from(`u:${secret}`).toString('base64')}`,
  (secret) => `Cookie: sid=${secret}`,
  (secret) => `password: ${secret}`,
  (secret) => `<password>${secret}</password>`,
  (secret) => `https://x.example.org/y?a=1&sig=${secret}&b=2`,
  (secret) => `app:${secret}@tcp(db:3306)/x`,
];

const noise = fc
  .array(
    fc.constantFrom(
      'E0411 10:00:00.000001 1 pod.go:12]',
      'Warning',
      '  FailedMount',
      'secret',
      'token',
      '"default-token-x7k2p"',
      'pod="shop/api-0"',
      'err=',
      ':',
      '{',
      '}',
      '://',
      'kubelet',
      '容器',
      'https://10.0.0.1:6443',
      'key',
      "'",
      'sha256:9f86d081',
      '(x3 over 4m29s)',
      '\\',
      'password',
      '-',
      '—',
      'image: a/b:1',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(' '));

describe('a planted secret', () => {
  it('never survives on a line of its own, whatever stands around', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ownLine),
        plain,
        fc.array(noise, { maxLength: 3 }),
        fc.array(noise, { maxLength: 3 }),
        (plant, secret, before, after) => {
          const text = [...before.map((line) => line.replaceAll(/["'{}\\]/g, '')), plant(secret), ...after].join('\n');
          const redacted = redactText(text);
          expect(redacted.text).not.toContain(secret);
          expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length);
          expect(redacted.count).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('never survives inside a line, whatever stands before it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...anywhere), fc.oneof(plain, symbols), noise, (plant, secret, before) => {
        const actual = encodeForUrl(plant, secret);
        const planted = plant(actual);
        const line = `at ${before.replaceAll(/["'{}\\]/g, '')} ${planted} and more`;
        const text = redactLine(line).text;
        for (let at = 0; at + 7 <= actual.length; at += 1) expect(text).not.toContain(actual.slice(at, at + 7));
        expect(text).not.toContain(Buffer.from(`u:${actual}`).toString('base64'));
        expect(text.endsWith('more') || planted.startsWith('Cookie')).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is redacted once: redacting again changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            noise,
            fc.tuple(fc.constantFrom(...ownLine, ...anywhere), plain).map(([plant, secret]) => plant(secret)),
          ),
          { maxLength: 6 },
        ),
        (parts) => {
          const once = redactText(parts.join('\n')).text;
          expect(redactText(once)).toEqual({ text: once, count: 0 });
        },
      ),
      { numRuns: 1000 },
    );
  });
});

/** Characters that end a URL, a query or a cookie cannot stand there unescaped. */
function encodeForUrl(plant: Plant, secret: string): string {
  return plant('').includes('://') ? secret.replaceAll(/[#%^|]/g, '-') : secret;
}

describe('any text', () => {
  it('keeps its number of lines', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(noise, fc.string()), { maxLength: 8 }), (lines) => {
        const text = lines.join('\n');
        expect(redactText(text).text.split('\n')).toHaveLength(text.split('\n').length);
      }),
    );
  });

  it.each([
    'token=sha256:',
    'token=none;',
    '"token":',
    'password: ',
    'password:',
    '\\',
    '\\"',
    '\\"token\\":\\"',
    'eyJ',
    '_eyJ',
    '.eyJaaaaaaaaaa',
    '://a:',
    '://',
    '://a:b/',
    '@tcp(',
    ':@tcp(',
    '-----BEGIN PRIVATE KEY-----',
    '-',
    'Value:',
    '{"data":',
    '{"kind":"Secret","data":',
    '{',
    '}',
    '"kind":"Secret"',
    'auth="',
    "auth='",
    'bearer ',
    'basic aaaaaaaa',
    'key ',
    'a.',
    ' ',
    '\t',
    'token token-',
    '--token ',
    '--token is ',
    'cookie=',
    'cookie: a=',
    '$6$',
    '$6$aaaaaaaaaaaaaaaaaaaa',
    'Authorization: ',
    'Authorization: Digest a',
    'abcdef.0123456789abcdef',
    'a',
    'pass',
    '"',
    "'",
    '<password>',
    'curl -u a:',
    '&sig=',
    'LS0tLS1CRUdJTiB',
    'access key',
    'secret: a-b ',
    'name: TOKEN',
    'ghp_',
    'xoxb-',
    'token = ',
  ])('takes time in proportion to its length: %j on one line and on many', (unit) => {
    const size = 100_000;
    for (const text of [
      unit.repeat(size / unit.length),
      `${unit}\n`.repeat(size / (unit.length + 1)),
      `${' '.repeat(30)}${unit}\n`.repeat(size / (unit.length + 31)),
    ]) {
      const start = performance.now();
      redactText(text);
      redactLine(text.slice(0, 50_000).replaceAll('\n', ' '));
      expect(performance.now() - start).toBeLessThan(5000);
    }
  });

  it('takes time in proportion to its length: blocks inside blocks', () => {
    const staircase = Array.from({ length: 900 }, (_, depth) => `${' '.repeat(depth)}password: |`).join('\n');
    const kinds = Array.from({ length: 20_000 }, (_, line) => `${' '.repeat(line % 64)}kind: Secret`).join('\n');
    const nested = '{"kind":"SecretList","data":'.repeat(20_000);
    const wrapped = `${`token=aB1${'x'.repeat(80)}\n`}`.repeat(5000);
    for (const text of [staircase, kinds, nested, wrapped]) {
      const start = performance.now();
      redactText(text);
      expect(performance.now() - start).toBeLessThan(5000);
    }
  }, 30_000);
});
