// A real kube-apiserver over a real etcd on 127.0.0.1, holding the bench's cluster. Objects are written to etcd as it stores them.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { delimiter, join } from 'node:path';
import { makeCluster } from './cluster.mjs';
import { kubeconfig } from './kubeconfig.mjs';
import { storedObject } from './pages.mjs';
import { freePort, start, temporaryFolder, until } from './processes.mjs';

const VERSION = 'v1.31.4';
const binaries = join(process.env.PODCAUSE_LAB_CACHE ?? '/var/cache/podcause-lab', `bin/kubernetes-${VERSION}`);
const onPath = (name) =>
  process.env.PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

export function findKubectl() {
  const own = join(binaries, 'kubectl');
  return existsSync(own) ? own : onPath('kubectl');
}

/** What is missing for a real server, in words; undefined when all is there. */
export function missingForReal() {
  if (!existsSync(join(binaries, 'kube-apiserver'))) return `no kube-apiserver ${VERSION} in the lab's cache (npm run lab builds it)`;
  return onPath('etcd') ? undefined : 'no etcd (apt-get install etcd-server)';
}

function send(make, options, body) {
  return new Promise((resolve, reject) => {
    const asked = make({ agent: false, ...options }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks) }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function startEtcd(folder) {
  const [port, peer] = [await freePort(), await freePort()];
  const log = join(folder, 'etcd.log');
  const [client, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
  const child = start(
    onPath('etcd'),
    [
      ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
      ...['--max-txn-ops', '10000', '--max-request-bytes', '33554432', '--quota-backend-bytes', '8589934592'],
    ],
    { log, env: { ETCD_UNSUPPORTED_ARCH: process.arch } },
  );
  await until('etcd', child, log, async () => (await send(httpRequest, { port, host: '127.0.0.1', path: '/health' })).status === 200);
  return port;
}

const FOLDERS = { nodes: 'minions', services: 'services/specs' };

async function fill(port, kind) {
  const base64 = (bytes) => bytes.toString('base64');
  for (let start = 0; start < kind.count; start += 400) {
    const success = [];
    for (let index = start; index < Math.min(kind.count, start + 400); index++) {
      const place = [FOLDERS[kind.plural] ?? kind.plural, ...(kind.namespaceOf ? [kind.namespaceOf(index)] : []), kind.nameOf(index)];
      const put = { key: base64(Buffer.from(`/registry/${place.join('/')}`)), value: base64(storedObject(kind, index)) };
      success.push({ requestPut: put });
    }
    const { status, body } = await send(
      httpRequest,
      { port, host: '127.0.0.1', method: 'POST', path: '/v3/kv/txn' },
      JSON.stringify({ success }),
    );
    if (status !== 200) throw new Error(`etcd: ${status} ${body.toString().slice(0, 200)}`);
  }
}

const AUDIT = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: None
  userGroups: ['system:unauthenticated']
- level: Request
  users: [bench]
  resources: [{ group: authorization.k8s.io }]
- level: Metadata
  users: [bench]
- level: None
`;

async function startApiServer(folder, etcdPort) {
  const port = await freePort();
  const file = (name, text) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const token = randomBytes(24).toString('hex');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = file('service-account.key', privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const log = join(folder, 'kube-apiserver.log');
  const audit = file('audit.log', '');
  const flags = {
    'etcd-servers': `http://127.0.0.1:${etcdPort}`,
    'secure-port': port,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'cert-dir': join(folder, 'certificates'),
    'endpoint-reconciler-type': 'none',
    'service-cluster-ip-range': '10.96.0.0/16',
    'service-account-issuer': 'https://bench.example.org',
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
    'authorization-mode': 'RBAC',
    'token-auth-file': file('tokens.csv', `${token},bench,bench,"system:masters"\n`),
    'audit-policy-file': file('audit.yaml', AUDIT),
    'audit-log-path': audit,
    'kubelet-preferred-address-types': 'InternalIP',
  };
  const child = start(
    join(binaries, 'kube-apiserver'),
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { log },
  );
  const agent = new Agent({ rejectUnauthorized: false });
  const ready = { port, host: '127.0.0.1', path: '/readyz', agent, headers: { authorization: `Bearer ${token}` } };
  await until('kube-apiserver', child, log, async () => (await send(httpsRequest, ready)).status === 200);
  agent.destroy();
  return { server: `https://127.0.0.1:${port}`, token, audit, authority: join(folder, 'certificates/apiserver.crt') };
}

/** Requests since the last call, from the audit log. */
function auditReader(file) {
  let seen = 0;
  return async () => {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const fresh = lines.slice(seen);
    seen = lines.length;
    return fresh.map((line) => {
      const { verb, requestURI, requestObject } = JSON.parse(line);
      return `${verb} ${requestURI}${requestObject ? ` ${JSON.stringify(requestObject)}` : ''}`;
    });
  };
}

export async function startReal(pods) {
  const folder = temporaryFolder('real');
  // Nothing listens on the discard port, so what only a kubelet could answer is refused at once.
  const cluster = makeCluster({ pods, kubelet: { address: '127.0.0.1', port: 9 } });
  const etcdPort = await startEtcd(folder);
  for (const kind of cluster.kinds.values()) await fill(etcdPort, kind);
  const access = await startApiServer(folder, etcdPort);
  return {
    name: `kube-apiserver ${VERSION}`,
    pods,
    counts: cluster.counts,
    cluster,
    kubeconfig: kubeconfig(join(folder, 'kubeconfig'), access),
    taken: auditReader(access.audit),
    refresh: () => fill(etcdPort, cluster.kinds.get('leases')),
  };
}
