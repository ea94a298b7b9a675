import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { openCluster } from './access.ts';
import type { ClusterError } from './port.ts';
import { authority, base64, sendJson, serveTls, trusted, writeKubeconfig } from './testing-api.ts';

function jwt(exp: number, name: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp, name })}.sig`;
}

const PAST = jwt(1_500_000_000, 'past');
const FRESH = jwt(4_000_000_000, 'fresh');

interface Asked {
  readonly form: Record<string, string>;
  readonly authorization: string | undefined;
}

/** An identity provider that knows one refresh token. */
async function provider(
  methods: readonly string[],
  answers: Readonly<Record<string, unknown>> = { id_token: FRESH, refresh_token: 'second' },
) {
  const asked: Asked[] = [];
  const running = await serveTls((request, response) => {
    if (request.url === '/realm/.well-known/openid-configuration') {
      sendJson(response, 200, { token_endpoint: `${running.url}/token`, token_endpoint_auth_methods_supported: methods });
      return;
    }
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text));
      asked.push({ form, authorization: request.headers.authorization });
      if (form['refresh_token'] === 'first') sendJson(response, 200, answers);
      else sendJson(response, 400, { error: 'invalid_grant', error_description: 'Session not active' });
    });
  });
  return { url: `${running.url}/realm`, asked };
}

async function visit(config: Readonly<Record<string, unknown>>, written?: (file: string) => void): Promise<(string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  const api = await serveTls((request, response) => {
    seen.push(request.headers.authorization);
    sendJson(response, 200, {});
  });
  const user = { 'auth-provider': { name: 'oidc', config } };
  const kubeconfig = writeKubeconfig({ cluster: { server: api.url, ...trusted }, user });
  written?.(kubeconfig);
  const port = await openCluster({ kubeconfig, environment: {} });
  try {
    await port.request({ path: '/api' });
    await port.request({ path: '/api' });
  } finally {
    port.close();
  }
  return seen;
}

async function wordsOf(config: Readonly<Record<string, unknown>>): Promise<string> {
  const error = await visit(config).then(
    () => undefined,
    (reason: ClusterError) => reason,
  );
  expect(error?.kind).toBe('unauthorized');
  return error?.message ?? '';
}

const common = { 'client-id': 'podcause', 'idp-certificate-authority-data': base64(authority.cert) };

describe('OIDC', () => {
  it('uses the token of the kubeconfig while it lasts', async () => {
    expect(await visit({ ...common, 'id-token': FRESH })).toEqual([`Bearer ${FRESH}`, `Bearer ${FRESH}`]);
  });

  it.each([
    ['in the header', ['client_secret_basic'], `Basic ${base64('podcause:hush%20now')}`, undefined],
    ['in the form', ['client_secret_post'], undefined, 'hush now'],
  ])('renews it once with the refresh token, the secret %s', async (_name, methods, authorization, secret) => {
    const idp = await provider(methods);
    const config = { ...common, 'client-secret': 'hush now', 'idp-issuer-url': idp.url, 'id-token': PAST, 'refresh-token': 'first' };
    expect(await visit(config)).toEqual([`Bearer ${FRESH}`, `Bearer ${FRESH}`]);
    expect(idp.asked).toHaveLength(1);
    expect(idp.asked[0]).toMatchObject({
      authorization,
      form: { grant_type: 'refresh_token', refresh_token: 'first', client_id: 'podcause' },
    });
    expect(idp.asked[0]?.form['client_secret']).toBe(secret);
  });

  it('writes a new refresh token back, for kubectl, and nothing where the old one stays good', async () => {
    const text = (file: string) => readFileSync(file, 'utf8');
    let file = '';
    const prepare = (path: string) => {
      file = path;
      const yaml = stringify(JSON.parse(text(path))).replace('kind: Config', 'kind: Config # mine, 0123');
      writeFileSync(path, yaml, { mode: 0o600 });
    };
    const expired = { ...common, 'id-token': PAST, 'refresh-token': 'first' };
    const rotating = await provider([]);
    await visit({ ...expired, 'idp-issuer-url': rotating.url }, prepare);
    const kept = parse(text(file)).users[0].user['auth-provider'].config;
    expect(kept).toMatchObject({ ...common, 'id-token': FRESH, 'refresh-token': 'second' });
    expect(text(file)).toContain('kind: Config # mine, 0123');
    expect(readdirSync(dirname(file))).toEqual(['config']);
    const steady = await provider([], { id_token: FRESH });
    await visit({ ...expired, 'idp-issuer-url': steady.url }, prepare);
    expect(text(file)).toContain(PAST);
  });

  it('says why it cannot be renewed', async () => {
    const idp = await provider([]);
    const expired = { ...common, 'idp-issuer-url': idp.url, 'id-token': PAST };
    expect(await wordsOf(expired)).toContain('there is no refresh token');
    expect(await wordsOf({ ...expired, 'refresh-token': 'used up' })).toMatch(
      /does not renew the token \(400: Session not active\)\. Sign in again/,
    );
    expect(await wordsOf({ ...common, 'id-token': PAST, 'refresh-token': 'first' })).toContain('no idp-issuer-url');
    const silent = await provider([], {});
    expect(await wordsOf({ ...expired, 'idp-issuer-url': silent.url, 'refresh-token': 'first' })).toContain('gave no id_token');
  });
});
