import type { ClusterPort } from '../collect/cluster/port.ts';
import { changeHost, type HostInput } from './change-host.ts';
import {
  applyCluster,
  type ClusterOutcome,
  type ClusterPlan,
  type FixRecord,
  noteAhead,
  type RunOptions,
  withdrawNote,
} from './cluster/index.ts';
import type { HostOutcome } from './launch.ts';
import type { Watched } from './watch.ts';

export interface ApplyInput extends HostInput {
  /** Nodes at a time, after the first one. */
  readonly waveSize: number;
  readonly despiteOwner: boolean;
  readonly lock: Pick<RunOptions, 'holder' | 'gone'>;
  /** Whether the nodes changed so far are well, before more are changed. */
  readonly settle: (nodes: readonly string[]) => Promise<Watched>;
}

export interface DoneStep {
  readonly where: string;
  readonly says: string;
  readonly state: string;
}

export interface Applied {
  readonly steps: readonly DoneStep[];
  /** Why it did not go on; what was done before stays, and is in the journals. */
  readonly stopped?: string;
  readonly ending: 'done' | 'rolled-back' | 'refused' | 'stopped';
}

/** One node first; when it has proved itself the others, wave by wave; then the cluster. Stops at the first failure. */
export async function applyFix(input: ApplyInput): Promise<Applied> {
  const { plan, settle, onStep } = input;
  const waves = wavesOf(plan.hosts, input.waveSize);
  const steps: DoneStep[] = [];
  const done: string[] = [];
  for (const [index, wave] of waves.entries()) {
    const isLast = index === waves.length - 1;
    // Nodes of later waves leave no mark yet: what follows the last one is noted only when all have.
    if (isLast) await noteClusterPart(input);
    const outcomes = await Promise.all(wave.map((host) => changeHost(host, input)));
    for (const [place, outcome] of outcomes.entries()) steps.push(...stepsOf(wave[place]?.node ?? '', outcome));
    const failed = outcomes.findIndex(({ ending }) => ending !== 'done' && ending !== 'already');
    if (failed >= 0) {
      // Of an unknown end the journals tell more later: resuming goes on with all of it.
      if (isLast && outcomes.every(({ ending }) => ending !== 'unknown')) await withdrawClusterPart(input);
      return stopped(steps, wave[failed]?.node ?? '', outcomes[failed], index);
    }
    done.push(...wave.map(({ node }) => node));
    if (isLast) break;
    onStep(`watching ${done.join(', ')} before ${waves[index + 1]?.map(({ node }) => node).join(', ')}`);
    const { judgement, says } = await settle(done);
    if (judgement !== 'fixed') return { steps, ending: 'stopped', stopped: `${done.join(', ')}: ${says}; the other nodes were left alone` };
  }
  const cluster = await changeCluster(input);
  if (cluster === undefined) return { steps, ending: 'done' };
  steps.push(
    ...cluster.steps.map(({ says, state, why }) => ({ where: 'cluster', says: why === undefined ? says : `${says}: ${why}`, state })),
  );
  if (cluster.state === 'done') return { steps, ending: 'done' };
  return {
    steps,
    ending: cluster.state === 'refused' ? 'refused' : 'stopped',
    stopped: cluster.why ?? 'the cluster part was not finished',
  };
}

export function wavesOf<T>(hosts: readonly T[], size: number): readonly (readonly T[])[] {
  const [first, ...rest] = hosts;
  if (first === undefined) return [];
  const waves: T[][] = [[first]];
  for (let at = 0; at < rest.length; at += size) waves.push(rest.slice(at, at + size));
  return waves;
}

function stepsOf(node: string, { log, ending, says }: HostOutcome): DoneStep[] {
  const steps = [...log.matchAll(/^@podcause step (?<number>\d+)\/\d+ (?<state>[a-z-]+) ?(?<says>.*)$/gm)];
  const last = new Map(steps.map(({ groups }) => [groups?.['number'] ?? '', groups]));
  const told = [...last.values()].map((groups) => ({ where: node, says: groups?.['says'] ?? '', state: groups?.['state'] ?? '' }));
  return ending === 'done' ? told : [...told, { where: node, says, state: ending }];
}

function stopped(steps: readonly DoneStep[], node: string, outcome: HostOutcome | undefined, wave: number): Applied {
  const rest = wave === 0 ? '' : '; the nodes after it were left alone';
  const ending = outcome?.ending === 'rolled-back' || outcome?.ending === 'refused' ? outcome.ending : 'stopped';
  return { steps, ending, stopped: `${node}: ${outcome?.says ?? 'no answer'}${rest}` };
}

interface ClusterPart {
  readonly port: ClusterPort;
  readonly plan: ClusterPlan;
  readonly record: FixRecord;
  readonly options: RunOptions;
}

function clusterPart({ plan, port, who, despiteOwner, lock }: ApplyInput): ClusterPart | undefined {
  if (plan.cluster === undefined || plan.cluster.steps.length === 0 || port === undefined) return undefined;
  const record = { id: plan.id, title: plan.chosen.fix.title, report: plan.reportId, who };
  return { port, plan: plan.cluster, record, options: { ...lock, despiteOwner } };
}

async function noteClusterPart(input: ApplyInput): Promise<void> {
  const part = clusterPart(input);
  if (part === undefined) return;
  await noteAhead(part.port, part.plan, part.record, part.options).catch(bear(input, 'what follows in the cluster was not noted'));
}

async function withdrawClusterPart(input: ApplyInput): Promise<void> {
  const part = clusterPart(input);
  if (part === undefined) return;
  await withdrawNote(part.port, part.record.id).catch(bear(input, 'the journal in the cluster could not be closed'));
}

function bear({ onStep }: ApplyInput, what: string) {
  return (error: unknown) => onStep(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}

async function changeCluster(input: ApplyInput): Promise<ClusterOutcome | undefined> {
  const part = clusterPart(input);
  if (part === undefined) return undefined;
  return applyCluster(part.port, part.plan, part.record, ({ says, state }) => input.onStep(`${says}: ${state}`), part.options);
}
