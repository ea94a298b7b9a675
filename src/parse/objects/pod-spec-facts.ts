import type { EntityId } from '../../model/entity.ts';
import { containerSpecFacts } from './container-facts.ts';
import { isRecord, type JsonRecord, known, listOf, numberOf, recordOf, textOf } from './json-value.ts';
import type { ObjectReading } from './object-reading.ts';
import { volumeFacts } from './volume-facts.ts';

/** Whose spec it is: a pod with its containers, or a workload with those of its template. */
export interface SpecOwner {
  readonly about: EntityId;
  readonly container: (name: string) => EntityId;
  /** Containers that do well; in a list their specs are dropped. */
  readonly quiet?: ReadonlySet<string>;
}

/** Everything a pod spec or pod template tells, whatever it belongs to. */
export function podSpecFacts(reading: ObjectReading, owner: SpecOwner, spec: JsonRecord, pointer: string): void {
  const { about } = owner;
  if (spec['hostNetwork'] === true) {
    reading.fact('pod.host-network', about, { hostNetwork: true }, reading.cite(`${pointer}/hostNetwork`, 'hostNetwork: true'));
  }
  const runtimeClass = textOf(spec['runtimeClassName']);
  if (runtimeClass !== undefined) {
    const cited = reading.cite(`${pointer}/runtimeClassName`, `runtimeClassName: ${runtimeClass}`);
    reading.fact('pod.runtime-class', about, { name: runtimeClass }, cited);
  }
  const policy = textOf(spec['restartPolicy']);
  if (policy !== undefined) {
    reading.fact('pod.restart-policy', about, { policy }, reading.cite(`${pointer}/restartPolicy`, `restartPolicy: ${policy}`));
  }
  volumeFacts(reading, about, spec, pointer);
  schedulingFacts(reading, about, spec, pointer);
  const podSecurity = recordOf(spec['securityContext']);
  for (const [key, init] of [
    ['initContainers', true],
    ['containers', false],
  ] as const) {
    const containers = listOf(spec[key]);
    for (let index = 0; index < containers.length; index++) {
      const container = recordOf(containers[index]);
      const name = textOf(container['name']);
      if (name === undefined || owner.quiet?.has(name)) continue;
      containerSpecFacts(reading, owner.container(name), container, `${pointer}/${key}/${index}`, { init, index, podSecurity });
    }
  }
}

function schedulingFacts(reading: ObjectReading, about: EntityId, spec: JsonRecord, pointer: string): void {
  const selector = Object.entries(recordOf(spec['nodeSelector'])).flatMap(([key, value]) => {
    const text = typeof value === 'string' ? value : textOf(value);
    return text === undefined ? [] : ([[key, text]] as const);
  });
  const tolerations = listOf(spec['tolerations']).flatMap((item) => (isRecord(item) ? tolerationText(item) : []));
  const nodeName = textOf(spec['nodeName']);
  const payload = known({
    nodeSelector: selector.length > 0 ? (Object.fromEntries(selector) as Readonly<Record<string, string>>) : undefined,
    tolerations: tolerations.length > 0 ? tolerations : undefined,
    schedulerName: textOf(spec['schedulerName']),
    nodeName,
  });
  if (Object.keys(payload).length === 0 || (reading.listed && nodeName !== undefined && selector.length === 0)) return;
  reading.fact('pod.scheduling', about, payload, schedulingCitation(reading, pointer, selector, nodeName));
}

function schedulingCitation(
  reading: ObjectReading,
  pointer: string,
  selector: readonly (readonly [string, string])[],
  nodeName: string | undefined,
) {
  if (selector.length > 0) {
    const words = selector.map(([key, value]) => `${key}=${value}`).join(', ');
    return reading.cite(`${pointer}/nodeSelector`, `nodeSelector: ${words}`);
  }
  if (nodeName !== undefined) return reading.cite(`${pointer}/nodeName`, `nodeName: ${nodeName}`);
  return reading.cite(`${pointer}/tolerations`, 'tolerations');
}

/** As `kubectl describe` prints it: `key=value:Effect op=Exists for 300s`. */
export function tolerationText(toleration: JsonRecord): string {
  const key = textOf(toleration['key']) ?? '';
  const value = textOf(toleration['value']);
  const effect = textOf(toleration['effect']);
  const exists = toleration['operator'] === 'Exists' && value === undefined;
  const seconds = numberOf(toleration['tolerationSeconds']);
  const head = `${key}${value === undefined ? '' : `=${value}`}${effect === undefined ? '' : `:${effect}`}`;
  return `${head}${exists ? ' op=Exists' : ''}${seconds === undefined ? '' : ` for ${seconds}s`}`.trimStart();
}
