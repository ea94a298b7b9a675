import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { openCluster } from './access.ts';
import type { ClusterError } from './port.ts';
import { clientPair, scratch, sendJson, serveTls, trusted, writeKubeconfig } from './testing-api.ts';

const API = 'client.authentication.k8s.io/v1';

interface Plugin {
  readonly folder: string;
  readonly runs: () => number;
  readonly exec: Readonly<Record<string, unknown>>;
}

/** A real executable beside the kubeconfig; `$n` is the number of this run. */
function plugin(script: string, settings: Readonly<Record<string, unknown>> = {}): Plugin {
  const folder = scratch();
  const count = join(folder, 'count');
  const file = join(folder, 'signer');
  writeFileSync(file, `#!/bin/sh\necho run >> ${count}\nn=$(wc -l < ${count} | tr -d ' ')\n${script}\n`);
  chmodSync(file, 0o755);
  return {
    folder,
    runs: () => (existsSync(count) ? readFileSync(count, 'utf8').trim().split('\n').length : 0),
    exec: { apiVersion: API, command: './signer', interactiveMode: 'Never', ...settings },
  };
}

function credential(status: string): string {
  return `cat <<END\n{"kind":"ExecCredential","apiVersion":"${API}","status":${status}}\nEND`;
}

async function visit({ folder, exec }: Plugin, server: string, times = 1, timeoutMilliseconds = 20_000): Promise<void> {
  const kubeconfig = writeKubeconfig({ cluster: { server, ...trusted }, user: { exec } }, folder);
  const port = await openCluster({ kubeconfig, environment: { PATH: process.env['PATH'], ORCHARD: 'apple' }, timeoutMilliseconds });
  try {
    for (let time = 0; time < times; time++) await port.request({ path: '/api' });
  } finally {
    port.close();
  }
}

async function errorOf(one: Plugin, server = 'https://127.0.0.1:1', timeoutMilliseconds?: number): Promise<ClusterError> {
  return visit(one, server, 1, timeoutMilliseconds).then(
    () => {
      throw new Error('it was let in');
    },
    (error: ClusterError) => error,
  );
}

