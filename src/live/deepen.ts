import { containerLog } from '../collect/cluster/container-logs.ts';
import { type Had, inParallel, together } from '../collect/cluster/had.ts';
import { NodeLogs } from '../collect/cluster/node-logs.ts';
import { kubeletConfigz, kubeletHealth } from '../collect/cluster/node-proxy.ts';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { referredObject } from '../collect/cluster/referred-objects.ts';
import type { Thought } from '../diagnose.ts';
import { liveProbeFor } from '../facts/probes.ts';
import type { Channel } from '../model/channel.ts';
import { entityOf, nodeId } from '../model/entity.ts';
import { createScope } from '../reason/scope.ts';
import { type Wanted, wantedBy } from '../reason/wanted.ts';
import { chooseLogs, type LogsHeard } from './choose-logs.ts';
import { chooseObjects } from './choose-objects.ts';
import { twinOf } from './twin.ts';

/** How much may be asked of a cluster beyond its lists; fixed numbers, whatever the number of pods. */
export interface Bounds {
  readonly logs: number;
  readonly logLines: number;
  readonly logBytes: number;
  readonly nodes: number;
  readonly nodeLogLines: number;
  readonly nodeLogBytes: number;
  readonly objects: number;
  readonly rounds: number;
  readonly width: number;
}

export const BOUNDS: Bounds = {
  logs: 40,
  logLines: 300,
  logBytes: 256 * 1024,
  nodes: 4,
  nodeLogLines: 2000,
  nodeLogBytes: 2 * 1024 * 1024,
  objects: 20,
  rounds: 3,
  width: 6,
};

interface Step {
  /** For progress and plans. */
  readonly says: string;
  readonly run: (port: ClusterPort) => Promise<Had>;
}

/** Remembers what was asked over the rounds, so that nothing is asked twice. */
export class Deepening {
  private readonly bounds: Bounds;
  private readonly sinceSeconds: number | undefined;
  private readonly logs: LogsHeard = { tried: new Set(), podsOf: new Map() };
  private readonly objectsTried = new Set<string>();
  private readonly nodeTried = new Set<string>();
  private readonly nodes = new Set<string>();
  private nodeLogs: NodeLogs | undefined;
  private readonly twins = new Map<string, string | undefined>();

  constructor(bounds: Bounds, sinceSeconds?: number) {
    this.bounds = bounds;
    this.sinceSeconds = sinceSeconds;
  }

  /** The next probes that open questions ask for; empty when there is nothing more to be had. */
  steps({ base, reasoned }: Thought): Step[] {
    const symptoms = [...base.all('pod.symptom'), ...base.all('node.symptom'), ...base.all('object.symptom')];
    const wanted = wantedBy(reasoned.examined, symptoms, base);
    const by = (probe: string) => wanted.filter(({ channel }) => liveProbeFor(channel) === probe);
    const scope = createScope(base);
    const { bounds } = this;
    const logs = chooseLogs(by('container-log'), base, scope, this.logs, bounds.logs);
    const objects = chooseObjects(by('referred-objects'), base, scope, this.objectsTried, bounds.objects - this.objectsTried.size);
    return [
      ...logs.map((log) => ({
        says: `log of ${log.namespace}/${log.pod} ${log.container}${log.previous ? ', previous run' : ''}`,
        run: (port: ClusterPort) =>
          containerLog(port, log, {
            tailLines: bounds.logLines,
            limitBytes: bounds.logBytes,
            ...(this.sinceSeconds !== undefined ? { sinceSeconds: this.sinceSeconds } : {}),
          }),
      })),
      ...this.nodeSteps([...by('kubelet-healthz'), ...by('kubelet-configz'), ...by('node-log')], base),
      ...objects.map((one) => ({
        says: `${one.plural} ${one.namespace}/${one.name}`,
        run: (port: ClusterPort) => referredObject(port, one),
      })),
    ];
  }

  private nodeSteps(wanted: readonly Wanted[], base: Thought['base']): Step[] {
    const steps: Step[] = [];
    for (const { channel, about } of wanted) {
      const node = entityOf(about).kind === 'Node' ? about : base.topology.climb(about, 'Node');
      if (node === undefined || node.includes('?') || !suits(channel, base.of('node.info', node)[0]?.runtime)) continue;
      const { name } = entityOf(node);
      if (!this.nodes.has(name) && this.nodes.size >= this.bounds.nodes) continue;
      this.nodes.add(name);
      steps.push(...this.nodeStep(name, channel));
      if (channel === 'kubelet-config') {
        if (!this.twins.has(name)) this.twins.set(name, twinOf(nodeId(name), base));
        const twin = this.twins.get(name);
        if (twin !== undefined) steps.push(...this.nodeStep(twin, channel));
      }
    }
    return steps;
  }

  private nodeStep(node: string, channel: Channel): Step[] {
    const key = `${node}/${channel}`;
    if (this.nodeTried.has(key)) return [];
    this.nodeTried.add(key);
    if (channel === 'kubelet-health') return [{ says: `health of the kubelet of ${node}`, run: (port) => kubeletHealth(port, node) }];
    if (channel === 'kubelet-config') return [{ says: `kubelet configuration of ${node}`, run: (port) => kubeletConfigz(port, node) }];
    return [{ says: `${channel.replace('-', ' ')} of ${node}`, run: (port) => this.logsOf(port).read(node, channel) }];
  }

  private logsOf(port: ClusterPort): NodeLogs {
    const since = this.sinceSeconds === undefined ? undefined : new Date(Date.now() - this.sinceSeconds * 1000);
    const { nodeLogLines, nodeLogBytes } = this.bounds;
    this.nodeLogs ??= new NodeLogs(port, { tailLines: nodeLogLines, limitBytes: nodeLogBytes, ...(since ? { since } : {}) });
    return this.nodeLogs;
  }

  async run(steps: readonly Step[], port: ClusterPort, onStep: (says: string) => void): Promise<Had> {
    const had = await inParallel(steps, this.bounds.width, (step) => {
      onStep(step.says);
      return step.run(port);
    });
    return together(had);
  }
}

/** Docker's journal tells nothing on a node that runs CRI-O. */
function suits(channel: Channel, runtime: string | undefined): boolean {
  if (runtime === undefined) return true;
  if (channel === 'docker-log') return runtime === 'docker';
  if (channel === 'crio-log') return runtime.startsWith('cri');
  if (channel === 'containerd-log') return runtime === 'containerd' || runtime === 'docker';
  return true;
}
