import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { PortSetup } from './https-port.ts';
import { fromTokenFile } from './users.ts';

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Access by the service account of the pod we run in; undefined outside of one. */
export function inCluster(environment: NodeJS.ProcessEnv, folder = SERVICE_ACCOUNT): PortSetup | undefined {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  const token = contentOf(join(folder, 'token'));
  if (!host || !port || token === undefined || !/^\d{1,5}$/.test(port)) return undefined;
  const ca = contentOf(join(folder, 'ca.crt'));
  return {
    // The network inside a cluster is faster than any compression.
    link: {
      server: new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`),
      tls: { rejectUnauthorized: true, ...(ca !== undefined ? { ca } : {}) },
      compressed: false,
    },
    credentials: fromTokenFile(join(folder, 'token'), () => ({ headers: {} })),
    namespace: contentOf(join(folder, 'namespace'))?.trim() || 'default',
  };
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
