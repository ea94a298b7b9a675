import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const BEGINS = '-----BEGIN CERTIFICATE-----';
const ENDS = '-----END CERTIFICATE-----';

/** What `openssl x509 -noout -subject -dates -checkend 0` prints; the kubelet's file holds its key too, which is not touched. */
export async function printCertificate(path: string, now: number): Promise<string> {
  try {
    const text = await readFile(path, 'latin1');
    const start = text.indexOf(BEGINS);
    const end = text.indexOf(ENDS, start);
    if (start < 0 || end < 0) return `openssl: ${path}: no certificate in it\n`;
    const certificate = new X509Certificate(text.slice(start, end + ENDS.length));
    const over = Date.parse(certificate.validTo) <= now;
    return [
      `subject=${certificate.subject.replaceAll('\n', ', ')}`,
      `notBefore=${certificate.validFrom}`,
      `notAfter=${certificate.validTo}`,
      over ? 'Certificate will expire' : 'Certificate will not expire',
      '',
    ].join('\n');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return `Can't open ${path} for reading, Permission denied\n`;
    if (code === 'ENOENT') return `cat: ${path}: No such file or directory\n`;
    return `openssl: ${path}: no certificate in it\n`;
  }
}
