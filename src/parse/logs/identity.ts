import { containerId, type EntityId, podId } from '../../model/entity.ts';
import type { LogLine } from './log-line.ts';

/** Whom a text names: a pod, a container of it, and the ids that stand for them. */
export interface Names {
  readonly pod?: EntityId;
  readonly container?: string;
  readonly containerIds: readonly string[];
  readonly sandboxIds: readonly string[];
  readonly uid?: string;
}

interface Found {
  pod?: EntityId;
  container?: string;
  uid?: string;
  readonly containerIds: string[];
  readonly sandboxIds: string[];
}

const UID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ANY_UID = `(?:${UID}|[0-9a-f]{32})`;
const IS_UID = new RegExp(`^${ANY_UID}$`);
const NAME = /^[a-z0-9][a-z0-9.-]{0,252}$/;
const QUOTED_POD = /\bpod="(?<namespace>[a-z0-9][a-z0-9-]{0,62})\/(?<name>[a-z0-9][a-z0-9.-]{0,252})"/;
const SANDBOX = /PodSandboxMetadata\{Name:(?<name>[^,{}\s]{1,253}),Uid:(?<uid>[^,{}\s]{1,64}),Namespace:(?<namespace>[^,{}\s]{1,63}),/;
const CNI_NAMESPACE = /K8S_POD_NAMESPACE=(?<value>[^;\s"]{1,63})/;
const CNI_NAME = /K8S_POD_NAME=(?<value>[^;\s"]{1,253})/;
const DOCKER_NAME = new RegExp(
  `\\bk8s_(?<container>[^_\\s]{1,63})_(?<name>[^_\\s]{1,253})_(?<namespace>[^_\\s]{1,63})_(?<uid>${ANY_UID})_\\d`,
);
const POD_LOGS = new RegExp(
  `/var/log/pods/(?<namespace>[^_/\\s]{1,63})_(?<name>[^_/\\s]{1,253})_(?<uid>${ANY_UID})/(?:(?<container>[^/\\s"]{1,63})/)?`,
);
const POD_FOLDER = new RegExp(`/kubelet/pods/(?<uid>${ANY_UID})`);
const POD_AND_UID = new RegExp(`\\bpod "(?<name>[^"\\s]{1,253})" \\(UID: "(?<uid>${ANY_UID})"\\)`);
const KEYED_UID = new RegExp(`(?:podUID=|PodUID:|podName:|\\(UID: )"?(?<uid>${ANY_UID})\\b`);
const CGROUP_UID =
  /kubepods[^\s:]{0,80}?[-/]pod(?<uid>[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})/;
const RESERVED = new RegExp(
  `reserve (?<what>sandbox|container) name "(?:(?<container>[^_"]{1,63})_)?(?<name>[^_"]{1,253})_(?<namespace>[^_"]{1,63})_(?<uid>${ANY_UID})_\\d`,
);
const CONTAINER = [
  /"(?:StartContainer|InitContainer|KillContainer)" for "(?<value>[^"\s\\]{1,63})"/,
  /\bcontainerName="(?<value>[^"\s]{1,63})"/,
  /ContainerMetadata\{Name:(?<value>[^,{}\s]{1,63}),/,
  /\bcontainer=(?<value>[a-z0-9][a-z0-9-]{0,62}) pod=/,
] as const;
const LONG_ID = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
const MOST_IDS = 8;

/** Finds whom a text names. One pass per kind of name, each behind a cheap test. */
export function namesIn(text: string): Names {
  const found: Found = { containerIds: [], sandboxIds: [] };
  if (text.includes('pod="')) takePod(found, QUOTED_POD.exec(text)?.groups);
  if (text.includes('_')) findNamedUid(text, found);
  if (text.includes('PodSandboxMetadata{')) takePod(found, SANDBOX.exec(text)?.groups);
  if (text.includes('K8S_POD_NAME=')) findCniArguments(text, found);
  if (text.includes('k8s_')) takePod(found, DOCKER_NAME.exec(text)?.groups);
  if (text.includes('/pods/')) takePod(found, POD_LOGS.exec(text)?.groups ?? POD_FOLDER.exec(text)?.groups);
  if (text.includes(' name "')) takePod(found, RESERVED.exec(text)?.groups);
  if (text.includes('UID') || text.includes('podName:')) takePod(found, POD_AND_UID.exec(text)?.groups ?? KEYED_UID.exec(text)?.groups);
  if (text.includes('kubepods')) takePod(found, CGROUP_UID.exec(text)?.groups);
  if (found.container === undefined) findContainer(text, found);
  if (text.length >= 64) findLongIds(text, found);
  if (found.container === 'POD') delete found.container;
  return found;
}

/** Names from the fields of a structured line, else from its words. */
export function namesOf(line: LogLine): Names {
  const { fields } = line;
  const error = fields?.['err'] ?? fields?.['error'] ?? '';
  const words = namesIn(error === '' ? line.message : `${line.message}\n${error}`);
  if (!fields) return words;
  const found: Found = { ...words, containerIds: [...words.containerIds], sandboxIds: [...words.sandboxIds] };
  const pod = podField(fields);
  if (pod) found.pod = pod;
  const uid = fields['podUID'] ?? fields['podUid'];
  if (uid && IS_UID.test(uid)) found.uid = uid;
  if (fields['containerName']) found.container = fields['containerName'];
  takeId(fields['containerID'] ?? fields['containerId'] ?? fields['container'], found.containerIds);
  takeId(fields['podSandboxID'] ?? fields['sandboxID'] ?? fields['podSandboxId'], found.sandboxIds);
  if (fields['id'] && found.containerIds.length === 0 && found.sandboxIds.length === 0) takeId(fields['id'], found.containerIds);
  if (fields['event'] && fields['event'].length < 2000) takeId(/[0-9a-f]{64}/.exec(fields['event'])?.[0], found.containerIds);
  return found;
}

/** The narrowest entity these names give. */
export function narrowest(names: Names): EntityId | undefined {
  const pod = names.pod ?? (names.uid === undefined ? undefined : `uid:${names.uid}`);
  if (pod !== undefined) return names.container === undefined ? pod : containerId(pod, names.container);
  if (names.containerIds.length === 1) return `cid:${names.containerIds[0]}`;
  return names.sandboxIds.length === 1 && names.containerIds.length === 0 ? `sandbox:${names.sandboxIds[0]}` : undefined;
}

function podField(fields: Readonly<Record<string, string>>): EntityId | undefined {
  const listed = /^\["?([^",\]\s]+)"?\]$/.exec(fields['pods'] ?? '')?.[1];
  const value = fields['pod'] ?? listed ?? fields['podName'] ?? fields['pod_name'] ?? '';
  const [first = '', second] = value.split('/', 2);
  if (second !== undefined) return NAME.test(first) && NAME.test(second) ? podId(first, second) : undefined;
  const namespace = fields['podNamespace'] ?? fields['pod_namespace'] ?? fields['namespace'];
  if (NAME.test(first) && !IS_UID.test(first)) return podId(namespace, first);
  return value.includes('(') ? namesIn(value).pod : undefined;
}

