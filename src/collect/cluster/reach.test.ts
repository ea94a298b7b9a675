import { describe, expect, it } from 'vitest';
import { openCluster } from './access.ts';
import { authority, base64, sendJson, serve, serveProxy, trusted, writeKubeconfig } from './testing-api.ts';
import { makeCertificate } from './testing-certificates.ts';
import { mirror, NO_HOME, refusalOf, seen, seenBy, UNRESOLVABLE } from './testing-visits.ts';

describe('how the server is reached', () => {
  it('checks the certificate against the given authority and name', async () => {
    const other = makeCertificate({ name: 'another authority' });
    const unknown = await refusalOf({
      kubeconfig: writeKubeconfig({ cluster: { server: mirror.url, 'certificate-authority-data': base64(other.cert) } }),
    });
    expect(unknown).toMatchObject({ kind: 'unreachable' });
    expect(unknown.message).toContain('signed by an unknown authority. The certificate-authority of the kubeconfig is another one');
    expect((await refusalOf({ kubeconfig: writeKubeconfig({ cluster: { server: mirror.url } }) })).message).toMatch(
      /signed by an unknown authority\.$/,
    );
    const renamed = await refusalOf({
      kubeconfig: writeKubeconfig({ cluster: { server: mirror.url, ...trusted, 'tls-server-name': 'db.orchard.invalid' } }),
    });
    expect(renamed.message).toContain('not made for the name db.orchard.invalid but for localhost, api.orchard.invalid, 127.0.0.1');
    const named = { server: mirror.url, ...trusted, 'tls-server-name': 'api.orchard.invalid' };
    expect(await seenBy({ kubeconfig: writeKubeconfig({ cluster: named }) })).toMatchObject({ name: 'api.orchard.invalid' });
    const unchecked = { server: mirror.url, 'insecure-skip-tls-verify': true };
    expect(await seenBy({ kubeconfig: writeKubeconfig({ cluster: unchecked }) })).toMatchObject({ path: '/api' });
  });

  it('words certificates that ran out or are too new', async () => {
    const past = new Date('2021-03-04');
    const expired = await serve(
      (_request, response) => response.end(),
      makeCertificate({ name: 'api', by: authority, ip: ['127.0.0.1'], until: past }),
    );
    expect((await refusalOf({ kubeconfig: writeKubeconfig({ cluster: { server: expired.url, ...trusted } }) })).message).toContain(
      'has expired, or this machine',
    );
    const oldAuthority = makeCertificate({ name: 'old authority', until: past });
    const signed = await serve(
      (_request, response) => response.end(),
      makeCertificate({ name: 'api', by: oldAuthority, ip: ['127.0.0.1'] }),
    );
    const cluster = { server: signed.url, 'certificate-authority-data': base64(oldAuthority.cert) };
    expect((await refusalOf({ kubeconfig: writeKubeconfig({ cluster }) })).message).toContain('expired on 2021-03-04');
    const early = await serve(
      (_request, response) => response.end(),
      makeCertificate({ name: 'api', by: authority, ip: ['127.0.0.1'], from: new Date(Date.now() + 9e7) }),
    );
    expect((await refusalOf({ kubeconfig: writeKubeconfig({ cluster: { server: early.url, ...trusted } }) })).message).toContain(
      'not valid yet',
    );
  });

  it('words the wrong protocol, a refused connection and an unknown name', async () => {
    const plain = await serve((_request, response) => response.end('{}'));
    const wrong = await refusalOf({ kubeconfig: writeKubeconfig({ cluster: { server: plain.url.replace('http:', 'https:') } }) });
    expect(wrong).toMatchObject({ kind: 'unreachable' });
    expect(wrong.message).toContain('does not speak TLS');
    const nobody = await refusalOf({ kubeconfig: writeKubeconfig({ cluster: { server: 'https://127.0.0.1:1' } }) });
    expect(nobody.message).toContain('Nothing listens at https://127.0.0.1:1');
    const unknown = await refusalOf({ kubeconfig: writeKubeconfig({ cluster: { server: `https://${UNRESOLVABLE}` } }) });
    expect(unknown.kind).toBe('unreachable');
    expect(unknown.message).toContain(`The name ${UNRESOLVABLE} is not known to DNS here`);
  });

  it('speaks plain HTTP, below a path, and hides a password in the address', async () => {
    const plain = await serve((request, response) => sendJson(response, 200, { path: request.url }));
    const server = `${plain.url.replace('//', '//jo:hunter2@')}/k8s/clusters/c-1/`;
    const port = await openCluster({ kubeconfig: writeKubeconfig({ cluster: { server } }) });
    expect(port.server).not.toContain('hunter2');
    expect(await seen(port)).toEqual({ path: '/k8s/clusters/c-1/api' });
  });

  it('goes through the proxy of the kubeconfig, with its password', async () => {
    const proxy = await serveProxy(mirror.port);
    const proxyUrl = proxy.url.replace('//', '//jo:hunter2@');
    const cluster = { server: 'https://api.orchard.invalid:6443', ...trusted, 'proxy-url': proxyUrl };
    const port = await openCluster({ kubeconfig: writeKubeconfig({ cluster, user: { token: 't' } }) });
    await port.request({ path: '/api' });
    expect(await seen(port)).toMatchObject({ authorization: 'Bearer t', name: 'api.orchard.invalid' });
    expect(proxy.tunnels).toEqual(['api.orchard.invalid:6443']);
    expect(proxy.authorizations).toEqual([`Basic ${base64('jo:hunter2')}`]);
  });

  it('goes through the proxy of the environment unless NO_PROXY excepts the server', async () => {
    const proxy = await serveProxy(mirror.port);
    const kubeconfig = writeKubeconfig({ cluster: { server: 'https://api.orchard.invalid', ...trusted } });
    const through = { ...NO_HOME, HTTPS_PROXY: proxy.url };
    expect(await seenBy({ kubeconfig, environment: through })).toMatchObject({ path: '/api' });
    expect(
      await seenBy({
        kubeconfig,
        environment: { ...NO_HOME, https_proxy: `127.0.0.1:${proxy.port}`, NO_PROXY: '10.0.0.0/8,api.orchard.invalid:8443' },
      }),
    ).toMatchObject({ path: '/api' });
    expect(proxy.tunnels).toEqual(['api.orchard.invalid:443', 'api.orchard.invalid:443']);
    const other = writeKubeconfig({ cluster: { server: `https://${UNRESOLVABLE}` } });
    const excepted = await refusalOf({ kubeconfig: other, environment: { ...through, NO_PROXY: '.orchard.invalid' } });
    expect(excepted.message).toContain(`The name ${UNRESOLVABLE} is not known`);
    expect(proxy.tunnels).toHaveLength(2);
    const plain = writeKubeconfig({ cluster: { server: 'http://plain.invalid:8080/base' } });
    expect(await seenBy({ kubeconfig: plain, environment: { ...NO_HOME, HTTP_PROXY: proxy.url } })).toEqual({ by: 'proxy' });
    expect(proxy.tunnels[2]).toBe('http://plain.invalid:8080/base/api');
  });

  it('words what proxies do wrong', async () => {
    const closed = await serveProxy(1, '407 Proxy Authentication Required');
    const kubeconfig = (proxy: string) =>
      writeKubeconfig({ cluster: { server: 'https://api.orchard.invalid', ...trusted, 'proxy-url': proxy } });
    expect((await refusalOf({ kubeconfig: kubeconfig(closed.url) })).message).toContain('wants a user name and password (407)');
    const forbidding = await serveProxy(1, '403 Not here');
    expect((await refusalOf({ kubeconfig: kubeconfig(forbidding.url) })).message).toContain(
      'does not let us through to api.orchard.invalid:443 (403 Not here)',
    );
    expect((await refusalOf({ kubeconfig: kubeconfig('http://127.0.0.1:1') })).message).toContain(
      'Nothing listens at the proxy http://127.0.0.1:1',
    );
    expect((await refusalOf({ kubeconfig: kubeconfig('socks5://127.0.0.1:1') })).message).toContain('only http and https proxies');
    const strange = await serveProxy(mirror.port);
    const untrusted = { server: 'https://elsewhere.invalid', ...trusted, 'proxy-url': strange.url };
    expect((await refusalOf({ kubeconfig: writeKubeconfig({ cluster: untrusted }) })).message).toContain(
      'not made for the name elsewhere.invalid',
    );
  });
});
