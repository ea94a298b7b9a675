import { containerId, type EntityId, UNKNOWN } from '../../model/entity.ts';
import type { Sink } from '../../model/evidence.ts';
import type { Attribution } from './attribute.ts';

/** Collects who is whom over a whole log, so that each link is told once and the fullest name wins. */
export interface Links {
  see(attribution: Attribution): void;
  tell(sink: Pick<Sink, 'edge'>): void;
}

const MOST_LINKS = 200_000;

export function createLinks(): Links {
  const aliases = new Map<EntityId, EntityId>();
  const nodes = new Map<EntityId, EntityId>();

  function alias(id: EntityId, entity: EntityId): void {
    const before = aliases.get(id);
    if (before === undefined ? aliases.size < MOST_LINKS : gaps(entity) < gaps(before)) aliases.set(id, entity);
  }

  return {
    see({ names, channel, node }) {
      if (!names) return;
      const uid = names.uid === undefined ? undefined : `uid:${names.uid}`;
      const pod = names.pod ?? uid;
      if (uid !== undefined && names.pod !== undefined) alias(uid, names.pod);
      const [sandboxId] = names.sandboxIds;
      const sandbox = names.sandboxIds.length === 1 ? `sandbox:${sandboxId}` : undefined;
      if (sandbox !== undefined && pod !== undefined) alias(sandbox, pod);
      const parent = pod ?? (names.container === undefined ? undefined : sandbox);
      if (names.containerIds.length === 1 && parent !== undefined) {
        alias(`cid:${names.containerIds[0]}`, containerId(parent, names.container ?? UNKNOWN));
      }
      const local = channel === 'kubelet-log' || channel === 'containerd-log' || channel === 'docker-log' || channel === 'crio-log';
      if (local && pod !== undefined && !node.endsWith(`/${UNKNOWN}`) && nodes.size < MOST_LINKS) nodes.set(pod, node);
    },
    tell(sink) {
      for (const [id, entity] of aliases) sink.edge({ type: 'alias', alias: id, entity });
      for (const [pod, node] of nodes) sink.edge({ type: 'runs-on', pod, node });
    },
  };
}

/** How much of a name is unknown or stands only for another. */
function gaps(entity: EntityId): number {
  let count = entity.includes('uid:') || entity.includes('sandbox:') ? 1 : 0;
  for (const part of entity.split('/')) if (part === UNKNOWN) count += 2;
  return count;
}