describe('credential plug-ins', () => {
  it('are run once while what they gave lasts, told about the cluster, with arguments and environment', async () => {
    const seen: (string | undefined)[] = [];
    const server = await serveTls((request, response) => {
      seen.push(request.headers.authorization);
      sendJson(response, 200, {});
    });
    const one = plugin(`printf '%s' "$KUBERNETES_EXEC_INFO" > "$(dirname "$0")/info"\n${credential('{"token":"$ORCHARD-$SORT-$1"}')}`, {
      args: ['-x'],
      env: [{ name: 'SORT', value: 'gala' }],
      provideClusterInfo: true,
    });
    await visit(one, server.url, 3);
    expect(seen).toEqual(Array.from({ length: 3 }, () => 'Bearer apple-gala--x'));
    expect(one.runs()).toBe(1);
    expect(JSON.parse(readFileSync(join(one.folder, 'info'), 'utf8'))).toEqual({
      kind: 'ExecCredential',
      apiVersion: API,
      spec: { interactive: false, cluster: { server: server.url, ...trusted } },
    });
  });

  it('are run once for requests that wait for them together', async () => {
    const server = await serveTls((_request, response) => sendJson(response, 200, {}));
    const one = plugin(credential('{"token":"t"}'));
    const kubeconfig = writeKubeconfig({ cluster: { server: server.url, ...trusted }, user: { exec: one.exec } }, one.folder);
    const port = await openCluster({ kubeconfig });
    await Promise.all(Array.from({ length: 4 }, () => port.request({ path: '/api' })));
    port.close();
    expect(one.runs()).toBe(1);
  });

  it('are run again when what they gave ran out', async () => {
    const seen: (string | undefined)[] = [];
    const server = await serveTls((request, response) => {
      seen.push(request.headers.authorization);
      sendJson(response, 200, {});
    });
    await visit(plugin(credential('{"token":"t$n","expirationTimestamp":"2020-01-01T00:00:00Z"}')), server.url, 2);
    expect(seen).toEqual(['Bearer t1', 'Bearer t2']);
    const lasting = plugin(credential('{"token":"t$n","expirationTimestamp":"2099-01-01T00:00:00Z"}'));
    await visit(lasting, server.url, 2);
    expect(lasting.runs()).toBe(1);
  });

  it('are run once more when the server refuses, and then no more', async () => {
    const server = await serveTls((request, response) => sendJson(response, request.headers.authorization === 'Bearer t2' ? 200 : 401, {}));
    const one = plugin(credential('{"token":"t$n"}'));
    await visit(one, server.url);
    expect(one.runs()).toBe(2);
    const hopeless = await serveTls((_request, response) => sendJson(response, 401, {}));
    const other = plugin(credential('{"token":"s3cret-of-plug-in"}'));
    const error = await errorOf(other, hopeless.url);
    expect(error).toMatchObject({ kind: 'unauthorized', status: 401 });
    expect(error.message).not.toContain('s3cret');
    expect(other.runs()).toBe(2);
  });

  it('may give a certificate, and another one later', async () => {
    const seen: string[] = [];
    const server = await serveTls((request, response) => {
      seen.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN?.toString() ?? 'nobody');
      sendJson(response, seen.length === 1 ? 401 : 200, {});
    });
    const pair = JSON.stringify({ clientCertificateData: clientPair.cert, clientKeyData: clientPair.key }).replaceAll('\\n', '\\\\n');
    const one = plugin(`if [ $n = 1 ]; then\n${credential('{"token":"none"}')}\nelse\n${credential(pair)}\nfi`);
    await visit(one, server.url);
    expect(seen).toEqual(['nobody', 'marla']);
  });

  it.each([
    [
      'is not installed',
      { command: 'no-such-signer', installHint: 'Get it from the orchard.' },
      'no-such-signer of the kubeconfig is not installed or not on the PATH. Get it from the orchard.',
    ],
    ['has no command', { command: '' }, 'without a command'],
    ['needs a terminal', { interactiveMode: 'Always' }, 'needs a terminal'],
  ])('words one that %s', async (_name, settings, words) => {
    const error = await errorOf(plugin('exit 0', settings));
    expect(error).toMatchObject({ kind: 'unauthorized' });
    expect(error.message).toContain(words);
  });

  it.each([
    [
      'fails',
      'echo "session is over: run orchard login" >&2\nexit 3',
      'signer failed (exit code 3). It says: session is over: run orchard login',
    ],
    ['is killed', 'kill -9 $$', 'signer failed (killed)'],
    ['prints no JSON', 'echo hello\necho "and complains" >&2', 'printed no ExecCredential. It says: and complains'],
    ['prints something else', 'echo "{}"', 'printed no ExecCredential'],
    ['gives nothing', credential('{}'), 'neither a token nor a certificate'],
    ['gives a certificate without its key', credential('{"clientCertificateData":"x"}'), 'neither a token nor a certificate'],
    [
      'gives a certificate that is none',
      credential('{"clientCertificateData":"x","clientKeyData":"y"}'),
      'certificate or key that cannot be used',
    ],
    ['gives a token that is none', credential('{"token":"a\\\\nb: c"}'), 'token or name that cannot be used'],
  ])('words one that %s', async (_name, script, words) => {
    const error = await errorOf(plugin(script));
    expect(error).toMatchObject({ kind: 'unauthorized' });
    expect(error.message).toContain(words);
  });

  it('hides what looks like a token in its complaints', async () => {
    const error = await errorOf(
      plugin('echo "bad eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE1MDAwMDAwMDB9.c2lnbmF0dXJl; Bearer abcdefghijkl" >&2\nexit 1'),
    );
    expect(error.message).toContain('It says: bad [token]; Bearer [hidden]');
  });

  it('does not wait for ever, nor for what it left running', async () => {
    expect((await errorOf(plugin('exec sleep 60'), undefined, 100)).message).toContain('signer did not end in time');
    const server = await serveTls((_request, response) => sendJson(response, 200, {}));
    const parent = plugin(`sleep 60 &\necho $! > "$(dirname "$0")/child"\n${credential('{"token":"t"}')}`);
    await visit(parent, server.url, 1, 20_000);
    process.kill(Number(readFileSync(join(parent.folder, 'child'), 'utf8')));
  });
});
