import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './diff.ts';

const SECRET = 'hunter22hunter22';

describe('unifiedDiff', () => {
  it('shows a change with the lines around it', () => {
    expect(unifiedDiff('/etc/x', '1\n2\n3\nold\n5\n6\n7\n', '1\n2\n3\nnew\n5\n6\n7\n')).toEqual([
      '--- /etc/x',
      '+++ /etc/x',
      '@@ -2,5 +2,5 @@',
      ' 2',
      ' 3',
      '-old',
      '+new',
      ' 5',
      ' 6',
    ]);
  });

  it('has a part for each change far from the others', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}`);
    const diff = unifiedDiff('x', lines.join('\n'), lines.with(2, 'a').toSpliced(15, 0, 'b').join('\n'));
    expect(diff.filter((line) => line.startsWith('@@'))).toEqual(['@@ -1,5 +1,5 @@', '@@ -14,4 +14,5 @@']);
    expect(diff.filter((line) => /^[+-][^+-]/.test(line))).toEqual(['-2', '+a', '+b']);
  });

  it('says where the newline at the end is missing', () => {
    expect(unifiedDiff('x', 'a', 'a\nb')).toEqual([
      '--- x',
      '+++ x',
      '@@ -1,1 +1,2 @@',
      '-a',
      '\\ No newline at end of file',
      '+a',
      '+b',
      '\\ No newline at end of file',
    ]);
  });

  it('has nothing of a file that stays, and all of a new one', () => {
    expect(unifiedDiff('x', 'a\n', 'a\n')).toEqual([]);
    expect(unifiedDiff('x', '', 'a\n')).toEqual(['--- /dev/null', '+++ x', '@@ -0,0 +1,1 @@', '+a']);
  });

  it('leaves out carriage returns only where all lines have them', () => {
    expect(unifiedDiff('x', 'a\r\nb\r\n', 'a\r\nc\r\n').slice(3)).toEqual([' a', '-b', '+c']);
    expect(unifiedDiff('x', 'a\nb\r\n', 'a\nb\n').slice(3)).toEqual([' a', '-b\\r', '+b']);
  });

  it('writes out what could steer a terminal or turn the text', () => {
    const diff = unifiedDiff('/x\u001b]0;t\u0007\n', 'a\n', '\u001b[2Jb\u202e\u009bc\u200b\u2028\n').join('\n');
    expect(diff).not.toMatch(/[\p{Cf}\u2028]|(?!\n)\p{Cc}/u);
    expect(diff).toContain('+\\x1b[2Jb\\u{202e}\\x9bc\\u{200b}\\u{2028}');
  });

  it('cuts long lines, after hiding what is secret in them', () => {
    const [, , , , added = ''] = unifiedDiff('x', 'a\n', `${'é'.repeat(150)} password="${SECRET}${'x'.repeat(500)}"\n`);
    expect(added.length).toBeLessThan(205);
    expect(added).not.toContain('hunter');
  });

  it('reads a large file whose lines all change in time', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index}`);
    expect(unifiedDiff('x', lines.join('\n'), lines.map((line) => `${line}!`).join('\n'))).toHaveLength(40_005);
  });
});

describe('secrets', () => {
  it.each([
    ['of a registry', `[plugins."io.containerd.grpc.v1.cri".registry.configs."r".auth]\n  password = "${SECRET}"\n`],
    ['of a registry, inline', `auth = { username = "u", password = '${SECRET}' }\n`],
    ['of a registry, dotted', `registry.configs."r".auth.identitytoken = "${SECRET}"\n`],
    ['in a header', `[registry.headers]\n Authorization = ["Bearer ${SECRET}"]\n`],
    ['in a long string', `password = """\n${SECRET}\n"""\n`],
    ['in a long string of one line', `token = '''${SECRET}'''\n`],
    ['at the end of a long string', `client_secret = '''\nx\n${SECRET}'''\n`],
    ['in a private key', `key = """\n-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n-----END RSA PRIVATE KEY-----\n"""\n`],
    ['of a proxy', `{\n  "proxies": { "http-proxy": "http://u:${SECRET}@proxy:3128" }\n}\n`],
    ['of docker', `{\n  "auths": { "r": { "auth": "${SECRET}" } },\n  "log-opts": { "splunk-token": "${SECRET}" }\n}\n`],
    ['of the kubelet', `staticPodURLHeader:\n  Authorization:\n  - "Bearer ${SECRET}"\n`],
    ['of a unit', `Environment="HTTPS_PROXY=http://u:${SECRET}@proxy:3128"\n`],
  ])('%s', (_name, text) => {
    const diffs = [unifiedDiff('x', text, `${text}# end\n`), unifiedDiff('x', '', text), unifiedDiff('x', text, '')];
    expect(diffs.flat().join('\n')).not.toContain('hunter22');
  });

  it('that change are shown to change, though not how', () => {
    expect(unifiedDiff('x', `password = "${SECRET}"\n`, `password = "${SECRET}3"\n`).slice(3)).toEqual([
      '-password = "‹redacted:password›"',
      '+password = "‹redacted:password›"',
    ]);
  });
});
