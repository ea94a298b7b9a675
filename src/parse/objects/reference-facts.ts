import type { EntityId } from '../../model/entity.ts';
import { type JsonRecord, listOf, recordOf, textOf } from './json-value.ts';
import type { ObjectReading } from './object-reading.ts';

const MOST_LABELS = 40;

/** What an object points to by name or by labels: a misspelt one is found by comparing, not by any message. */
export function referenceFacts(reading: ObjectReading, type: string, about: EntityId, object: JsonRecord, pointer: string): void {
  // In a list of a whole cluster the controllers say themselves what they do not find.
  if (reading.listed) return;
  const spec = recordOf(object['spec']);
  if (type === 'Ingress') ingressFacts(reading, about, spec, `${pointer}/spec`);
  if (type === 'Service') serviceFacts(reading, about, spec, `${pointer}/spec`);
  if (type === 'HorizontalPodAutoscaler') targetFacts(reading, about, spec, `${pointer}/spec`);
}

function ingressFacts(reading: ObjectReading, about: EntityId, spec: JsonRecord, pointer: string): void {
  backend(reading, about, recordOf(spec['defaultBackend'] ?? spec['backend']), `${pointer}/defaultBackend`);
  const rules = listOf(spec['rules']);
  for (let rule = 0; rule < rules.length; rule++) {
    const paths = listOf(recordOf(recordOf(rules[rule])['http'])['paths']);
    for (let path = 0; path < paths.length; path++) {
      const at = `${pointer}/rules/${rule}/http/paths/${path}/backend`;
      backend(reading, about, recordOf(recordOf(paths[path])['backend']), at);
    }
  }
}

function backend(reading: ObjectReading, about: EntityId, given: JsonRecord, pointer: string): void {
  const service = recordOf(given['service']);
  // Before networking.k8s.io/v1 the name and port stood in the backend itself.
  const name = textOf(service['name']) ?? textOf(given['serviceName']);
  if (name === undefined) return;
  const number = recordOf(service['port']);
  const port = textOf(number['number']) ?? textOf(number['name']) ?? textOf(given['servicePort']);
  const cited = reading.cite(pointer, `backend: service ${name}${port === undefined ? '' : `, port ${port}`}`);
  reading.fact('object.refers', about, { type: 'Service', name, ...(port === undefined ? {} : { port }) }, cited);
}

function serviceFacts(reading: ObjectReading, about: EntityId, spec: JsonRecord, pointer: string): void {
  const labels = labelsOf(spec['selector']);
  const ports = listOf(spec['ports']).flatMap((port) => [textOf(recordOf(port)['port']), textOf(recordOf(port)['name'])]);
  const words = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  if (words.length === 0) return;
  const payload = { labels, ports: ports.filter((port) => port !== undefined) };
  reading.fact('service.selector', about, payload, reading.cite(`${pointer}/selector`, `selector: ${words.join(', ')}`));
}

function targetFacts(reading: ObjectReading, about: EntityId, spec: JsonRecord, pointer: string): void {
  const target = recordOf(spec['scaleTargetRef']);
  const name = textOf(target['name']);
  const type = textOf(target['kind']);
  if (name === undefined || type === undefined) return;
  reading.fact('object.refers', about, { type, name }, reading.cite(`${pointer}/scaleTargetRef`, `scaleTargetRef: ${type} ${name}`));
}

/** The labels pods of a workload carry. */
export function podLabelFacts(reading: ObjectReading, type: string, object: JsonRecord, about: EntityId, pointer: string): void {
  if (reading.listed) return;
  const template = type === 'Pod' ? object : recordOf(recordOf(object['spec'])['template']);
  const labels = labelsOf(recordOf(template['metadata'])['labels']);
  const words = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  if (words.length === 0) return;
  const at = type === 'Pod' ? `${pointer}/metadata/labels` : `${pointer}/spec/template/metadata/labels`;
  reading.fact('pod.labels', about, { labels }, reading.cite(at, `labels: ${words.join(', ')}`));
}

function labelsOf(value: unknown): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const [key, label] of Object.entries(recordOf(value)).slice(0, MOST_LABELS)) {
    const text = textOf(label);
    if (text !== undefined) labels[key] = text;
  }
  return labels;
}
