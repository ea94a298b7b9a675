import { createHash } from 'node:crypto';
import { applySplices } from '../../../src/fix/edit/index.ts';
import { askedBy, type HostPlan, hostScript, parseSurvey, planHost, surveyScript } from '../../../src/fix/host/index.ts';
import { type HostOutcome, outcomeOf } from '../../../src/fix/launch.ts';
import type { HostChange } from '../../../src/model/change.ts';
import type { Lab, LabNode, Ran } from '../lab.ts';
import { filesState } from './states.ts';

export const CONTAINERD_CONFIG = '/etc/containerd/config.toml';

/** Harmless to pods, since no image of the lab comes from a registry: one line of one file, and one daemon. */
export const SMALL_CHANGES: readonly HostChange[] = [
  { do: 'containerd-set', setting: 'registry_config_path', value: '/etc/containerd/registries' },
  { do: 'units', action: 'restart', units: ['containerd'] },
];

/** The plan podcause makes for a node, from what the node says of itself. */
export async function planOn(node: LabNode, changes: readonly HostChange[]): Promise<HostPlan> {
  const asked = await node.exec('sh -s', { input: surveyScript(askedBy(changes)), timeoutSeconds: 120 });
  const plan = planHost(changes, parseSurvey(asked.stdout, node.name));
  if (plan.refused.length > 0) throw new Error(`${node.name} cannot be planned for: ${plan.refused.join('; ')}`);
  return plan;
}

/** The same plan with other bytes for its file, as if its editor had been wrong. */
export function withNewText(plan: HostPlan, old: string, text: string): HostPlan {
  const splices = [{ from: 0, to: Buffer.byteLength(old), text }];
  const shaAfter = createHash('sha256').update(applySplices(old, splices)).digest('hex');
  return { ...plan, steps: plan.steps.map((step) => (step.kind === 'edit' ? { ...step, splices, shaAfter } : step)) };
}

/** The text that a plan gives its file. */
export function newTextOf(plan: HostPlan, old: string): string {
  const edit = plan.steps.find((step) => step.kind === 'edit');
  if (edit?.kind !== 'edit') throw new Error('the plan edits no file');
  return applySplices(old, edit.splices);
}

export interface HostProgram {
  /** Runs it to its end; the settings are of its environment. */
  run(mode: string, settings?: Readonly<Record<string, string>>): Promise<Ran & HostOutcome>;
  remove(): Promise<void>;
}

/** The reviewed script, put on the node as people would. */
export async function putScript(node: LabNode, plan: HostPlan, id: string): Promise<HostProgram> {
  const place = `/var/tmp/${id}.sh`;
  await node.writeFile(place, hostScript(plan, { id, title: `trial ${id}`, report: 'lab', who: 'lab', healthSeconds: 30 }));
  return {
    run: async (mode, settings = {}) => {
      const set = Object.entries(settings).map(([name, value]) => `${name}='${value}'`);
      const ran = await node.exec([...set, 'sh', place, mode].join(' '), { timeoutSeconds: 180 });
      return { ...ran, ...outcomeOf(ran.stdout) };
    },
    remove: async () => {
      await node.exec(`rm -rf ${place} /var/lib/podcause/fixes/${id}`);
    },
  };
}

/** Empty when the daemons answer and no run left anything lying about. */
export async function unsoundness(node: LabNode): Promise<string> {
  const asks = [
    'timeout 10 ctr version > /dev/null 2>&1 || echo containerd does not answer',
    'for n in 1 2 3 4 5 6 7 8 9 10; do busybox wget -q -O /dev/null http://127.0.0.1:10248/healthz && break; sleep 1; done',
    'busybox wget -q -O /dev/null http://127.0.0.1:10248/healthz || echo the kubelet does not answer',
    'ls -A /etc/containerd | grep podcause',
    'ls /var/lib/podcause/lock* 2> /dev/null',
  ];
  return (await node.exec(asks.join('; '), { timeoutSeconds: 60 })).stdout.trim();
}

export function configState(node: LabNode): Promise<string> {
  return filesState(node, [CONTAINERD_CONFIG]);
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly uid: string; readonly name: string };
    readonly status: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
  }[];
}

/** Which pods a node has, and how often each was restarted. */
export async function podsOn(lab: Lab, namespace: string, node: string): Promise<string> {
  const ran = await lab.kubectl(['get', 'pods', '-n', namespace, `--field-selector=spec.nodeName=${node}`, '-o', 'json']);
  const { items } = JSON.parse(ran.stdout) as PodList;
  const lines = items.map(
    ({ metadata, status }) => `${metadata.name} ${metadata.uid} ${status.containerStatuses?.[0]?.restartCount ?? ''}`,
  );
  if (lines.length === 0) throw new Error(`${node} has no pods in ${namespace}`);
  return lines.sort().join('\n');
}
