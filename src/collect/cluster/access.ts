import { readFileSync } from 'node:fs';
import { type Entry, isTrue, textIn } from './entries.ts';
import { createHttpsPort, type PortSetup } from './https-port.ts';
import { fixed } from './identities.ts';
import { inCluster } from './in-cluster.ts';
import { type Chosen, chooseContext, dataIn } from './kubeconfig.ts';
import { hostOf, type Link, TIMING } from './link.ts';
import { ClusterError, type ClusterPort } from './port.ts';
import { isLocal, proxyFor } from './proxies.ts';
import { credentialsOf } from './users.ts';
import { harmless } from './words.ts';

export interface ClusterOptions {
  /** One file; else those of KUBECONFIG, else ~/.kube/config, else the service account of this pod. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Of each request with its retries. */
  readonly timeoutMilliseconds?: number;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Opens the door; nothing is sent yet. Throws a ClusterError where the configuration leads nowhere. */
export async function openCluster(options: ClusterOptions = {}): Promise<ClusterPort> {
  const environment = options.environment ?? process.env;
  const request = options.timeoutMilliseconds ?? TIMING.request;
  const chosen = chooseContext({ ...options, environment });
  const setup = chosen ? fromContext(chosen, environment, request) : inCluster(environment);
  if (!setup) throw new ClusterError('unreachable', noCluster(environment));
  return createHttpsPort({ ...setup, timing: { request } });
}

function noCluster(environment: NodeJS.ProcessEnv): string {
  const looked = environment['KUBECONFIG'] ? `the files of KUBECONFIG (${harmless(environment['KUBECONFIG'], 300)})` : '~/.kube/config';
  return `No cluster is configured: there is nothing in ${looked}, and this is not a pod with a service account. Name a kubeconfig with --kubeconfig.`;
}

function fromContext(chosen: Chosen, environment: NodeJS.ProcessEnv, timeoutMilliseconds: number): PortSetup {
  const { context, cluster, user, namespace = 'default' } = chosen;
  const setup = { cluster: cluster.entry, environment, timeoutMilliseconds };
  return {
    link: linkOf(chosen, environment),
    credentials: user ? credentialsOf({ user, ...setup }) : fixed({ headers: {} }),
    context,
    namespace,
  };
}

function linkOf({ cluster, context }: Chosen, environment: NodeJS.ProcessEnv): Link {
  const server = serverOf(cluster.entry, context);
  const rejectUnauthorized = !isTrue(cluster.entry, 'insecure-skip-tls-verify');
  const given = dataIn(cluster, 'certificate-authority-data', 'certificate-authority');
  const ca = server.protocol === 'https:' && rejectUnauthorized ? (given ?? systemAuthorities(environment)) : undefined;
  const servername = textIn(cluster.entry, 'tls-server-name');
  const proxy = proxyFor(server, textIn(cluster.entry, 'proxy-url'), environment);
  return {
    server,
    tls: { rejectUnauthorized, ...(ca !== undefined ? { ca } : {}), ...(servername !== undefined ? { servername } : {}) },
    // Packing and unpacking costs more than it saves where no network lies in between.
    compressed: !isLocal(hostOf(server)) && !isTrue(cluster.entry, 'disable-compression'),
    ...(proxy ? { proxy } : {}),
  };
}

function serverOf(entry: Entry, context: string): URL {
  const address = textIn(entry, 'server') ?? '';
  const whole = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (address !== '' && url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new ClusterError('unreachable', `The context "${harmless(context, 200)}" of the kubeconfig has no valid server address.`);
}

const BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/ca-bundle.pem', '/etc/ssl/cert.pem'];

/** As kubectl does: Node's own list lacks the authorities a company adds to its machines. Undefined is Node's list. */
function systemAuthorities(environment: NodeJS.ProcessEnv): readonly string[] | undefined {
  for (const file of [environment['SSL_CERT_FILE'], ...BUNDLES]) {
    if (!file) continue;
    try {
      return [readFileSync(file, 'utf8')];
    } catch {
      // The next one.
    }
  }
  return undefined;
}
