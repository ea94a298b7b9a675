import type { TLSSocket } from 'node:tls';
import { expect } from 'vitest';
import { type ClusterOptions, openCluster } from './access.ts';
import { ClusterError, type ClusterPort } from './port.ts';
import { sendJson, serveTls } from './testing-api.ts';

/** A label longer than a name may have is refused without asking any server. */
export const UNRESOLVABLE = `${'x'.repeat(64)}.orchard.invalid`;

export const NO_HOME = { HOME: '/nonexistent', PATH: process.env['PATH'] };

/** A server that answers who it takes us for. */
export const mirror = await serveTls((request, response) => {
  const peer = (request.socket as TLSSocket).getPeerCertificate();
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => /^(authorization|impersonate-)/.test(name)));
  sendJson(response, 200, {
    path: request.url,
    ...headers,
    certificate: peer?.subject?.CN,
    name: (request.socket as TLSSocket & { servername?: string }).servername,
  });
});

export async function seen(port: ClusterPort, path = '/api'): Promise<Record<string, unknown>> {
  try {
    const { body } = await port.request({ path });
    return JSON.parse(Buffer.from(body).toString());
  } finally {
    port.close();
  }
}

export async function seenBy(options: ClusterOptions): Promise<Record<string, unknown>> {
  return seen(await openCluster({ environment: NO_HOME, ...options }));
}

export async function refusalOf(options: ClusterOptions): Promise<ClusterError> {
  const error = await seenBy(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClusterError);
  return error as ClusterError;
}
