import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openCluster } from './access.ts';
import { createHttpsPort } from './https-port.ts';
import { inCluster } from './in-cluster.ts';
import { authority, base64, clientPair, kubeconfigText, scratch, sendJson, serveTls, trusted, writeKubeconfig } from './testing-api.ts';
import { makeCertificate } from './testing-certificates.ts';
import { mirror, NO_HOME, refusalOf, seen, seenBy } from './testing-visits.ts';

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
    ['a token', { token: '0123456789' }, { authorization: 'Bearer 0123456789' }],
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

  it('takes YAML as text, whatever it looks like', async () => {
    const kubeconfig = writeKubeconfig({ cluster: { server: mirror.url, ...trusted }, user: { token: 'TOKEN' } });
    writeFileSync(kubeconfig, stringify(JSON.parse(readFileSync(kubeconfig, 'utf8'))).replace('TOKEN', '0123e4 # of digits'));
    expect(await seenBy({ kubeconfig })).toMatchObject({ authorization: 'Bearer 0123e4' });
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

  it('names what replaced the auth-providers that kubectl dropped', async () => {
    const wordsFor = async (name: string) => (await refusalOf({ kubeconfig: userFile({ 'auth-provider': { name, config: {} } }) })).message;
    expect(await wordsFor('gcp')).toContain('gke-gcloud-auth-plugin');
    expect(await wordsFor('azure')).toContain('kubelogin');
    expect(await wordsFor('openstack')).toContain('"openstack"');
  });
});
