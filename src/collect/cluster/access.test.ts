import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { type ClusterOptions, openCluster } from './access.ts';
import { createHttpsPort } from './https-port.ts';
import { inCluster } from './in-cluster.ts';
import { ClusterError, type ClusterPort } from './port.ts';
import {
  authority,
  base64,
  clientPair,
  kubeconfigText,
  scratch,
  sendJson,
  serve,
  serveProxy,
  serverPair,
  serveTls,
  trusted,
  writeKubeconfig,
} from './testing-api.ts';
import { makeCertificate } from './testing-certificates.ts';

/** A label longer than a name may have is refused without asking any server. */
const UNRESOLVABLE = `${'x'.repeat(64)}.orchard.invalid`;

const NO_HOME = { HOME: '/nonexistent', PATH: process.env['PATH'] };

/** A server that answers who it takes us for. */
const mirror = await serveTls((request, response) => {
  const peer = (request.socket as TLSSocket).getPeerCertificate();
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => /^(authorization|impersonate-)/.test(name)));
  sendJson(response, 200, {
    path: request.url,
    ...headers,
    certificate: peer?.subject?.CN,
    name: (request.socket as TLSSocket & { servername?: string }).servername,
  });
});

async function seen(port: ClusterPort, path = '/api'): Promise<Record<string, unknown>> {
  try {
    const { body } = await port.request({ path });
    return JSON.parse(Buffer.from(body).toString());
  } finally {
    port.close();
  }
}

async function seenBy(options: ClusterOptions): Promise<Record<string, unknown>> {
  return seen(await openCluster({ environment: NO_HOME, ...options }));
}

async function refusalOf(options: ClusterOptions): Promise<ClusterError> {
  const error = await seenBy(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClusterError);
  return error as ClusterError;
}

function userFile(user: Readonly<Record<string, unknown>>): string {
  return writeKubeconfig({ cluster: { server: mirror.url, ...trusted }, user });
}

describe('kubeconfig files', () => {
  it('merges the files of KUBECONFIG: the first to name a thing wins, missing files do not matter', async () => {
    const folder = scratch();
    const first = join(folder, 'first');
    const second = join(folder, 'second');
    writeFileSync(first, JSON.stringify({ users: [{ name: 'u', user: { token: 'from-first' } }] }));
    writeFileSync(
      second,
      kubeconfigText({ cluster: { server: mirror.url, ...trusted }, user: { token: 'from-second' }, namespace: 'pears' }),
    );
    const port = await openCluster({ environment: { ...NO_HOME, KUBECONFIG: `${first}:${join(folder, 'absent')}:${second}` } });
    expect(port).toMatchObject({ context: 'orchard', namespace: 'pears', server: mirror.url });
    expect(await seen(port)).toMatchObject({ authorization: 'Bearer from-first' });
  });

  it('reads ~/.kube/config, with certificates relative to it', async () => {
    const home = scratch();
    mkdirSync(join(home, '.kube'));
    writeFileSync(join(home, '.kube', 'ca.pem'), authority.cert);
    writeFileSync(join(home, '.kube', 'marla.pem'), clientPair.cert);
    writeFileSync(join(home, '.kube', 'marla.key'), clientPair.key);
    const user = { 'client-certificate': 'marla.pem', 'client-key': 'marla.key' };
    writeFileSync(
      join(home, '.kube', 'config'),
      kubeconfigText({ cluster: { server: mirror.url, 'certificate-authority': 'ca.pem' }, user }),
    );
    expect(await seenBy({ environment: { HOME: home } })).toMatchObject({ certificate: 'marla' });
  });

  it('takes the named context and lists near names for a wrong one', async () => {
    const file = join(scratch(), 'config');
    const contexts = ['orchard-prod', 'orchard-test', 'vineyard'].map((name) => ({
      name,
      context: { cluster: 'c', user: 'u', namespace: `ns-${name}` },
    }));
    const clusters = [{ name: 'c', cluster: { server: mirror.url, ...trusted } }];
    writeFileSync(
      file,
      JSON.stringify({ 'current-context': 'vineyard', contexts, clusters, users: [{ name: 'u', user: { token: 't' } }] }),
    );
    const port = await openCluster({ kubeconfig: file, context: 'orchard-test' });
    port.close();
    expect(port.namespace).toBe('ns-orchard-test');
    const error = await refusalOf({ kubeconfig: file, context: 'orchad-prod' });
    expect(error.message).toMatch(/no context "orchad-prod" in .*config\. There is: orchard-prod, orchard-test, vineyard\./);
  });

  it('says what is missing: file, context, cluster, user, server, or everything', async () => {
    expect((await refusalOf({ kubeconfig: '/nonexistent/config' })).message).toContain('/nonexistent/config: there is no such file');
    expect((await refusalOf({})).message).toContain('No cluster is configured');
    const file = join(scratch(), 'config');
    const say = async (content: unknown) => {
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return (await refusalOf({ kubeconfig: file })).message;
    };
    const context = [{ name: 'a', context: { cluster: 'c', user: 'u' } }];
    expect(await say({ contexts: context })).toContain('Choose one with --context: a.');
    expect(await say({ 'current-context': 'a', contexts: context })).toContain('names the cluster "c", which is not in it');
    const clusters = [{ name: 'c', cluster: {} }];
    expect(await say({ 'current-context': 'a', contexts: context, clusters })).toContain('names the user "u"');
    expect(await say({ 'current-context': 'a', contexts: context, clusters, users: [{ name: 'u' }] })).toContain('no valid server address');
    const broken = await say('users: [{user: {token: s3cret-token-value}');
    expect(broken).toContain('not valid YAML');
    expect(broken).not.toContain('s3cret');
  });
});

