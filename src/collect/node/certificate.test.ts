import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { printCertificate } from './certificate.ts';

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBUDCB+AIBATAKBggqhkjOPQQDAjA1MRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMx
HDAaBgNVBAMME3N5c3RlbTpub2RlOmhlcm9uLTEwHhcNMjQwMTAxMDAwMDAwWhcN
MjUwMTAxMDAwMDAwWjA1MRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxHDAaBgNVBAMM
E3N5c3RlbTpub2RlOmhlcm9uLTEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATI
qqEND3uIvxkkbHbnO273O+9Ikk6ARmxst41Q3deeMOl7QeMbUrj1bP7qkgtry3gF
kMIQy9yeRnbYkmHrM0ZIMAoGCCqGSM49BAMCA0cAMEQCIBtjiFcHv0wz/EsRM2th
u3NogGryNOmCko9Yf9vfB6cYAiBqAXQ7YNXTSq2SGkUkgDKj03BHIXvP+kgX20ky
10wfNg==
-----END CERTIFICATE-----
`;

const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a certificate file', () => {
  it('tells its subject and dates, and whether it is over', async () => {
    const path = written('old.crt', CERTIFICATE);
    expect(await printCertificate(path, Date.parse('2026-01-01T00:00:00Z'))).toBe(
      'subject=O=system:nodes, CN=system:node:heron-1\nnotBefore=Jan  1 00:00:00 2024 GMT\nnotAfter=Jan  1 00:00:00 2025 GMT\nCertificate will expire\n',
    );
    expect(await printCertificate(path, Date.parse('2024-06-01T00:00:00Z'))).toContain('Certificate will not expire\n');
  });

  it('never tells the key that stands beside it', async () => {
    const key = '-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----\n';
    const text = await printCertificate(written('kubelet-client-current.pem', key + CERTIFICATE), 0);
    expect(text).not.toContain('c2VjcmV0');
    expect(text).toContain('notAfter=');
  });

  it('says so when there is none', async () => {
    for (const [name, text] of [
      ['empty.crt', ''],
      ['cut.crt', CERTIFICATE.slice(0, 200)],
      ['noise.crt', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    ] as const) {
      expect(await printCertificate(written(name, text), 0)).toBe(`openssl: ${join(folder, name)}: no certificate in it\n`);
    }
    expect(await printCertificate(join(folder, 'gone.crt'), 0)).toBe(`cat: ${join(folder, 'gone.crt')}: No such file or directory\n`);
  });
});
