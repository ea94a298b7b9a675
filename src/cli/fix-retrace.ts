import { hostname, userInfo } from 'node:os';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { type ClusterOutcome, recordHosts, resumeCluster, undoCluster } from '../fix/cluster/index.ts';
import { storedScript } from '../fix/host/index.ts';
import type { HostOutcome } from '../fix/launch.ts';
import { releaseNode } from '../fix/node-hold.ts';
import type { FixOutcome } from '../model/plan-view.ts';
import { wordNote } from './errors.ts';
import { type JournalFlags, type Recorded, runnerTo } from './fix-journals.ts';

export interface Retrace {
  readonly id: string;
  readonly parts: readonly Recorded[];
  readonly port: ClusterPort | undefined;
  readonly flags: JournalFlags & { readonly force?: boolean };
}

function say(says: string): void {
  process.stderr.write(`${wordNote(says.replace(/\p{C}+/gu, ' '))}\n`);
}

export function whoami(): string {
  return `${userInfo().username}@${hostname()}`;
}

/** A run of this machine whose process is no more does not hold its lock. */
export function runOptions() {
  const own = `${whoami()}:`;
  return {
    holder: `${own}${process.pid}`,
    gone: (holder: string) => holder.startsWith(own) && !isAlive(Number(holder.slice(own.length))),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Goes on from the journals: hosts first, as it was begun. */
export async function goOn(retrace: Retrace): Promise<readonly FixOutcome['steps'][number][]> {
  const hosts = await eachHost(retrace, 'apply');
  if (hosts.some(({ state }) => state !== 'done' && state !== 'already' && state !== 'undone')) return hosts;
  return [...hosts, ...(await cluster(retrace, resumeCluster))];
}

/** The other way round than it was done: the cluster was last, so it comes first. */
export async function takeBack(retrace: Retrace): Promise<readonly FixOutcome['steps'][number][]> {
  const first = await cluster(retrace, undoCluster);
  return [...first, ...(await eachHost(retrace, 'undo'))];
}

async function cluster({ id, parts, port }: Retrace, run: typeof undoCluster): Promise<readonly FixOutcome['steps'][number][]> {
  if (port === undefined || !parts.some(({ node }) => node === undefined)) return [];
  const outcome: ClusterOutcome = await run(port, id, ({ says, state }) => say(`${says}: ${state}`), runOptions());
  const steps = outcome.steps.map(({ says, state, why }) => ({
    where: 'cluster',
    says: why === undefined ? says : `${says}: ${why}`,
    state: state as string,
  }));
  return [...steps, { where: 'cluster', says: outcome.why ?? '', state: outcome.state }];
}

async function eachHost(retrace: Retrace, mode: 'apply' | 'undo'): Promise<FixOutcome['steps'][number][]> {
  const { id, parts, port, flags } = retrace;
  const nodes = parts.flatMap(({ node }) => node ?? []);
  const runner = runnerTo(nodes, port, flags);
  const steps: FixOutcome['steps'][number][] = [];
  for (const node of nodes) {
    const way = await runner(node);
    const outcome: HostOutcome =
      way === undefined
        ? { ending: 'unknown', says: 'there is no way to the host; --via or --here gives one', log: '' }
        : await way
            .change(storedScript(id, flags.force === true), id, mode, (line) => say(`${node}: ${line.replace('@podcause ', '')}`))
            .catch((error: unknown) => ({ ending: 'unknown', says: error instanceof Error ? error.message : String(error), log: '' }));
    steps.push({ where: node, says: outcome.says, state: outcome.ending });
    if (port !== undefined) await noteInCluster(port, retrace, node, outcome);
  }
  return steps;
}

/** What was noted from afar follows; a node that the interrupted run had cordoned is let go. */
async function noteInCluster(port: ClusterPort, { id, parts }: Retrace, node: string, { ending }: HostOutcome): Promise<void> {
  await releaseNode(port, node, id).catch(() => {});
  const state = ending === 'already' ? 'done' : ending;
  if (state !== 'done' && state !== 'undone' && state !== 'rolled-back') return;
  const title = parts[0]?.title ?? '';
  await recordHosts(port, { id, title, report: '', who: whoami() }, [{ node, state }]).catch(() => {});
}
