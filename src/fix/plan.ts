import { randomBytes } from 'node:crypto';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { type AskedHostChange, type ClusterChange, type HostChange, isHostChange } from '../model/change.ts';
import type { Report } from '../model/report.ts';
import type { Chosen } from './choose.ts';
import { answered } from './cluster/answers.ts';
import { type ClusterPlan, planCluster } from './cluster/index.ts';
import { askedBy, type HostPlan, parseSurvey, planHost, surveyScript } from './host/index.ts';
import type { HostRunner } from './runners.ts';
import { reportIdOf } from './saved-report.ts';

/** Everything a fix would do, worked out from what hosts and cluster say of themselves now. */
export interface FixPlan {
  /** Its name in journals. */
  readonly id: string;
  readonly chosen: Chosen;
  readonly reportId: string;
  readonly hosts: readonly HostPlan[];
  readonly cluster?: ClusterPlan;
  /** Host changes that could not be worked out, since the host was not read; with the reason. */
  readonly unread: readonly { readonly node: string; readonly why: string }[];
  readonly notes: readonly string[];
}

export interface PlanInput {
  readonly chosen: Chosen;
  readonly report: Report;
  /** The nodes to change, the canary first. */
  readonly nodes: readonly string[];
  /** Absent where a host may not be read yet. */
  readonly runnerOf: (node: string) => HostRunner | undefined;
  readonly port?: ClusterPort;
  /** Values only the user knows, from `--set`. */
  readonly answers: ReadonlyMap<string, string>;
  readonly onStep?: (says: string) => void;
}

function settled(changes: readonly (HostChange | AskedHostChange)[], answers: ReadonlyMap<string, string>) {
  const refused: string[] = [];
  const known = changes.flatMap((change): HostChange[] => {
    if (change.do !== 'containerd-set') return [change];
    const value = answered(change.value, answers);
    if (value.ok) return [{ ...change, value: value.value }];
    refused.push(value.why);
    return [];
  });
  return { changes: known, refused };
}

export function newFixId(): string {
  const now = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${now}-${randomBytes(2).toString('hex')}`;
}

/** The script that reads on a host what its part of the plan has to know; nothing where no host is changed. */
export function surveyFor({ changes }: Chosen, answers: ReadonlyMap<string, string>): string | undefined {
  const onHosts = settled(changes.filter(isHostChange), answers).changes;
  return onHosts.length === 0 ? undefined : surveyScript(askedBy(onHosts));
}

export async function planFix(input: PlanInput): Promise<FixPlan> {
  const { chosen, report, port, answers, onStep } = input;
  const { changes: onHosts, refused } = settled(chosen.changes.filter(isHostChange), answers);
  const inCluster = chosen.changes.filter((change): change is ClusterChange => !isHostChange(change));
  const hosts: HostPlan[] = [];
  const unread: { node: string; why: string }[] = [];
  // Half a fix is none: without every answer no host is read.
  if (refused.length > 0) unread.push(...refused.map((why) => ({ node: 'to be said', why })));
  else if (onHosts.length > 0 && input.nodes.length === 0)
    unread.push({ node: 'the host', why: 'the report does not say which node it is: --node NAME does' });
  for (const node of onHosts.length > 0 && refused.length === 0 ? input.nodes : []) {
    onStep?.(`reading the host of ${node}`);
    const planned = await planNode(node, onHosts, input.runnerOf(node));
    if ('why' in planned) unread.push(planned);
    else hosts.push(planned);
  }
  if (inCluster.length > 0 && port) onStep?.('asking the server whether it would take the changes');
  const cluster = inCluster.length > 0 && port ? await planCluster(port, inCluster, clusterIncident(chosen), answers) : undefined;
  // Pods that are to be made anew after their host can be deleted by hand as well; any other change needs its object.
  const byHand = !port && onHosts.length > 0 && inCluster.every((change) => change.do === 'restart-pods');
  const missing =
    inCluster.length > 0 && !port && !byHand ? [{ node: 'the cluster', why: 'no cluster is at hand to read its objects from' }] : [];
  return {
    id: newFixId(),
    chosen,
    reportId: reportIdOf(report),
    hosts,
    ...(cluster ? { cluster } : {}),
    unread: [...unread, ...missing],
    notes:
      inCluster.length > 0 && byHand ? ['no cluster is at hand: delete the pods of the node afterwards, so that they are made anew'] : [],
  };
}

function clusterIncident({ incident }: Chosen) {
  return { cause: incident.cause, placeId: incident.placeId, victims: incident.victims.map(({ id }) => id) };
}

async function planNode(
  node: string,
  changes: readonly HostChange[],
  runner: HostRunner | undefined,
): Promise<HostPlan | { readonly node: string; readonly why: string }> {
  if (runner === undefined) return { node, why: 'its host was not read' };
  try {
    return planHost(changes, parseSurvey(await runner.read(surveyScript(askedBy(changes))), node));
  } catch (error) {
    return { node, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Nothing left to do anywhere. */
export function isEmpty({ hosts, cluster, unread }: FixPlan): boolean {
  return unread.length === 0 && hosts.every(({ steps }) => steps.length === 0) && (cluster?.steps.length ?? 0) === 0;
}

export function refusalsOf({ hosts, cluster }: FixPlan): readonly string[] {
  return [...hosts.flatMap(({ node, refused }) => refused.map((why) => `${node}: ${why}`)), ...(cluster?.refused ?? [])];
}
