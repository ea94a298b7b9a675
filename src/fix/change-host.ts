import type { ClusterPort } from '../collect/cluster/port.ts';
import { recordHosts } from './cluster/index.ts';
import { drain } from './drain.ts';
import { type HostPlan, hostScript, storedScript } from './host/index.ts';
import type { HostOutcome, Mode } from './launch.ts';
import { holdNode, isNodeReady, releaseNode, untilNodeReady } from './node-hold.ts';
import type { FixPlan } from './plan.ts';
import type { HostRunner } from './runners.ts';

export interface HostInput {
  readonly plan: FixPlan;
  readonly port?: ClusterPort;
  readonly runnerOf: (node: string) => HostRunner | undefined;
  /** `user@host`, for journals and audits. */
  readonly who: string;
  readonly drain: boolean;
  readonly onStep: (says: string) => void;
}

const DRAIN_SECONDS = 300;
const HEALTH_SECONDS = 60;
const READY_SECONDS = 120;

/** One host: cordoned, changed, ready again, or put back. */
export async function changeHost(host: HostPlan, input: HostInput): Promise<HostOutcome> {
  const { plan, who, onStep } = input;
  if (host.steps.length === 0) return { ending: 'already', says: 'nothing to do', log: '' };
  const runner = input.runnerOf(host.node);
  if (runner === undefined) return { ending: 'refused', says: 'there is no way to the host', log: '' };
  const script = hostScript(host, {
    id: plan.id,
    title: plan.chosen.fix.title,
    report: plan.reportId,
    who,
    healthSeconds: HEALTH_SECONDS,
  });
  const change = (text: string, mode: Mode) => runner.change(text, plan.id, mode, (line) => tell(line, host.node, onStep));
  const { port } = input;
  if (port === undefined) return change(script, 'apply');
  return changeHeld(port, host.node, input, async () => {
    const wasReady = await isNodeReady(port, host.node).catch(() => false);
    const outcome = await change(script, 'apply');
    if (outcome.ending !== 'done' || !wasReady) return outcome;
    onStep(`${host.node}: waiting until the node is ready`);
    if (await untilNodeReady(port, host.node, { seconds: READY_SECONDS })) return outcome;
    const back = await change(storedScript(plan.id, false), 'undo');
    const says = `the node was not ready ${READY_SECONDS} s after the change`;
    return back.ending === 'undone'
      ? { ending: 'rolled-back', says: `${says}; everything was put back`, log: outcome.log + back.log }
      : { ending: 'unknown', says: `${says}, and it could not be put back: ${back.says}`, log: outcome.log + back.log };
  });
}

/** New pods are kept away meanwhile; without the right to do that it goes on, and says so. */
async function changeHeld(port: ClusterPort, node: string, input: HostInput, body: () => Promise<HostOutcome>): Promise<HostOutcome> {
  const { plan, onStep } = input;
  const bear = (what: string) => (error: unknown) => onStep(`${node}: ${what}: ${error instanceof Error ? error.message : String(error)}`);
  const record = (state: 'begun' | 'done' | 'rolled-back') =>
    recordHosts(port, { id: plan.id, title: plan.chosen.fix.title, report: plan.reportId, who: input.who }, [{ node, state }]).catch(
      bear('not noted in the cluster, only on the host'),
    );
  try {
    await record('begun');
    await holdNode(port, node, plan.id).catch(bear('it could not be cordoned'));
    if (input.drain) await drain(port, node, DRAIN_SECONDS, onStep);
    const outcome = await body();
    if (outcome.ending === 'done' || outcome.ending === 'already') await record('done');
    else if (outcome.ending !== 'unknown') await record('rolled-back');
    return outcome;
  } catch (error) {
    return { ending: 'unknown', says: error instanceof Error ? error.message : String(error), log: '' };
  } finally {
    // However it ended: the script left the host sound.
    await releaseNode(port, node, plan.id).catch(bear('it could not be uncordoned'));
  }
}

function tell(line: string, node: string, onStep: (says: string) => void): void {
  const { says } = /^@podcause step (?<says>.*)$/.exec(line)?.groups ?? {};
  if (says !== undefined) onStep(`${node}: ${says}`);
}
