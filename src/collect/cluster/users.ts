import { readFileSync } from 'node:fs';
import { errorCode } from '../collect-error.ts';
import { type Entry, entryOf, textIn, textsIn } from './entries.ts';
import { runPlugin } from './exec-plugin.ts';
import { fixed, renewable, withToken } from './identities.ts';
import { dataIn, type Named, pathIn } from './kubeconfig.ts';
import type { Credentials, Identity } from './link.ts';
import { createOidc } from './oidc.ts';
import { ClusterError } from './port.ts';
import { harmless } from './words.ts';

/** Rotated tokens are picked up at least this often. */
const TOKEN_FILE_AGE = 60_000;

export interface UserSetup {
  readonly user: Named;
  readonly cluster: Entry;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMilliseconds: number;
}

/** How a user of a kubeconfig shows who it is; the first of its ways that is given, in kubectl's order. */
export function credentialsOf(setup: UserSetup): Credentials {
  const { user, environment } = setup;
  const { entry } = user;
  const tokenFile = pathIn(user, 'tokenFile');
  if (tokenFile !== undefined) return fromTokenFile(tokenFile, () => baseOf(user));
  const token = textIn(entry, 'token');
  if (token !== undefined) return fixed(withToken(baseOf(user), token));
  if (entry['exec'] !== undefined) return fromPlugin(setup);
  const provider = entryOf(entry['auth-provider']);
  const name = textIn(provider, 'name');
  if (name !== undefined) return fromProvider(name, { ...user, entry: entryOf(provider['config']) }, baseOf(user), environment);
  const username = textIn(entry, 'username');
  if (username !== undefined) return fixed(withBasic(baseOf(user), username, textIn(entry, 'password') ?? ''));
  const files = pathIn(user, 'client-certificate') ?? pathIn(user, 'client-key');
  return files === undefined ? fixed(baseOf(user)) : renewable(async () => ({ identity: baseOf(user) }));
}

export function fromTokenFile(path: string, base: () => Identity): Credentials {
  return renewable(async () => ({ identity: withToken(base(), readToken(path)), until: Date.now() + TOKEN_FILE_AGE }));
}

function readToken(path: string): string {
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ClusterError('unauthorized', `Cannot read the token file ${path} (${errorCode(error)}).`, { cause: error });
  }
  if (token !== '' && !/[^\x21-\x7e]/.test(token)) return token;
  throw new ClusterError('unauthorized', `The token file ${path} holds no token.`);
}

/** What every request of the user carries, whatever its token: the certificate and whom to act as. */
function baseOf(user: Named): Identity {
  const cert = dataIn(user, 'client-certificate-data', 'client-certificate');
  const key = dataIn(user, 'client-key-data', 'client-key');
  if ((cert === undefined) !== (key === undefined)) {
    throw new ClusterError(
      'unauthorized',
      `The user "${harmless(user.name, 200)}" of the kubeconfig has a client ${cert ? 'certificate without its key' : 'key without its certificate'}.`,
    );
  }
  return { headers: impersonation(user.entry), ...(cert && key ? { cert, key } : {}) };
}

function impersonation(entry: Entry): Record<string, string | readonly string[]> {
  const as = textIn(entry, 'as');
  const uid = textIn(entry, 'as-uid');
  const groups = textsIn(entry, 'as-groups');
  const extra = entryOf(entry['as-user-extra']);
  return {
    ...(as !== undefined ? { 'impersonate-user': as } : {}),
    ...(uid !== undefined ? { 'impersonate-uid': uid } : {}),
    ...(groups.length > 0 ? { 'impersonate-group': groups } : {}),
    ...Object.fromEntries(
      Object.keys(extra).map((key) => [`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, textsIn(extra, key)]),
    ),
  };
}

function withBasic(base: Identity, username: string, password: string): Identity {
  const pair = Buffer.from(`${username}:${password}`).toString('base64');
  return { ...base, headers: { ...base.headers, authorization: `Basic ${pair}` } };
}

function fromPlugin({ user, cluster, environment, timeoutMilliseconds }: UserSetup): Credentials {
  const plugin = { ...user, entry: entryOf(user.entry['exec']) };
  const base = baseOf(user);
  return renewable(async () => {
    const { token, cert, key, until } = await runPlugin({ plugin, environment, cluster, timeoutMilliseconds });
    const identity = { ...base, ...(cert !== undefined && key !== undefined ? { cert, key } : {}) };
    return { identity: token === undefined ? identity : withToken(identity, token), ...(until !== undefined ? { until } : {}) };
  });
}

function fromProvider(name: string, provider: Named, base: Identity, environment: NodeJS.ProcessEnv): Credentials {
  if (name === 'oidc') {
    const session = createOidc(provider, environment);
    return renewable(async () => {
      const { token, until } = await session.next();
      return { identity: withToken(base, token), ...(until !== undefined ? { until } : {}) };
    });
  }
  const instead = name === 'gcp' ? 'gke-gcloud-auth-plugin' : name === 'azure' ? 'kubelogin' : 'a credential plug-in (exec)';
  throw new ClusterError(
    'unauthorized',
    `The auth-provider "${harmless(name, 100)}" of the kubeconfig is not known; kubectl knows it no more either. Use ${instead}.`,
  );
}
