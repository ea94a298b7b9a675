// That the bench's cluster is what it claims to be, before anything is measured on it.
import { fileURLToPath } from 'node:url';
import { check } from '../measure.mjs';
import { oneObject } from './pages.mjs';
import { startPages } from './start-pages.mjs';

const exactly = { counted: true, unit: '' };
const listPages = fileURLToPath(new URL('list-pages.mjs', import.meta.url));
const KINDS = ['pods', 'nodes', 'events', 'deployments', 'replicasets', 'leases'];

/** The page server speaks as API servers do: kubectl and our own door read from it what is in it, in both encodings. */
export async function provePages(run, kubectl) {
  const server = await startPages(1300);
  const { counts } = server;
  const { said } = await run(server, kubectl, ['get', KINDS.join(), '-A', '-o', 'json'], { keep: true });
  const unique = new Set(JSON.parse(said).items.map(({ metadata }) => metadata.uid)).size;
  const wanted = KINDS.reduce((sum, plural) => sum + counts[plural], 0);
  check('page server: objects kubectl did not read', Math.abs(wanted - unique), 0, exactly);
  const paths = { '/api/v1/pods': counts.pods, '/api/v1/events': counts.events, '/apis/apps/v1/replicasets': counts.replicasets };
  const read = JSON.parse((await run(server, process.execPath, [listPages, ...Object.keys(paths)], { keep: true })).said);
  let off = 0;
  for (const [path, count] of Object.entries(paths)) {
    for (const encoding of ['protobuf', 'json']) off += Math.abs(count - (read[`${path} ${encoding}`] ?? 0));
  }
  check('page server: objects our own pages missed, in protobuf and JSON', off, 0, exactly);
  await server.stop();
}

/** Whether everything said here is also said there; servers add defaults. */
function within(here, there) {
  if (typeof here !== 'object' || here === null)
    return here === there || (here === null && there === undefined) || (here === '' && there === undefined);
  if (typeof there !== 'object' || there === null) return Object.keys(here).length === 0 && there === undefined;
  return Object.keys(here).every((key) => within(here[key], there[key]));
}

/** Our protobuf means what our JSON says: a real server read the one from its store and answers with the other. */
export async function proveObjects(run, kubectl, server) {
  let unlike = 0;
  // Leases are renewed all the time, so they are never twice the same.
  const lasting = [...server.cluster.kinds.values()].filter(({ plural }) => plural !== 'leases');
  for (const kind of lasting) {
    const path = `${kind.group.includes('/') ? '/apis' : '/api'}/${kind.group}/${kind.plural}?limit=2000`;
    const { items } = JSON.parse((await run(server, kubectl, ['get', '--raw', path], { keep: true })).said);
    const byUid = new Map(items.map((item) => [item.metadata.uid, item]));
    for (let index = 0; index < Math.min(kind.count, 1000); index++) {
      const { kind: _kind, apiVersion: _version, ...own } = oneObject(kind, index);
      delete own.metadata.resourceVersion;
      const there = byUid.get(own.metadata.uid);
      if (there !== undefined && !within(own, there)) unlike++;
      if (there === undefined && items.length === kind.count) unlike++;
    }
  }
  check('real server: objects that it reads differently', unlike, 0, exactly);
}
