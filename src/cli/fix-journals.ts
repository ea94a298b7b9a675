import type { ClusterPort } from '../collect/cluster/port.ts';
import { listFixes } from '../fix/cluster/index.ts';
import { journalScript, parseJournal } from '../fix/host/index.ts';
import type { HostRunner } from '../fix/runners.ts';
import type { Risk } from '../model/cause.ts';
import { wordNote } from './errors.ts';
import { consent } from './fix-consent.ts';
import type { HostFlags } from './fix-flags.ts';
import { needsPod, runnersFor, thisHost } from './fix-hosts.ts';
import type { ClusterFlags } from './live-flags.ts';
import { openPort } from './open-port.ts';

/** A part of a fix as one of the journals has it. */
export interface Recorded {
  readonly id: string;
  /** A node's name; absent for what was changed in the cluster. */
  readonly node?: string;
  readonly state: string;
  readonly at: string;
  readonly title: string;
}

export interface JournalFlags extends ClusterFlags, HostFlags {
  readonly node?: string;
  readonly yes?: Risk;
}

/** The journals of the cluster, which also knows the nodes of fixes made from afar, and of the host that is asked for. */
export async function recordedFixes(port: ClusterPort | undefined, flags: JournalFlags): Promise<readonly Recorded[]> {
  const onHost = await hostRecords(port, flags);
  const known = new Set(onHost.map(({ id, node }) => `${id} ${node}`));
  const inCluster = port === undefined ? [] : await clusterRecords(port);
  // The host's own word is newer than what was noted of it from afar.
  return [...onHost, ...inCluster.filter(({ id, node }) => !known.has(`${id} ${node}`))].sort((a, b) => b.at.localeCompare(a.at));
}

async function clusterRecords(port: ClusterPort): Promise<readonly Recorded[]> {
  try {
    return (await listFixes(port)).flatMap(({ id, at, title, state, steps, hosts }) => [
      ...hosts.map((host) => ({ id, at, title, node: host.node, state: host.state })),
      ...(steps.length > 0 ? [{ id, at, title, state }] : []),
    ]);
  } catch (error) {
    process.stderr.write(
      `${wordNote(`the cluster's journal could not be read: ${error instanceof Error ? error.message : String(error)}`)}\n`,
    );
    return [];
  }
}

async function hostRecords(port: ClusterPort | undefined, flags: JournalFlags): Promise<readonly Recorded[]> {
  const node = flags.node ?? (flags.via === undefined ? thisHost() : undefined);
  if (node === undefined) return [];
  const runner = await runnerTo([node], port, flags)(node);
  if (runner === undefined) return [];
  const text = await runner.read(journalScript());
  return parseJournal(text).map((entry) => ({ ...entry, node }));
}

/** Ways to these hosts; pods are asked for once. */
export function runnerTo(nodes: readonly string[], port: ClusterPort | undefined, flags: JournalFlags) {
  let allowed: Promise<boolean> | undefined;
  return async (node: string): Promise<HostRunner | undefined> => {
    if (!needsPod(flags, node) || port === undefined) return runnersFor(flags, port, false)(node);
    const far = nodes.filter((one) => needsPod(flags, one));
    allowed ??= consent(
      `podcause would create short-lived privileged pods on ${far.join(', ')} to reach the hosts. Go on`,
      'touches-node',
      flags.yes,
    );
    return runnersFor(flags, port, await allowed)(node);
  };
}

/** Journals of hosts are read without a cluster too. */
export async function portIfAny(flags: ClusterFlags): Promise<ClusterPort | undefined> {
  try {
    return await openPort(flags);
  } catch (error) {
    if (flags.context !== undefined || flags.kubeconfig !== undefined) throw error;
    return undefined;
  }
}

export function listed(recorded: readonly Recorded[]): string {
  if (recorded.length === 0) return 'no fix is in the journals of this host or of the cluster\n';
  const placed = recorded.map((one) => ({ ...one, where: one.node ?? 'cluster' }));
  const widest = (pick: (one: (typeof placed)[number]) => string) => Math.max(...placed.map((one) => pick(one).length));
  const [ids, places, states] = [widest(({ id }) => id), widest(({ where }) => where), widest(({ state }) => state)];
  return placed
    .map(
      ({ id, where, state, at, title }) =>
        `${id.padEnd(ids)}  ${where.padEnd(places)}  ${state.padEnd(states)}  ${at}  ${title.replace(/\p{C}/gu, '?').slice(0, 100)}\n`,
    )
    .join('');
}
