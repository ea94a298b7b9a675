import { type Entity, type EntityId, entityOf, UNKNOWN } from '../../../model/entity.ts';
import type { Incident, Victim } from '../../../model/report.ts';
import { symptomWords } from '../labels.ts';
import { plural } from '../words.ts';

export interface Frame {
  readonly kind: string;
  readonly name: string;
  readonly note?: string;
}

export interface Part {
  readonly kind: string;
  readonly name: string;
  readonly faulty: boolean;
}

export interface Tile {
  readonly name: string;
  readonly note: string;
  readonly trouble: string;
  readonly full: string;
}

/** What the picture shows, before any measure is taken. */
export interface Scene {
  /** From the outside in. */
  readonly frames: readonly Frame[];
  readonly parts: readonly Part[];
  readonly tiles: readonly Tile[];
  readonly count: number;
  readonly described: string;
}

const AREA_PARTS: ReadonlyMap<string, string> = new Map([
  ['app', 'application'],
  ['config', 'configuration'],
  ['image', 'images'],
  ['scheduling', 'scheduler'],
  ['probe', 'probes'],
  ['resource', 'memory, CPU, disk'],
  ['storage', 'volumes'],
  ['network', 'network'],
  ['runtime', 'runtime'],
  ['kubelet', 'kubelet'],
  ['node', 'host'],
  ['control-plane', 'control plane'],
  ['policy', 'policy'],
]);

const RUNTIMES: readonly (readonly [word: string, name: string])[] = [
  ['containerd', 'containerd'],
  ['cri-o', 'CRI-O'],
  ['docker', 'Docker'],
];

const CLUSTER_FRAME: Frame = { kind: 'cluster', name: '' };

function known(name: string | undefined): string | undefined {
  return name === undefined || name === UNKNOWN || name === '' ? undefined : name;
}

function nodeFrame(name: string | undefined): Frame {
  const given = known(name);
  return given === undefined ? { kind: 'this node', name: '' } : { kind: 'node', name: given };
}

function namespaceFrames(namespace: string | undefined): readonly Frame[] {
  const given = known(namespace);
  return given === undefined ? [CLUSTER_FRAME] : [CLUSTER_FRAME, { kind: 'namespace', name: given }];
}

function areaPart(incident: Incident, kind = 'fault'): Part {
  return { kind, name: AREA_PARTS.get(incident.area) ?? 'part not known', faulty: true };
}

function runtimeName(incident: Incident): string {
  const text = `${incident.title} ${incident.why}`.toLowerCase();
  return RUNTIMES.find(([word]) => text.includes(word))?.[1] ?? 'runtime';
}

function nodeParts(incident: Incident): readonly Part[] {
  const parts = [
    { kind: 'operating system', name: 'host', faulty: incident.area === 'node' || incident.area === 'unknown' },
    { kind: 'node agent', name: 'kubelet', faulty: incident.area === 'kubelet' },
    { kind: 'container runtime', name: runtimeName(incident), faulty: incident.area === 'runtime' },
  ];
  return parts.some((part) => part.faulty) ? parts : [areaPart(incident), ...parts.slice(1)];
}

type Stage = Pick<Scene, 'frames' | 'parts'>;

function podStage(incident: Incident, pod: Entity, container: string | undefined): Stage {
  const victim = incident.victims.find((one) => one.id === pod.id);
  const node = known(victim?.node);
  const outer = node === undefined ? namespaceFrames(pod.namespace) : [CLUSTER_FRAME, nodeFrame(node)];
  const namespace = known(pod.namespace);
  const name = node !== undefined && namespace !== undefined ? `${namespace}/${pod.name}` : pod.name;
  const note = victim === undefined ? undefined : troubleOf(victim);
  const part = container === undefined ? areaPart(incident) : { kind: 'container', name: container, faulty: true };
  return { frames: [...outer, { kind: 'pod', name, ...(note !== undefined ? { note } : {}) }], parts: [part] };
}

function workloadStage(incident: Incident, workload: Entity, container: string | undefined): Stage {
  const frame = { kind: (workload.type ?? 'workload').toLowerCase(), name: workload.name };
  const part = container === undefined ? areaPart(incident, 'pod template') : { kind: 'container', name: container, faulty: true };
  return { frames: [...namespaceFrames(workload.namespace), frame], parts: [part] };
}

function clusterParts(incident: Incident): readonly Part[] {
  const inControlPlane = ['control-plane', 'scheduling', 'policy', 'unknown'].includes(incident.area);
  const name = incident.area === 'scheduling' || incident.area === 'policy' ? areaPart(incident).name : 'control plane';
  return inControlPlane ? [{ kind: 'cluster', name, faulty: true }] : [areaPart(incident, 'cluster')];
}

