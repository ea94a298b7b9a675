import { createAgents } from './agents.ts';
import { type Entry, entryOf, textIn } from './entries.ts';
import { exchange } from './exchange.ts';
import { dataIn, type Named } from './kubeconfig.ts';
import { type Link, shownAddress, TIMING } from './link.ts';
import { isRecord, parsed } from './list-meta.ts';
import { keepTokens } from './oidc-store.ts';
import { ClusterError } from './port.ts';
import { proxyFor } from './proxies.ts';
import { jwtExpiry } from './refusals.ts';
import { harmless } from './words.ts';

const MOST_BYTES = 1024 * 1024;
const MARGIN = 10_000;

export interface OidcToken {
  readonly token: string;
  readonly until?: number;
}

export interface OidcSession {
  /** The identity token in hand while it is good, else a new one by the refresh token. */
  next(): Promise<OidcToken>;
}

/** The provider's configuration as the kubeconfig has it under `auth-provider`. */
export function createOidc(provider: Named, environment: NodeJS.ProcessEnv): OidcSession {
  let token = textIn(provider.entry, 'id-token');
  let refreshToken = textIn(provider.entry, 'refresh-token');
  return {
    async next() {
      const inHand = token === undefined ? undefined : { token, ...untilOf(token) };
      // What was handed out once and is asked for again was refused or ran out.
      token = undefined;
      if (inHand && (inHand.until === undefined || inHand.until - MARGIN > Date.now())) return inHand;
      if (refreshToken === undefined)
        throw refused('The OIDC token of the kubeconfig ran out and there is no refresh token. Sign in again.');
      const answer = await refresh(provider, refreshToken, environment);
      const fresh = textIn(answer, 'id_token');
      if (fresh === undefined) throw refused('The OIDC provider gave no id_token for the refresh token of the kubeconfig. Sign in again.');
      const rotated = textIn(answer, 'refresh_token');
      if (rotated !== undefined && rotated !== refreshToken)
        keepTokens(provider.file, provider.name, { idToken: fresh, refreshToken: rotated });
      refreshToken = rotated ?? refreshToken;
      return { token: fresh, ...untilOf(fresh) };
    },
  };
}

function untilOf(token: string): { readonly until?: number } {
  const until = jwtExpiry(token);
  return until === undefined ? {} : { until };
}

function refused(message: string): ClusterError {
  return new ClusterError('unauthorized', message);
}

async function refresh(provider: Named, refreshToken: string, environment: NodeJS.ProcessEnv): Promise<Entry> {
  const issuer = textIn(provider.entry, 'idp-issuer-url');
  const clientId = textIn(provider.entry, 'client-id');
  if (issuer === undefined || clientId === undefined)
    throw refused('The kubeconfig names no idp-issuer-url or client-id, so its OIDC token cannot be renewed.');
  const found = await ask(provider, environment, `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`);
  const endpoint = textIn(found, 'token_endpoint');
  if (endpoint === undefined) throw refused(`The OIDC provider ${shownIssuer(issuer)} names no token endpoint.`);
  const secret = textIn(provider.entry, 'client-secret');
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId });
  const methods = found['token_endpoint_auth_methods_supported'];
  const inBody = Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  if (secret !== undefined && inBody) form.set('client_secret', secret);
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret ?? '')}`;
  const basic = secret === undefined || inBody ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  return ask(provider, environment, endpoint, form.toString(), basic);
}

/** One question to the identity provider; a form makes it a POST. */
async function ask(
  provider: Named,
  environment: NodeJS.ProcessEnv,
  address: string,
  form?: string,
  headers: Record<string, string> = {},
): Promise<Entry> {
  if (!URL.canParse(address)) throw refused('The OIDC provider of the kubeconfig has no valid address.');
  const url = new URL(address);
  const link = linkTo(url, provider, environment);
  const agents = createAgents(link);
  try {
    const { status, body } = await exchange(link, agents.agentFor({ headers: {} }), {
      method: form === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: form }),
      limit: MOST_BYTES,
      left: TIMING.connect * 2,
      timing: TIMING,
      signal: new AbortController().signal,
    });
    const answer = parsed(Buffer.from(body).toString());
    if (status === 200 && isRecord(answer)) return answer;
    const why = textIn(entryOf(answer), 'error_description') ?? textIn(entryOf(answer), 'error') ?? '';
    throw refused(
      `The OIDC provider ${shownAddress(link.server)} does not renew the token (${status}${why && `: ${harmless(why, 300)}`}). Sign in again.`,
    );
  } finally {
    agents.destroy();
  }
}

function linkTo(url: URL, provider: Named, environment: NodeJS.ProcessEnv): Link {
  const ca = dataIn(provider, 'idp-certificate-authority-data', 'idp-certificate-authority');
  const proxy = proxyFor(url, undefined, environment);
  const tls = { rejectUnauthorized: true, ...(ca ? { ca } : {}) };
  return { server: new URL(url.origin), tls, compressed: false, ...(proxy ? { proxy } : {}) };
}

function shownIssuer(issuer: string): string {
  return URL.canParse(issuer) ? shownAddress(new URL(issuer)) : 'of the kubeconfig';
}
