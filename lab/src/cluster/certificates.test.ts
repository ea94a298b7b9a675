import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { onPath } from '../packages.ts';
import { issueCertificate, makeAuthority, opensslDate, signingConfig } from './certificates.ts';
import { inlineKubeconfig, pathKubeconfig } from './kubeconfig.ts';

describe('opensslDate', () => {
  it('is written as openssl wants it', () => {
    expect(opensslDate(new Date('2024-02-29T23:05:09.123Z'))).toBe('20240229230509Z');
  });
});

describe('signingConfig', () => {
  it('has names only where there are some', () => {
    expect(signingConfig({ commonName: 'a' }, '/x')).not.toContain('subjectAltName');
    expect(signingConfig({ commonName: 'a', names: ['DNS:a', 'IP:10.0.0.1'] }, '/x')).toContain('subjectAltName = DNS:a,IP:10.0.0.1');
  });
});

describe.skipIf(!onPath('openssl'))('issueCertificate', () => {
  it('issues for any dates, also past ones', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lab-certificates-'));
    try {
      const authority = await makeAuthority(folder);
      const dates = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2020-06-01T00:00:00Z') };
      const issued = await issueCertificate(authority, {
        commonName: 'system:node:a',
        organisation: 'system:nodes',
        names: ['IP:10.0.0.1'],
        ...dates,
      });
      const certificate = new X509Certificate(issued.certificate);
      expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:a');
      expect(new Date(certificate.validTo).toISOString()).toBe('2020-06-01T00:00:00.000Z');
      expect(certificate.subjectAltName).toBe('IP Address:10.0.0.1');
      expect(certificate.verify(new X509Certificate(readFileSync(authority.certificate)).publicKey)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('kubeconfigs', () => {
  const parts = { server: 'https://10.0.0.1:6443', user: 'admin', authority: 'CA', certificate: 'CERT', key: 'KEY' };

  it('carry everything inside, or point to files', () => {
    const inside = parse(inlineKubeconfig(parts));
    expect(Buffer.from(inside.users[0].user['client-key-data'], 'base64').toString()).toBe('KEY');
    expect(inside.contexts[0].context).toEqual({ cluster: 'lab', user: 'admin' });
    expect(parse(pathKubeconfig(parts)).users[0].user).toEqual({ 'client-certificate': 'CERT', 'client-key': 'KEY' });
  });
});