function takePod(found: Found, groups: Readonly<Record<string, string | undefined>> | undefined): void {
  if (!groups) return;
  const uid = groups['uid']?.replaceAll('_', '-');
  if (uid) found.uid ??= uid;
  if (groups['container']) found.container ??= groups['container'];
  const name = groups['name'];
  if (name === undefined || name === uid || !NAME.test(name)) return;
  const named = podId(groups['namespace'], name);
  if (found.pod === undefined || (found.pod.startsWith('Pod/?/') && groups['namespace'])) found.pod = named;
}

/** `name_namespace(uid)`, as the kubelet prints pods: found from its bracket, walking back over the name. */
function findNamedUid(text: string, found: Found): void {
  for (let at = text.indexOf('('); at >= 0; at = text.indexOf('(', at + 1)) {
    const length = text.charAt(at + 37) === ')' ? 36 : text.charAt(at + 33) === ')' ? 32 : 0;
    if (length === 0) continue;
    const uid = text.slice(at + 1, at + 1 + length);
    if (!/^[0-9a-f-]+$/.test(uid)) continue;
    const underscore = text.lastIndexOf('_', at);
    const namespace = underscore < 0 || at - underscore > 64 ? '' : text.slice(underscore + 1, at);
    const name = NAME.test(namespace) ? nameBefore(text, underscore) : '';
    if (name === '') continue;
    takePod(found, { name, namespace, uid });
    return;
  }
}

function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < 253 && /[a-z0-9.-]/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end);
}

function findCniArguments(text: string, found: Found): void {
  takePod(found, { name: CNI_NAME.exec(text)?.groups?.['value'], namespace: CNI_NAMESPACE.exec(text)?.groups?.['value'] });
}

function findContainer(text: string, found: Found): void {
  if (!text.includes('ontainer')) return;
  for (const pattern of CONTAINER) {
    const value = pattern.exec(text)?.groups?.['value'];
    if (value === undefined) continue;
    found.container = value;
    return;
  }
}

function findLongIds(text: string, found: Found): void {
  for (const match of text.matchAll(LONG_ID)) {
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    if (before.endsWith('sha256:')) continue;
    const sandbox = /andbox[^{}]{0,24}$|INFRA_CONTAINER_ID=$/.test(before);
    takeId(match[0], sandbox ? found.sandboxIds : found.containerIds);
    if (found.containerIds.length + found.sandboxIds.length >= MOST_IDS) return;
  }
}

function takeId(value: string | undefined, into: string[]): void {
  const id = value === undefined ? undefined : /[0-9a-f]{64}/.exec(value)?.[0];
  if (id !== undefined && !into.includes(id)) into.push(id);
}
