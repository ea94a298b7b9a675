// A whole live diagnosis beside kubectl and the typed list call of the JavaScript client, against a page server and against a real
// kube-apiserver. BENCH_LIVE_PODS, BENCH_LIVE_REAL_PODS and BENCH_LIVE_KUBECTL_PODS make it smaller or larger.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sickPods } from './live/layout.mjs';
import { measure, stopAll, temporaryFolder } from './live/processes.mjs';
import { proveObjects, provePages } from './live/proof.mjs';
import { findKubectl, missingForReal, startReal } from './live/real-server.mjs';
import { startPages } from './live/start-pages.mjs';
import { printTable } from './live/table.mjs';
import { check, cli, finish } from './measure.mjs';

const pods = Number(process.env.BENCH_LIVE_PODS ?? 150_000);
const realPods = Number(process.env.BENCH_LIVE_REAL_PODS ?? 20_000);
// kubectl holds every object at once, some 160 KB for a pod: 150,000 would take more memory than most machines have.
const kubectlPods = Math.min(pods, Number(process.env.BENCH_LIVE_KUBECTL_PODS ?? 10_000));
const podcause = process.env.BENCH_CLI ?? cli;
const PAGE = 500;
const LISTED = ['pods', 'nodes', 'events', 'namespaces', 'deployments', 'replicasets', 'services', 'endpointslices', 'leases'];
const typedList = fileURLToPath(new URL('live/list-typed.mjs', import.meta.url));
const kubectl = findKubectl();
const rows = [];

/** One run of one command with the requests it made; a command that failed would have been cheap for the wrong reason. */
async function run(server, command, args, { keep = false, mayExit = [0] } = {}) {
  await server.refresh();
  await server.taken();
  const env = { KUBECONFIG: server.kubeconfig, HOME: home };
  const cost = await measure(command, args, { env, keep });
  if (!mayExit.includes(cost.status)) throw new Error(`${command} ${args.join(' ')} ended with ${cost.status}\n${cost.errors.slice(-500)}`);
  return { ...cost, requests: await server.taken() };
}

async function kubectlRuns(server, factor) {
  const costs = {};
  for (const kinds of ['pods', 'pods,nodes,events']) {
    const { cpu, megabytes, requests } = await run(server, kubectl, ['get', kinds, '-A', '-o', 'json']);
    costs[kinds] = { cpu: cpu * factor };
    const scaled = factor === 1 ? '' : ` (of ${server.pods} pods, x ${factor})`;
    const lists = requests.filter((request) => request.includes('limit=')).length;
    rows.push({
      server: server.name,
      who: `kubectl get ${kinds} -A -o json${scaled}`,
      cpu: cpu * factor,
      megabytes: megabytes * factor,
      requests: Math.round(requests.length - lists + lists * factor),
    });
  }
  return costs;
}

async function typedRun(server) {
  const cost = await run(server, process.execPath, [typedList], { keep: true });
  check(`${server.name}: pods the typed list did not give`, server.pods - Number(cost.said), 0, { counted: true, unit: '' });
  rows.push({ ...cost, server: server.name, who: 'client-node listPodForAllNamespaces', requests: cost.requests.length });
}

function checkRequests(name, requests, counts) {
  const pages = LISTED.reduce((sum, plural) => sum + Math.ceil(counts[plural] / PAGE), 0);
  const logs = requests.filter((request) => /\/pods\/[^/]+\/log\?/.test(request)).length;
  const others = requests.filter((request) => /\/pods\/[^/]+/.test(request)).length - logs;
  check(`${name}: requests beyond the ${pages} pages of its lists`, requests.length - pages, 150, { counted: true, unit: '' });
  check(`${name}: requests made twice`, requests.length - new Set(requests).size, 0, { counted: true, unit: '' });
  check(`${name}: logs asked for`, logs, 60, { counted: true, unit: '' });
  check(`${name}: other requests about single pods`, others, 0, { counted: true, unit: '' });
}

async function diagnosis(server, yardstick) {
  const args = [podcause, '-A', '--kubeconfig', server.kubeconfig, '-o', 'json'];
  const cost = await run(server, process.execPath, args, { keep: true, mayExit: [1] });
  rows.push({ ...cost, server: server.name, who: 'podcause -A, whole diagnosis', requests: cost.requests.length });
  const { name } = server;
  check(`${name}: diagnosis against kubectl get pods,nodes,events (CPU)`, cost.cpu / yardstick['pods,nodes,events'].cpu, 1);
  check(`${name}: memory of the diagnosis`, cost.megabytes, 700, { counted: true, unit: 'MB' });
  checkRequests(name, cost.requests, server.counts);
  const victims = new Set(JSON.parse(cost.said).incidents.flatMap((incident) => incident.victims.map(({ id }) => id)));
  const untold = sickPods(server.pods).filter((id) => !victims.has(id)).length;
  check(`${name}: sick pods that no incident tells of`, untold, 0, { counted: true, unit: '' });
}

async function againstPages() {
  const small = await startPages(kubectlPods);
  const yardstick = await kubectlRuns(small, pods / kubectlPods);
  await small.stop();
  const server = await startPages(pods);
  await typedRun(server);
  await diagnosis(server, yardstick);
  await server.stop();
}

async function againstReal() {
  const missing = missingForReal();
  if (missing !== undefined) {
    console.log(`skipped against a real kube-apiserver: ${missing}`);
    return;
  }
  const server = await startReal(realPods);
  await proveObjects(run, kubectl, server);
  const yardstick = await kubectlRuns(server, 1);
  await typedRun(server);
  await diagnosis(server, yardstick);
}

for (const [needed, how] of [
  ['/usr/bin/time', 'apt-get install time'],
  [kubectl ?? '', 'kubectl is neither in the lab cache nor on the path'],
  [podcause, 'npm run build'],
]) {
  if (existsSync(needed)) continue;
  console.log(`${needed || 'kubectl'} is missing: ${how}`);
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopAll().finally(() => process.exit(1)));
const home = temporaryFolder('home');
try {
  await provePages(run, kubectl);
  await againstPages();
  await againstReal();
  printTable(rows);
  finish();
} finally {
  await stopAll();
}
