import { type Entity, type EntityId, type EntityKind, entityOf, UNKNOWN } from '../../../model/entity.ts';
import type { Incident, Victim } from '../../../model/report.ts';
import { areaWords, symptomWords } from '../labels.ts';
import { listed, say } from '../voice.ts';

export interface Frame {
  readonly of: EntityKind;
  /** What it is, in words. */
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

const KINDS = {
  Cluster: 'html.kind.cluster',
  Namespace: 'html.kind.namespace',
  Node: 'html.kind.node',
  Workload: 'html.kind.workload',
  WorkloadContainer: 'html.kind.container',
  Pod: 'html.kind.pod',
  Container: 'html.kind.container',
  Object: 'html.kind.object',
} as const satisfies Readonly<Record<EntityKind, string>>;

const RUNTIMES: readonly (readonly [word: string, name: string])[] = [
  ['containerd', 'containerd'],
  ['cri-o', 'CRI-O'],
  ['docker', 'Docker'],
];

function clusterFrame(): Frame {
  return { of: 'Cluster', kind: say('html.kind.cluster'), name: '' };
}

function known(name: string | undefined): string | undefined {
  return name === undefined || name === UNKNOWN || name === '' ? undefined : name;
}

function nodeFrame(name: string | undefined): Frame {
  const given = known(name);
  return given === undefined
    ? { of: 'Node', kind: say('html.kind.thisNode'), name: '' }
    : { of: 'Node', kind: say('html.kind.node'), name: given };
}

function namespaceFrames(namespace: string | undefined): readonly Frame[] {
  const given = known(namespace);
  if (given === undefined) return [clusterFrame()];
  return [clusterFrame(), { of: 'Namespace', kind: say('html.kind.namespace'), name: given }];
}

function areaPart(incident: Incident, kind = say('html.picture.faulty')): Part {
  return { kind, name: areaWords(incident.area), faulty: true };
}

function runtimeName(incident: Incident): string {
  const text = `${incident.title} ${incident.why}`.toLowerCase();
  return RUNTIMES.find(([word]) => text.includes(word))?.[1] ?? say('html.area.runtime');
}

function nodeParts(incident: Incident): readonly Part[] {
  const parts = [
    { kind: say('html.picture.system'), name: say('html.area.node'), faulty: incident.area === 'node' || incident.area === 'unknown' },
    { kind: say('html.picture.agent'), name: say('html.area.kubelet'), faulty: incident.area === 'kubelet' },
    { kind: say('html.picture.runtime'), name: runtimeName(incident), faulty: incident.area === 'runtime' },
  ];
  return parts.some((part) => part.faulty) ? parts : [areaPart(incident), ...parts.slice(1)];
}

type Stage = Pick<Scene, 'frames' | 'parts'>;

function containerPart(name: string): Part {
  return { kind: say('html.kind.container'), name, faulty: true };
}

function podStage(incident: Incident, pod: Entity, container: string | undefined): Stage {
  const victim = incident.victims.find((one) => one.id === pod.id);
  const node = known(victim?.node);
  const outer = node === undefined ? namespaceFrames(pod.namespace) : [clusterFrame(), nodeFrame(node)];
  const namespace = known(pod.namespace);
  const name = node !== undefined && namespace !== undefined ? `${namespace}/${pod.name}` : pod.name;
  const note = victim === undefined ? undefined : troubleOf(victim);
  const frame: Frame = { of: 'Pod', kind: say('html.kind.pod'), name, ...(note !== undefined ? { note } : {}) };
  return { frames: [...outer, frame], parts: [container === undefined ? areaPart(incident) : containerPart(container)] };
}

function workloadStage(incident: Incident, workload: Entity, container: string | undefined): Stage {
  const kind = workload.type?.toLowerCase() ?? say('html.kind.workload');
  const frame: Frame = { of: 'Workload', kind, name: workload.name };
  const part = container === undefined ? areaPart(incident, say('html.picture.template')) : containerPart(container);
  return { frames: [...namespaceFrames(workload.namespace), frame], parts: [part] };
}

function clusterParts(incident: Incident): readonly Part[] {
  const part = areaPart(incident, say('html.kind.cluster'));
  return [incident.area === 'unknown' ? { ...part, name: say('html.area.control-plane') } : part];
}

function stageOf(incident: Incident): Stage {
  const place = entityOf(incident.placeId);
  switch (place.kind) {
    case 'Node':
      return { frames: [clusterFrame(), nodeFrame(place.name)], parts: nodeParts(incident) };
    case 'Pod':
      return podStage(incident, place, undefined);
    case 'Container':
      return podStage(incident, entityOf(place.parent ?? ''), place.name);
    case 'Workload':
      return workloadStage(incident, place, undefined);
    case 'WorkloadContainer':
      return workloadStage(incident, entityOf(place.parent ?? ''), place.name);
    case 'Namespace':
      return { frames: namespaceFrames(place.name), parts: [areaPart(incident, say('html.kind.namespace'))] };
    case 'Object': {
      const part = { kind: place.type ?? say('html.kind.object'), name: place.name, faulty: true };
      return { frames: namespaceFrames(place.namespace), parts: [part] };
    }
    case 'Cluster':
      return { frames: [clusterFrame()], parts: clusterParts(incident) };
  }
}

function troubleOf(victim: Victim): string {
  return listed(victim.symptoms.map(symptomWords));
}

function tileOf(victim: Victim, frames: readonly Frame[]): Tile {
  const entity = entityOf(victim.id);
  const framed = new Set(frames.map((frame) => frame.name));
  const name = entity.kind === 'Pod' && known(entity.name) !== undefined ? entity.name : victim.name;
  const notes = [entity.kind === 'Pod' ? known(entity.namespace) : say(KINDS[entity.kind]), known(victim.node)];
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
  if (frame.of === 'Pod') return false;
  if (frame.of === 'Namespace') return known(namespace) === undefined || namespace === frame.name;
  return frame.of !== 'Node' || frame.name === '' || known(victim.node) === undefined || victim.node === frame.name;
}

/** A frame that does not hold every victim is not drawn around them; the fault carries its name instead. */
function widened(stage: Stage, others: readonly Victim[]): Stage {
  const kept = stage.frames.findIndex((frame) => others.some((victim) => !isInside(victim, frame)));
  if (kept < 0) return stage;
  const lost = stage.frames.at(-1);
  const faulty = stage.parts.filter((part) => part.faulty);
  const outside = `${lost?.kind ?? ''} ${lost?.name ?? ''}`.trim();
  const kindOf = (part: Part) => (part.kind === lost?.kind ? outside : say('html.picture.within', { part: part.kind, place: outside }));
  return { frames: stage.frames.slice(0, kept), parts: faulty.map((part) => ({ ...part, kind: kindOf(part) })) };
}

function withTrouble(frames: readonly Frame[], itself: Victim | undefined): readonly Frame[] {
  if (itself === undefined) return frames;
  return frames.map((frame, index) =>
    index === frames.length - 1 && frame.note === undefined ? { ...frame, note: troubleOf(itself) } : frame,
  );
}

function describe(stage: Stage, others: readonly Victim[], count: number): string {
  const frames = stage.frames.map((frame) => `${frame.kind} ${frame.name}`.trim());
  const where = frames.reduce((outer, inner) => say('html.picture.inside', { outer, inner }));
  const fault = stage.parts.find((part) => part.faulty);
  const names = others.slice(0, 6).map((one) => one.name);
  const sits = say('html.picture.sits', { where, fault: fault?.name ?? say('html.picture.nowhere') });
  if (count === 0) return sits;
  const hits = say(count > names.length ? 'html.picture.hitsMore' : 'html.picture.hits', { count, names: listed(names) });
  return say('html.sentences', { first: sits, next: hits });
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
