import { KubeConfig } from '@kubernetes/client-node/dist/config.js';

/** An `auth-provider` of a kubeconfig other than OIDC: `gcp` or `azure`. */
export interface AuthProvider {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The Authorization header an auth provider gives, by running its command where the token ran out.
 * Loaded on its own and only for such users: the client library costs more time than the rest of the program.
 */
export async function askAuthProvider(provider: AuthProvider): Promise<string | undefined> {
  const client = new KubeConfig();
  const user = { name: 'user', authProvider: { name: provider.name, config: { ...provider.config } } };
  client.loadFromClusterAndUser({ name: 'cluster', server: 'https://localhost', skipTLSVerify: false }, user);
  const options: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {};
  await client.applyToHTTPSOptions(options);
  const headers: unknown = options.headers;
  const header = typeof headers === 'object' && headers !== null && 'Authorization' in headers ? headers.Authorization : undefined;
  return typeof header === 'string' ? header : undefined;
}
