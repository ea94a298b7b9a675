// A page server: the bench's cluster over plain HTTP, at little cost of its own. PODS=150000 node bench/live/page-server.mjs
// Prints its port, ends with its standard input. Every request is kept; GET /bench/taken hands them over and forgets them.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { makeCluster } from './cluster.mjs';
import { discovery, emptyKind } from './discovery.mjs';
import { indexOf, listPage, oneObject } from './pages.mjs';

const cluster = makeCluster({ pods: Number(process.env.PODS ?? 150_000) });
for (const kind of cluster.kinds.values()) for (let index = 0; index < kind.count; index++) kind.templateOf(index);
let taken = [];

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const json = (status, body) => ({ status, type: 'application/json', body: Buffer.from(`${JSON.stringify(body)}\n`) });
const text = (status, body) => ({ status, type: 'text/plain', body: Buffer.from(body) });
const refusal = (code, reason, message) =>
  json(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
const notFound = (what) => refusal(404, 'NotFound', what);

/** `/api/v1/namespaces/NS/pods/NAME/log` in its parts. */
const RESOURCE =
  /^\/(?:api\/(?<core>v1)|apis\/(?<group>[^/]+\/[^/]+))(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[a-z]+)(?:\/(?<name>[^/]+)(?:\/(?<below>.+))?)?$/;

function partsOf(path) {
  const { core, group, namespace, plural, name, below } = RESOURCE.exec(path)?.groups ?? {};
  // Namespaces themselves look like the place of other objects.
  if (plural === undefined && /^\/api\/v1\/namespaces\/[^/]+$/.test(path))
    return { version: 'v1', plural: 'namespaces', name: path.split('/')[4] };
  return plural && { version: core ?? group, namespace, plural, name, below };
}

function logOf(kind, { namespace, name }, query) {
  const index = indexOf(kind, namespace, name);
  if (index === undefined) return notFound(`pods "${name}" not found`);
  const container = query.get('container') ?? 'main';
  const lines = cluster.logOf(index);
  if (lines === undefined)
    return refusal(400, 'BadRequest', `container "${container}" in pod "${name}" is waiting to start: trying and failing to pull image`);
  const stamped = (line, second) => `${query.get('timestamps') ? `2026-11-15T04:05:${10 + second}.120000000Z ` : ''}${line}`;
  const noise = Array.from({ length: 40 }, (_, count) => `INFO step ${count} done`);
  return text(
    200,
    `${[...lines.slice(0, 1), ...noise, ...lines.slice(1)]
      .slice(-Number(query.get('tailLines') ?? 1000))
      .map(stamped)
      .join('\n')}\n`,
  );
}

function kubelet(node, path) {
  const index = Number(node.replace('node-', ''));
  if (cluster.isLost(index))
    return refusal(503, 'ServiceUnavailable', `error trying to reach service: dial tcp: connect: no route to host`);
  if (path === 'configz') {
    return json(200, {
      kubeletconfig: {
        cgroupDriver: 'systemd',
        failSwapOn: true,
        maxPods: 110,
        containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
      },
    });
  }
  if (path === 'healthz') return text(200, 'ok');
  if (path === 'logs/')
    return {
      status: 200,
      type: 'text/html',
      body: Buffer.from('<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="pods/">pods/</a>\n</pre>\n'),
    };
  return text(404, '404 page not found\n');
}

function resource(path, query, accept) {
  const parts = partsOf(path);
  const found = parts && cluster.kinds.get(parts.plural);
  const kind = found?.group === parts?.version ? found : parts && emptyKind(parts.version, parts.plural);
  if (!kind) return notFound('the server could not find the requested resource');
  if (parts.below?.startsWith('proxy/')) return kubelet(parts.name, parts.below.slice('proxy/'.length));
  if (parts.below === 'log') return logOf(kind, parts, query);
  if (parts.name !== undefined) {
    const index = indexOf(kind, parts.namespace, parts.name);
    return index === undefined ? notFound(`${kind.plural} "${parts.name}" not found`) : json(200, oneObject(kind, index));
  }
  if (query.get('fieldSelector') || query.get('labelSelector')) return refusal(400, 'BadRequest', 'the page server has no selectors');
  const protobuf = accept.startsWith(PROTOBUF);
  const asked = { namespace: parts.namespace, limit: Number(query.get('limit') ?? 0), continued: query.get('continue') ?? undefined };
  return { status: 200, type: protobuf ? PROTOBUF : 'application/json', body: listPage(kind, asked, protobuf) };
}

function answer(request, url, body) {
  if (url.pathname === '/bench/taken') {
    const handed = taken;
    taken = [];
    return json(200, handed);
  }
  const digest = body.length > 0 ? ` ${createHash('sha256').update(body).digest('hex').slice(0, 16)}` : '';
  taken.push(`${request.method} ${url.pathname}${url.search}${request.headers.range ? ` ${request.headers.range}` : ''}${digest}`);
  if (request.method === 'POST' && /\/selfsubject(?:access|rules)reviews$/.test(url.pathname)) {
    return json(201, {
      ...JSON.parse(body.toString()),
      status: { allowed: true, resourceRules: [], nonResourceRules: [], incomplete: false },
    });
  }
  if (request.method !== 'GET') return refusal(405, 'MethodNotAllowed', 'the page server only reads');
  const known = discovery(url.pathname);
  if (known) return json(200, known);
  if (/^\/(?:readyz|livez|healthz)$/.test(url.pathname)) return text(200, 'ok');
  return resource(decodeURIComponent(url.pathname), url.searchParams, request.headers.accept ?? '');
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { status, type, body } = answer(request, new URL(request.url, 'http://localhost'), Buffer.concat(chunks));
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length });
    response.end(body);
  });
});
// As patient as API servers are with a client that computes between two requests.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: server.address().port, counts: cluster.counts }));
});
process.stdin.on('end', () => process.exit(0)).resume();
