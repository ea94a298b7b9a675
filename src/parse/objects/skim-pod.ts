import { isRecord, type JsonRecord, listOf } from './json-value.ts';

/**
 * Metadata and status of a pod, parsed without its spec: most pods are healthy, and then the spec, more than half of the
 * text, is never looked at. Undefined when the text is not laid out as the API server writes pods; then it must be parsed.
 *
 * With `identified` the ids in the status are wanted too, so it is always parsed.
 *
 * Searching for `"key":` is safe in JSON: inside a string the quotes would be escaped.
 */
export function skimPod(text: string, listKind: string | undefined, identified = false): JsonRecord | undefined {
  const metadataAt = text.indexOf('"metadata":');
  if (metadataAt < 0 || metadataAt > 200 || !isPod(text.slice(0, metadataAt), listKind)) return undefined;
  const gap = text[metadataAt + '"metadata":'.length] === ' ' ? ' ' : '';
  const specAt = text.indexOf(`"spec":${gap}{`, metadataAt);
  const statusAt = text.lastIndexOf(`"status":${gap}{`);
  // A second "metadata" would mean that the text holds more than one object.
  if (specAt < 0 || statusAt < specAt || text.indexOf('"metadata":', specAt) >= 0) return undefined;
  if (text.indexOf('"waiting":', statusAt) >= 0) return undefined;
  const metadata = parsedRecord(text.slice(metadataAt + '"metadata":'.length, text.lastIndexOf(',', specAt)));
  const status =
    (identified ? undefined : plainlyWell(text, statusAt, gap)) ??
    parsedRecord(text.slice(statusAt + '"status":'.length, text.lastIndexOf('}')));
  const nodeName = nodeNameIn(text, specAt, statusAt, gap);
  if (!metadata || !status || nodeName === undefined) return undefined;
  if (listOf(status['initContainerStatuses']).length > 0 && !hasPlainContainers(text, specAt, statusAt)) return undefined;
  const containers = listOf(status['containerStatuses']).length;
  return containers === 0 ? undefined : { metadata, status, spec: { nodeName, containers: new Array(containers).fill(undefined) } };
}

/**
 * The status of a pod all of whose containers run, are ready and never restarted, told by its words alone: parsing it would
 * cost more than everything else about a healthy pod. Undefined when anything looks different.
 */
function plainlyWell(text: string, from: number, gap: string): JsonRecord | undefined {
  for (const trouble of [
    '"terminated":',
    '"initContainerStatuses":',
    '"ephemeralContainerStatuses":',
    `"status":${gap}"False"`,
    `"status":${gap}"Unknown"`,
    '"DisruptionTarget"',
    '"PodResize',
  ]) {
    if (text.indexOf(trouble, from) >= 0) return undefined;
  }
  if (text.indexOf(`"phase":${gap}"Running"`, from) < 0) return undefined;
  const containers = count(text, '"restartCount":', from);
  const well = count(text, `"ready":${gap}true`, from);
  if (containers === 0 || well !== containers || count(text, '"ready":', from) !== containers) return undefined;
  if (count(text, `"restartCount":${gap}0,`, from) + count(text, `"restartCount":${gap}0}`, from) !== containers) return undefined;
  return {
    phase: 'Running',
    containerStatuses: new Array(containers).fill(WELL),
    conditions: [{ lastTransitionTime: lastTime(text, from, gap) }],
  };
}

const WELL = { ready: true, restartCount: 0, state: { running: {} } };

function count(text: string, word: string, from: number): number {
  let found = 0;
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + word.length)) found++;
  return found;
}

function lastTime(text: string, from: number, gap: string): string | undefined {
  const key = `"lastTransitionTime":${gap}"`;
  const at = text.lastIndexOf(key);
  return at < from ? undefined : text.slice(at + key.length, at + key.length + '2025-01-01T00:00:00Z'.length);
}

function isPod(head: string, listKind: string | undefined): boolean {
  return /"kind": ?"Pod"/.test(head) || (listKind === 'PodList' && !head.includes('"kind"'));
}

function nodeNameIn(text: string, from: number, to: number, gap: string): string | undefined {
  const key = `"nodeName":${gap}"`;
  // It stands near the end of the spec, so looking from there is short.
  const at = text.lastIndexOf(key, to);
  if (at < from) return undefined;
  const end = text.indexOf('"', at + key.length);
  const name = text.slice(at + key.length, end);
  return end < 0 || name.length > 253 || name.includes('\\') ? undefined : name;
}

/** A restart policy of its own makes an init container a sidecar, which counts as a container. */
function hasPlainContainers(text: string, from: number, to: number): boolean {
  const first = text.indexOf('"restartPolicy":', from);
  if (first < 0 || first > to) return false;
  const second = text.indexOf('"restartPolicy":', first + 1);
  return second < 0 || second > to;
}

function parsedRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
