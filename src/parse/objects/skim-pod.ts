import { isRecord, type JsonRecord, listOf } from './json-value.ts';

/**
 * Metadata and status of a pod, parsed without its spec: most pods are healthy, and then the spec, more than half of the
 * text, is never looked at. Undefined when the text is not laid out as the API server writes pods; then it must be parsed.
 *
 * Searching for `"key":` is safe in JSON: inside a string the quotes would be escaped.
 */
export function skimPod(text: string, listKind: string | undefined): JsonRecord | undefined {
  const metadataAt = text.indexOf('"metadata":');
  if (metadataAt < 0 || metadataAt > 200 || !isPod(text.slice(0, metadataAt), listKind)) return undefined;
  const gap = text[metadataAt + '"metadata":'.length] === ' ' ? ' ' : '';
  const specAt = text.indexOf(`"spec":${gap}{`, metadataAt);
  const statusAt = text.lastIndexOf(`"status":${gap}{`);
  // A second "metadata" would mean that the text holds more than one object.
  if (specAt < 0 || statusAt < specAt || text.indexOf('"metadata":', specAt) >= 0) return undefined;
  if (text.indexOf('"waiting":', statusAt) >= 0) return undefined;
  const metadata = parsedRecord(text.slice(metadataAt + '"metadata":'.length, text.lastIndexOf(',', specAt)));
  const status = parsedRecord(text.slice(statusAt + '"status":'.length, text.lastIndexOf('}')));
  const nodeName = nodeNameIn(text, specAt, statusAt, gap);
  if (!metadata || !status || nodeName === undefined) return undefined;
  if (listOf(status['initContainerStatuses']).length > 0 && !hasPlainContainers(text, specAt, statusAt)) return undefined;
  const containers = listOf(status['containerStatuses']).length;
  return containers === 0 ? undefined : { metadata, status, spec: { nodeName, containers: new Array(containers).fill(undefined) } };
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
