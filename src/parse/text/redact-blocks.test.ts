import { describe, expect, it } from 'vitest';
import { redactText } from './redact.ts';

describe('secrets over several lines', () => {
  it('keeps the first and last line of a private key', () => {
    const text = [
      'key: |',
      '  -----BEGIN RSA PRIVATE KEY-----',
      '  MIIEowIBAAKCAQEA7',
      '  q1w2e3r4t5==',
      '  -----END RSA PRIVATE KEY-----',
      'next: 1',
    ].join('\n');
    expect(redactText(text)).toEqual({
      text: [
        'key: |',
        '  -----BEGIN RSA PRIVATE KEY-----',
        '  ‹redacted:private-key›',
        '  ‹redacted:private-key›',
        '  -----END RSA PRIVATE KEY-----',
        'next: 1',
      ].join('\n'),
      count: 2,
    });
  });

  it('hides a TOML string over several lines, and nothing after it', () => {
    const text = 'password = """\nhunter2 is\n  not it"""\nlevel = """\ndebug\n"""\ntoken = \'\'\'a1b2c3d4e5\'\'\'\n';
    expect(redactText(text).text).toBe(
      'password = """\n‹redacted:secret›\n‹redacted:secret›"""\nlevel = """\ndebug\n"""\ntoken = \'\'\'‹redacted:secret›\'\'\'\n',
    );
  });

  it('hides a private key that is cut off, and nothing after it', () => {
    const text = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIAbc\nE0411 10:00:00 real log line: here\n';
    expect(redactText(text).text).toBe('-----BEGIN EC PRIVATE KEY-----\n‹redacted:private-key›\nE0411 10:00:00 real log line: here\n');
  });

  it('leaves certificates', () => {
    const text = '-----BEGIN CERTIFICATE-----\nMIIC4jCCAcqg\n-----END CERTIFICATE-----\n';
    expect(redactText(text).text).toBe(text);
  });

  it('hides the data of a Secret in YAML, wherever its kind stands', () => {
    const text = `apiVersion: v1
items:
- apiVersion: v1
  data:
    username: Ym9i
    config: |
      line one
      line two
  kind: Secret
  metadata:
    name: db
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"v1","data":{"username":"Ym9i"},"kind":"Secret","metadata":{"name":"db"}}
  type: Opaque
- apiVersion: v1
  data:
    colour: blue
  kind: ConfigMap
- kind: Secret
  stringData:
    plain: words
kind: List`;
    expect(redactText(text).text).toBe(`apiVersion: v1
items:
- apiVersion: v1
  data:
    username: ‹redacted:secret-data›
    config: |
      ‹redacted:secret-data›
      ‹redacted:secret-data›
  kind: Secret
  metadata:
    name: db
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"v1","data":{"username":"‹redacted:secret-data›"},"kind":"Secret","metadata":{"name":"db"}}
  type: Opaque
- apiVersion: v1
  data:
    colour: blue
  kind: ConfigMap
- kind: Secret
  stringData:
    plain: ‹redacted:secret-data›
kind: List`);
  });

  it('hides the data of a Secret in JSON, indented, compact or escaped', () => {
    const secret = { apiVersion: 'v1', data: { user: 'Ym9i', 'tls.crt': 'QUJD' }, kind: 'Secret', metadata: { name: 'db' } };
    const configMap = { data: { colour: 'blue' }, kind: 'ConfigMap' };
    const annotated = { ...secret, metadata: { annotations: { 'last-applied': JSON.stringify(secret) } } };
    for (const text of [JSON.stringify({ items: [configMap, annotated] }, null, 2), JSON.stringify({ items: [annotated, configMap] })]) {
      const redacted = redactText(text).text;
      expect(redacted).not.toMatch(/Ym9i|QUJD/);
      expect(redacted).toContain('blue');
      expect(JSON.parse(redacted)).toBeDefined();
      expect(redacted.split('\n')).toHaveLength(text.split('\n').length);
    }
  });

  it('hides the data of a SecretList whose items do not say their kind', () => {
    const text = JSON.stringify({ kind: 'SecretList', items: [{ data: { a: 'Ym9i' } }, { metadata: {}, data: { b: 'QUJD' } }] });
    expect(redactText(text).text).not.toMatch(/Ym9i|QUJD/);
  });

  it('hides the data of a Secret that is cut off', () => {
    expect(redactText('{"kind":"Secret","data":{"a":"Ym9i","b":"QUJ').text).toBe(
      '{"kind":"Secret","data":{"a":"‹redacted:secret-data›","b":"‹redacted:secret-data›',
    );
  });

  it('hides the value of an environment variable on the line after its name', () => {
    const text = '        - name: DB_PASSWORD\n          value: swordfish\n        - name: PORT\n          value: "80"\n';
    expect(redactText(text).text).toBe(
      '        - name: DB_PASSWORD\n          value: ‹redacted:secret›\n        - name: PORT\n          value: "80"\n',
    );
    const json = '  {\n    "name": "API_TOKEN",\n    "value": "a b c"\n  },';
    expect(redactText(json).text).toBe('  {\n    "name": "API_TOKEN",\n    "value": "‹redacted:secret›"\n  },');
  });

  it('leaves a reference to a Secret as the value of such a variable', () => {
    const text = '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      key: password\n      name: db\n';
    expect(redactText(text).text).toBe(text);
  });

  it('hides blocks below a sensitive key, but not a mapping', () => {
    expect(redactText('password: |-\n  one\n  two\nuser: bob').text).toBe(
      'password: |-\n  ‹redacted:secret›\n  ‹redacted:secret›\nuser: bob',
    );
    expect(redactText('secretKey:\n  swordfish\nuser: bob').text).toBe('secretKey:\n  ‹redacted:secret›\nuser: bob');
    const mapping = 'token:\n  audience: api\n  path: token\n';
    expect(redactText(mapping).text).toBe(mapping);
  });

  it('hides the argument on the line after its flag', () => {
    expect(redactText('    Args:\n      --password\n      swordfish\n      --verbose\n').text).toBe(
      '    Args:\n      --password\n      ‹redacted:secret›\n      --verbose\n',
    );
    expect(redactText('- --password\n- --verbose\n').text).toBe('- --password\n- --verbose\n');
  });

  it('hides the certificate key that kubeadm prints below its announcement', () => {
    const key = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
    expect(redactText(`[upload-certs] Using certificate key:\n${key}\n[mark] done`).text).toBe(
      '[upload-certs] Using certificate key:\n‹redacted:key›\n[mark] done',
    );
  });

  it('hides the rest of a token that a terminal broke into lines', () => {
    const token = `eyJ${'hbGciOiJSUzI1NiIsImtpZCI6'.repeat(8)}`;
    const wrapped = `token:      ${token}`.match(/.{1,80}/g)?.join('\n') ?? '';
    expect(redactText(`${wrapped}\nca.crt:     1066 bytes`).text).toBe(
      'token:      ‹redacted:jwt›\n‹redacted:jwt›\n‹redacted:jwt›\nca.crt:     1066 bytes',
    );
  });
});
