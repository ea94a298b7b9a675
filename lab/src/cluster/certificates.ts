import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '../run-command.ts';

const DAY = 86_400_000;

export interface CertificateRequest {
  readonly commonName: string;
  readonly organisation?: string;
  /** As openssl writes them: `DNS:worker-a`, `IP:10.77.0.11`. */
  readonly names?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

export interface Authority {
  readonly certificate: string;
  readonly key: string;
}

export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

/** The date format of `openssl ca`: YYYYMMDDHHMMSSZ. */
export function opensslDate(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}

export function signingConfig(request: CertificateRequest, folder: string): string {
  const names = request.names ?? [];
  return [
    '[ca]',
    'default_ca = lab',
    '[lab]',
    `database = ${folder}/index.txt`,
    `new_certs_dir = ${folder}`,
    'default_md = sha256',
    'policy = any',
    'unique_subject = no',
    'rand_serial = yes',
    'x509_extensions = leaf',
    '[any]',
    'organizationName = optional',
    'commonName = supplied',
    '[leaf]',
    'basicConstraints = critical,CA:FALSE',
    'keyUsage = critical,digitalSignature,keyEncipherment',
    'extendedKeyUsage = serverAuth,clientAuth',
    ...(names.length > 0 ? [`subjectAltName = ${names.join(',')}`] : []),
    '',
  ].join('\n');
}

/** Makes the authority of the cluster, once. */
export async function makeAuthority(folder: string): Promise<Authority> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority = { certificate: join(folder, 'ca.crt'), key: join(folder, 'ca.key') };
  if (existsSync(authority.certificate)) return authority;
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', authority.key];
  const usage = ['-addext', 'keyUsage=critical,digitalSignature,keyCertSign,cRLSign'];
  await must('openssl', ['req', '-x509', ...key, '-subj', '/CN=kubernetes', '-days', '3650', ...usage, '-out', authority.certificate]);
  return authority;
}

/** Dates in the past or the future are allowed: expired certificates and skewed clocks are faults the lab makes. */
export async function issueCertificate(authority: Authority, request: CertificateRequest): Promise<Issued> {
  const folder = mkdtempSync(join(tmpdir(), 'podcause-lab-certificate-'));
  try {
    const at = (name: string): string => join(folder, name);
    const subject = `${request.organisation !== undefined ? `/O=${request.organisation}` : ''}/CN=${request.commonName}`;
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', at('key.pem')];
    await must('openssl', ['req', '-new', ...key, '-subj', subject, '-out', at('request.pem')]);
    writeFileSync(at('index.txt'), '');
    writeFileSync(at('ca.conf'), signingConfig(request, folder));
    const from = request.notBefore ?? new Date(Date.now() - DAY);
    const until = request.notAfter ?? new Date(Date.now() + 365 * DAY);
    const dates = ['-startdate', opensslDate(from), '-enddate', opensslDate(until)];
    const signer = ['-config', at('ca.conf'), '-cert', authority.certificate, '-keyfile', authority.key];
    await must('openssl', ['ca', '-batch', '-notext', ...signer, ...dates, '-in', at('request.pem'), '-out', at('certificate.pem')]);
    return { certificate: readFileSync(at('certificate.pem'), 'utf8'), key: readFileSync(at('key.pem'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As files `NAME.crt` and `NAME.key`; left alone where they are there already. */
export async function issueFiles(authority: Authority, folder: string, name: string, request: CertificateRequest): Promise<void> {
  const certificate = join(folder, `${name}.crt`);
  if (existsSync(certificate)) return;
  const issued = await issueCertificate(authority, request);
  writeFileSync(join(folder, `${name}.key`), issued.key, { mode: 0o600 });
  writeFileSync(certificate, issued.certificate);
}

export async function makeServiceAccountKeys(folder: string): Promise<void> {
  const key = join(folder, 'service-account.key');
  if (existsSync(join(folder, 'service-account.pub'))) return;
  await must('openssl', ['genrsa', '-out', key, '2048']);
  await must('openssl', ['rsa', '-in', key, '-pubout', '-out', join(folder, 'service-account.pub')]);
}
