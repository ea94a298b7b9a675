import type { Referred } from '../collect/cluster/referred-objects.ts';
import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf } from '../model/entity.ts';
import type { Scope } from '../reason/scope.ts';
import type { Wanted } from '../reason/wanted.ts';

const VOLUMES: Readonly<Record<string, Referred['plural']>> = { ConfigMap: 'configmaps', Secret: 'secrets' };

// As the kubelet words it: `configmap "x" not found`, `couldn't find key k in ConfigMap ns/x`.
const NAMED =
  /\b(?<kind>configmap|secret|serviceaccount)s?[: ]{1,2}(?:"(?<quoted>[a-z0-9.-]{1,253})"|[a-z0-9-]{1,63}\/(?<name>[a-z0-9.-]{1,253}))/gi;

/** ConfigMaps, Secrets and service accounts that pods in question mount or stumble over, at most `limit`. */
export function chooseObjects(wanted: readonly Wanted[], base: FactBase, scope: Scope, tried: Set<string>, limit: number): Referred[] {
  const chosen: Referred[] = [];
  for (const { about } of wanted) {
    const { kind, namespace } = entityOf(about);
    if (kind !== 'Pod' || namespace === undefined) continue;
    for (const { plural, name } of [...mounted(about, base), ...stumbledOver(about, base, scope)]) {
      const key = `${plural}/${namespace}/${name}`;
      if (tried.has(key)) continue;
      if (chosen.length >= limit) return chosen;
      tried.add(key);
      chosen.push({ plural, namespace, name });
    }
  }
  return chosen;
}

type Name = Pick<Referred, 'plural' | 'name'>;

function mounted(pod: EntityId, base: FactBase): Name[] {
  return base.of('pod.volume', pod).flatMap(({ type, source }) => {
    const plural = VOLUMES[type];
    return plural !== undefined && source !== undefined ? [{ plural, name: source }] : [];
  });
}

function stumbledOver(pod: EntityId, base: FactBase, scope: Scope): Name[] {
  const messages = [
    ...base.of('pod.event', pod).map(({ message }) => message),
    ...scope.containers(pod).flatMap((id) => base.of('container.waiting', id).map(({ message }) => message ?? '')),
  ];
  return messages.flatMap((message) =>
    [...message.matchAll(NAMED)].flatMap(({ groups }) => {
      const name = groups?.['quoted'] ?? groups?.['name'];
      const plural = `${groups?.['kind']?.toLowerCase()}s` as Referred['plural'];
      return name === undefined ? [] : [{ plural, name }];
    }),
  );
}
