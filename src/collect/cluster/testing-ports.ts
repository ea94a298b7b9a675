import type { RequestListener, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { createHttpsPort, type PortSetup } from './https-port.ts';
import { fixed } from './identities.ts';
import type { Credentials, Timing } from './link.ts';
import { ClusterError, type ClusterPort, type ClusterRequest } from './port.ts';
import { authority, sendJson, whenDone } from './testing-api.ts';

const QUICK: Partial<Timing> = { pause: 1, connect: 10_000, idle: 10_000, request: 20_000 };

export function open(
  url: string,
  timing: Partial<Timing> = {},
  more: Partial<PortSetup['link']> = {},
  credentials: Credentials = fixed({ headers: { authorization: 'Bearer t0ken-of-the-test' } }),
): ClusterPort {
  const port = createHttpsPort({
    link: { server: new URL(url), tls: { rejectUnauthorized: true, ca: authority.cert }, compressed: false, ...more },
    credentials,
    namespace: 'default',
    timing: { ...QUICK, ...timing },
  });
  whenDone(() => port.close());
  return port;
}

export async function errorOf(port: ClusterPort, request: ClusterRequest = { path: '/api/v1/pods' }): Promise<ClusterError> {
  const error = await port.request(request).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClusterError);
  expect((error as ClusterError).message).not.toContain('t0ken-of-the-test');
  return error as ClusterError;
}

export function textOf(answer: { readonly body: Uint8Array }): string {
  return Buffer.from(answer.body).toString();
}

/** Answers its first requests one way and the later ones well. */
export function flaky(times: number, bad: (response: ServerResponse) => void): RequestListener {
  let left = times;
  return (_request, response) => {
    if (left-- > 0) bad(response);
    else sendJson(response, 200, { fine: true });
  };
}
