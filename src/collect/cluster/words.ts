import { X509Certificate } from 'node:crypto';
import { errorCode } from '../collect-error.ts';
import { type Link, shownAddress } from './link.ts';
import { ClusterError } from './port.ts';

const LONGEST = 2000;

/** Text from elsewhere, fit to be shown on one screen: no control characters, no tokens, not endless. */
export function harmless(text: string, longest = LONGEST): string {
  const plain = text
    .slice(0, longest * 2)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
    .replace(/-----BEGIN [A-Z ]{1,40}-----[A-Za-z0-9+/=\s]{0,20000}(?:-----END [A-Z ]{1,40}-----)?/g, '[certificate or key]')
    .replace(/\b(Bearer|Basic) [\w.~+/=-]{8,}/gi, '$1 [hidden]')
    .replace(/\beyJ[\w-]{8,}\.[\w.-]{8,}/g, '[token]')
    .trim();
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}

const TRANSIENT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ETIMEDOUT']);

/** Whether the same request may fare better in a moment. */
export function mayPass(error: ClusterError): boolean {
  if (error.kind === 'interrupted' || error.kind === 'slow') return true;
  return error.kind === 'unreachable' && TRANSIENT.has(errorCode(error.cause));
}

const TRUST: ReadonlyMap<string, string> = new Map([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown authority'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unknown authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown authority'],
  ['CERT_SIGNATURE_FAILURE', 'unknown authority'],
  ['CERT_UNTRUSTED', 'unknown authority'],
  ['INVALID_CA', 'unknown authority'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not yet valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other name'],
]);

/** A failure of the connection itself, worded by what the user can do about it. */
export function connectionError(error: unknown, link: Link, begun: boolean): ClusterError {
  if (error instanceof ClusterError) return error;
  const code = errorCode(error);
  const at = shownAddress(link.server);
  const trust = TRUST.get(code);
  if (trust !== undefined) return new ClusterError('unreachable', trustWords(trust, at, link, error), { cause: error });
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return new ClusterError('unreachable', handshakeWords(code, at, error), { cause: error });
  if (UNUSABLE.test(`${code} ${error instanceof Error ? error.message : ''}`)) return unusable(code, error);
  if (code.startsWith('HPE_'))
    return new ClusterError('invalid', `${at} does not answer like an API server (no valid HTTP).`, { cause: error });
  if (begun) return new ClusterError('interrupted', `${at} closed the connection in the middle of its answer.`, { cause: error });
  return new ClusterError(code === 'ECONNRESET' || code === 'EPIPE' ? 'interrupted' : 'unreachable', noConnection(code, link), {
    cause: error,
  });
}

/** What Node refuses to send at all: the kubeconfig does not give what it should. */
const UNUSABLE = /^ERR_OSSL_|^ERR_INVALID_CHAR|^ERR_INVALID_HTTP_TOKEN|SSL_CTX_/;

function unusable(code: string, error: unknown): ClusterError {
  const what = code.startsWith('ERR_INVALID') ? 'token or name' : 'certificate or key';
  return new ClusterError('unauthorized', `The kubeconfig holds a ${what} that cannot be used${code ? ` (${code})` : ''}.`, {
    cause: error,
  });
}

function noConnection(code: string, link: Link): string {
  const through = link.proxy ?? link.server;
  const who = link.proxy ? `the proxy ${shownAddress(link.proxy)}` : shownAddress(link.server);
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${who} (connection refused). Is it running, and is the address right?`;
    case 'ENOTFOUND':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
      return `The name ${through.hostname} is not known to DNS here (needed for ${who}). Check the address, the VPN and /etc/resolv.conf.`;
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return `DNS did not answer for the name ${through.hostname} (needed for ${who}).`;
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'EADDRNOTAVAIL':
      return `There is no route to ${who}. Check the network or the VPN.`;
    case 'ETIMEDOUT':
      return `${who} does not accept connections (timed out). Check the network, the VPN and firewalls.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${who} closed the connection without an answer.`;
    default:
      return `No connection to ${who}${code ? ` (${code})` : ''}.`;
  }
}

function trustWords(trust: string, at: string, link: Link, error: unknown): string {
  if (trust === 'unknown authority') {
    const own =
      typeof link.tls.ca !== 'string' && !Buffer.isBuffer(link.tls.ca)
        ? ''
        : ' The certificate-authority of the kubeconfig is another one.';
    return `The certificate of ${at} is signed by an unknown authority.${own}`;
  }
  if (trust === 'other name') {
    const names = error instanceof Error && 'cert' in error ? altNames(error.cert) : '';
    const asked = link.tls.servername ?? link.server.hostname;
    return `The certificate of ${at} is not made for the name ${asked}${names && ` but for ${names}`}. Where that is meant, tls-server-name in the kubeconfig says so.`;
  }
  const authority = expiredAuthority(link);
  if (trust === 'expired' && authority) return `The certificate authority that the kubeconfig gives for ${at} expired on ${authority}.`;
  if (trust === 'expired')
    return `The certificate of ${at} has expired, or this machine's clock is wrong (it says ${new Date().toISOString()}).`;
  return `The certificate of ${at} is not valid yet, or this machine's clock is wrong (it says ${new Date().toISOString()}).`;
}

function altNames(cert: unknown): string {
  const names = typeof cert === 'object' && cert !== null && 'subjectaltname' in cert ? cert.subjectaltname : undefined;
  return typeof names === 'string' ? harmless(names.replaceAll('IP Address:', '').replaceAll('DNS:', ''), 200) : '';
}

function expiredAuthority(link: Link): string | undefined {
  const { ca } = link.tls;
  return typeof ca === 'string' || Buffer.isBuffer(ca) ? expiredOn(ca) : undefined;
}

/** The day a certificate ran out, or undefined while it is good or unreadable. */
export function expiredOn(pem: string | Buffer): string | undefined {
  try {
    const end = new Date(new X509Certificate(pem).validTo);
    return end.getTime() < Date.now() ? end.toISOString() : undefined;
  } catch {
    return undefined;
  }
}

function handshakeWords(code: string, at: string, error: unknown): string {
  const detail = `${code} ${error instanceof Error ? error.message : ''}`.toLowerCase().replaceAll('_', ' ');
  if (detail.includes('wrong version number') || detail.includes('http request') || detail.includes('packet length too long')) {
    return `${at} does not speak TLS. If it is a plain server, its address begins with http://.`;
  }
  if (detail.includes('certificate') || detail.includes('unknown ca')) return `${at} refuses the client certificate of the kubeconfig.`;
  return `No secure connection to ${at} (${code}).`;
}