describe('who we are', () => {
  it.each([
    ['a token of digits stays text', { token: '0123456789' }, { authorization: 'Bearer 0123456789' }],
    ['basic', { username: 'marla', password: 'pé:x' }, { authorization: `Basic ${base64('marla:pé:x')}` }],
    [
      'certificate data',
      { 'client-certificate-data': base64(clientPair.cert), 'client-key-data': base64(clientPair.key) },
      { certificate: 'marla' },
    ],
    [
      'impersonation',
      { token: 't', as: 'jo', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': { Scope: ['x'] } },
      { 'impersonate-user': 'jo', 'impersonate-uid': '7', 'impersonate-group': 'a, b', 'impersonate-extra-scope': 'x' },
    ],
    ['nobody', {}, { path: '/api' }],
  ])('%s', async (_name, user, expected) => {
    expect(await seenBy({ kubeconfig: userFile(user) })).toMatchObject(expected);
  });

  it('reads a token file anew after it was refused, and prefers it to a token', async () => {
    const folder = scratch();
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'old\n');
    const asked: (string | undefined)[] = [];
    const server = await serveTls((request, response) => {
      asked.push(request.headers.authorization);
      writeFileSync(tokenFile, 'new\n');
      sendJson(response, request.headers.authorization === 'Bearer new' ? 200 : 401, {});
    });
    const kubeconfig = writeKubeconfig(
      { cluster: { server: server.url, ...trusted }, user: { token: 'inline', tokenFile: 'token' } },
      folder,
    );
    await seenBy({ kubeconfig });
    expect(asked).toEqual(['Bearer old', 'Bearer new']);
  });

  it('uses the service account of its pod, and its rotated token', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'token'), 'one');
    writeFileSync(join(folder, 'ca.crt'), authority.cert);
    writeFileSync(join(folder, 'namespace'), 'tools\n');
    const asked: (string | undefined)[] = [];
    const server = await serveTls((request, response) => {
      asked.push(request.headers.authorization);
      writeFileSync(join(folder, 'token'), 'two');
      sendJson(response, asked.length === 1 ? 401 : 200, {});
    });
    const setup = inCluster({ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port) }, folder);
    if (!setup) throw new Error('not taken for a pod');
    const port = createHttpsPort(setup);
    expect(port.namespace).toBe('tools');
    await seen(port);
    expect(asked).toEqual(['Bearer one', 'Bearer two']);
    expect(inCluster({}, folder)).toBeUndefined();
    expect(inCluster({ KUBERNETES_SERVICE_HOST: 'x', KUBERNETES_SERVICE_PORT: '1' }, scratch())).toBeUndefined();
  });

  it('says when what was refused had run out, and shows no secret', async () => {
    const server = await serveTls((_request, response) => sendJson(response, 401, { kind: 'Status', message: 'Unauthorized' }));
    const payload = Buffer.from(JSON.stringify({ exp: 1_500_000_000 })).toString('base64url');
    const token = `eyJhbGciOiJSUzI1NiJ9.${payload}.c2lnbmF0dXJl`;
    const cluster = { server: server.url, ...trusted };
    const byToken = await refusalOf({ kubeconfig: writeKubeconfig({ cluster, user: { token } }) });
    expect(byToken).toMatchObject({ kind: 'unauthorized', status: 401 });
    expect(byToken.message).toContain('The token expired on 2017-07-14');
    expect(byToken.message).not.toContain(payload);
    const old = makeCertificate({ name: 'old', by: authority, until: new Date('2020-02-02') });
    const user = { 'client-certificate-data': base64(old.cert), 'client-key-data': base64(old.key) };
    expect((await refusalOf({ kubeconfig: writeKubeconfig({ cluster, user }) })).message).toContain(
      'The client certificate expired on 2020-02-02',
    );
  });

  it('takes auth providers of the client library, and their command', async () => {
    const command = join(scratch(), 'cloud');
    writeFileSync(command, `#!/bin/sh\necho '{"credential":{"access_token":"from-command","token_expiry":"2099-01-01T00:00:00Z"}}'\n`);
    chmodSync(command, 0o755);
    const config = {
      'access-token': 'stale',
      expiry: '2020-01-01T00:00:00Z',
      'cmd-path': command,
      'token-key': '{.credential.access_token}',
      'expiry-key': '{.credential.token_expiry}',
    };
    expect(await seenBy({ kubeconfig: userFile({ 'auth-provider': { name: 'gcp', config } }) })).toMatchObject({
      authorization: 'Bearer from-command',
    });
    const error = await refusalOf({ kubeconfig: userFile({ 'auth-provider': { name: 'azure', config: {} } }) });
    expect(error).toMatchObject({ kind: 'unauthorized' });
    expect(error.message).toContain('auth-provider azure');
    expect((await refusalOf({ kubeconfig: userFile({ 'auth-provider': { name: 'openstack' } }) })).message).toContain('"openstack"');
  });
});

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
    expect(serverPair.name).toBe('api');
  });
});