function stageOf(incident: Incident): Stage {
  const place = entityOf(incident.placeId);
  switch (place.kind) {
    case 'Node':
      return { frames: [CLUSTER_FRAME, nodeFrame(place.name)], parts: nodeParts(incident) };
    case 'Pod':
      return podStage(incident, place, undefined);
    case 'Container':
      return podStage(incident, entityOf(place.parent ?? ''), place.name);
    case 'Workload':
      return workloadStage(incident, place, undefined);
    case 'WorkloadContainer':
      return workloadStage(incident, entityOf(place.parent ?? ''), place.name);
    case 'Namespace':
      return { frames: namespaceFrames(place.name), parts: [areaPart(incident, 'namespace')] };
    case 'Object': {
      const part = { kind: place.type ?? 'object', name: place.name, faulty: true };
      return { frames: namespaceFrames(place.namespace), parts: [part] };
    }
    case 'Cluster':
      return { frames: [CLUSTER_FRAME], parts: clusterParts(incident) };
  }
}

function troubleOf(victim: Victim): string {
  return victim.symptoms.map(symptomWords).join(', ');
}

function tileOf(victim: Victim, frames: readonly Frame[]): Tile {
  const entity = entityOf(victim.id);
  const framed = new Set(frames.map((frame) => frame.name));
  const name = entity.kind === 'Pod' && known(entity.name) !== undefined ? entity.name : victim.name;
  const notes = [entity.kind === 'Pod' ? known(entity.namespace) : entity.kind.toLowerCase(), known(victim.node)];
  const note = notes.filter((one) => one !== undefined && !framed.has(one)).join(' · ');
  const trouble = troubleOf(victim);
  return { name, note, trouble, full: [victim.name, known(victim.node), trouble, victim.detail].filter(Boolean).join(' · ') };
}

/** The place itself is drawn already. */
function isPlace(victim: Victim, placeId: EntityId): boolean {
  return victim.id === placeId || entityOf(placeId).parent === victim.id;
}

function isInside(victim: Victim, frame: Frame): boolean {
  const { namespace } = entityOf(victim.id);
  if (frame.kind === 'pod') return false;
  if (frame.kind === 'namespace') return known(namespace) === undefined || namespace === frame.name;
  return frame.kind !== 'node' || known(victim.node) === undefined || victim.node === frame.name;
}

/** A frame that does not hold every victim is not drawn around them; the fault carries its name instead. */
function widened(stage: Stage, others: readonly Victim[]): Stage {
  const kept = stage.frames.findIndex((frame) => others.some((victim) => !isInside(victim, frame)));
  if (kept < 0) return stage;
  const lost = stage.frames.at(-1);
  const faulty = stage.parts.filter((part) => part.faulty);
  const outside = `${lost?.kind ?? ''} ${lost?.name ?? ''}`.trim();
  const kindOf = (part: Part) => (part.kind === lost?.kind ? outside : `${part.kind} in ${outside}`);
  return { frames: stage.frames.slice(0, kept), parts: faulty.map((part) => ({ ...part, kind: kindOf(part) })) };
}

function withTrouble(frames: readonly Frame[], itself: Victim | undefined): readonly Frame[] {
  if (itself === undefined) return frames;
  return frames.map((frame, index) =>
    index === frames.length - 1 && frame.note === undefined ? { ...frame, note: troubleOf(itself) } : frame,
  );
}

function describe(stage: Stage, others: readonly Victim[], count: number): string {
  const where = stage.frames.map((frame) => `${frame.kind} ${frame.name}`.trim()).join(', in it ');
  const fault = stage.parts.find((part) => part.faulty);
  const names = others.slice(0, 6).map((one) => one.name);
  const hit = count === 0 ? '' : ` It hits ${plural(count, 'victim')}: ${names.join(', ')}${count > names.length ? ' and more' : ''}.`;
  return `${where}. The fault sits at ${fault?.name ?? 'an unknown place'}.${hit}`;
}

export function sceneOf(incident: Incident): Scene {
  const others = incident.victims.filter((victim) => !isPlace(victim, incident.placeId));
  const stage = widened(stageOf(incident), others);
  const count = others.length + Math.max(0, incident.victimCount - incident.victims.length);
  return {
    frames: withTrouble(
      stage.frames,
      incident.victims.find((victim) => victim.id === incident.placeId),
    ),
    parts: stage.parts,
    tiles: others.map((victim) => tileOf(victim, stage.frames)),
    count,
    described: describe(stage, others, count),
  };
}
