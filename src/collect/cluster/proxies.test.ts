import { describe, expect, it } from 'vitest';
import { ClusterError } from './port.ts';
import { proxyFor } from './proxies.ts';

function through(server: string, exceptions: string): boolean {
  return proxyFor(new URL(server), undefined, { HTTPS_PROXY: 'http://proxy.invalid:3128', NO_PROXY: exceptions }) !== undefined;
}

describe('the proxy to use', () => {
  it.each([
    ['https://api.orchard.invalid', '', true],
    ['https://api.orchard.invalid', '*', false],
    ['https://api.orchard.invalid', 'other.invalid, orchard.invalid', false],
    ['https://orchard.invalid', 'orchard.invalid', false],
    ['https://orchard.invalid', '.orchard.invalid', true],
    ['https://api.orchard.invalid', '*.orchard.invalid', false],
    ['https://myorchard.invalid', 'orchard.invalid', true],
    ['https://API.orchard.invalid', 'api.ORCHARD.invalid', false],
    ['https://api.orchard.invalid:6443', 'api.orchard.invalid:6443', false],
    ['https://api.orchard.invalid:6443', 'api.orchard.invalid:443', true],
    ['https://10.20.30.40', '10.20.30.40', false],
    ['https://10.20.30.40', '10.0.0.0/8', false],
    ['https://11.20.30.40', '10.0.0.0/8', true],
    ['https://10.20.30.40', '10.0.0.0/99', true],
    ['https://10.20.30.40', 'not/a/range', true],
    ['https://[fd00::7]:6443', 'fd00::/8', false],
    ['https://[fd00::7]:6443', 'fd00::7', false],
    ['https://localhost:6443', '', false],
    ['https://127.0.0.7:6443', '', false],
    ['https://[::1]:6443', '', false],
  ])('%s with NO_PROXY=%s: %s', (server, exceptions, expected) => {
    expect(through(server, exceptions)).toBe(expected);
  });

  it('knows both spellings, one variable for each protocol, and addresses without one', () => {
    const plain = new URL('http://api.orchard.invalid');
    expect(proxyFor(plain, undefined, { HTTPS_PROXY: 'http://wrong.invalid' })).toBeUndefined();
    expect(proxyFor(plain, undefined, { http_proxy: 'right.invalid:3128' })?.href).toBe('http://right.invalid:3128/');
    expect(proxyFor(new URL('https://127.0.0.1'), 'https://own.invalid', { NO_PROXY: '*' })?.href).toBe('https://own.invalid/');
  });

  it('refuses what is no proxy without showing its password', () => {
    const refusal = (value: string) => {
      try {
        proxyFor(new URL('https://api.orchard.invalid'), value, {});
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(refusal('socks5://jo:hunter2@gate.invalid:1080')).toBeInstanceOf(ClusterError);
    expect(String(refusal('socks5://jo:hunter2@gate.invalid:1080'))).not.toContain('hunter2');
    expect(String(refusal('::'))).toContain('not an address');
  });
});
