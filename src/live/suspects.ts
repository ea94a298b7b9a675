import type { ClusterScope } from '../collect/cluster/lists.ts';
import type { Thought } from '../diagnose.ts';
import { liveProbeFor } from '../facts/probes.ts';
import { entityOf, nodeId } from '../model/entity.ts';
import { wantedBy } from '../reason/wanted.ts';
import { twinOf } from './twin.ts';

export interface Suspects {
  /** The most suspect first. */
  readonly nodes: readonly string[];
  /** A healthy node to compare with. */
  readonly twin?: string;
}

/** Nodes on which something below the API may be at fault: open questions lead there, or the node itself is unwell. */
export function suspectsOf({ base, reasoned }: Thought, scope: ClusterScope): Suspects {
  const weights = new Map<string, number>();
  function suspect(node: string | undefined, weight: number): void {
    if (node === undefined || node.includes('?')) return;
    const { name } = entityOf(node);
    weights.set(name, (weights.get(name) ?? 0) + weight);
  }
  for (const { about } of base.all('node.symptom')) suspect(about, 100);
  for (const { placeId } of reasoned.incidents) if (entityOf(placeId).kind === 'Node') suspect(placeId, 50);
  for (const { channel, about, weight } of wantedBy(reasoned.examined, [], base)) {
    if (liveProbeFor(channel) === 'host') suspect(base.topology.climb(about, 'Node'), weight);
  }
  if (scope.node !== undefined) suspect(nodeId(scope.node), 1000);
  const nodes = [...weights].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const twin = nodes[0] === undefined ? undefined : twinOf(nodeId(nodes[0]), base);
  return { nodes, ...(twin !== undefined && !nodes.includes(twin) ? { twin } : {}) };
}
