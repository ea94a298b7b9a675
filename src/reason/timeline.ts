import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf } from '../model/entity.ts';
import type { Fact } from '../model/facts.ts';
import type { TimelineEntry } from '../model/report.ts';
import { podName } from './names.ts';
import type { Scope } from './scope.ts';

const ENTRIES = 60;

/** Restarts and events of the victims and their place, oldest first. */
export function timelineOf(place: EntityId, victims: readonly EntityId[], base: FactBase, scope: Scope): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  for (const pod of victims.slice(0, 20)) {
    for (const event of base.of('pod.event', pod)) entries.push(ofEvent(event, podName(pod)));
    for (const container of scope.containers(pod)) {
      for (const end of base.of('container.terminated', container)) {
        if (end.finishedAt !== undefined) entries.push(ofEnd(end, podName(pod)));
      }
    }
  }
  const node = entityOf(place).kind === 'Node' ? place : undefined;
  if (node) for (const event of base.of('node.event', node)) entries.push(ofEvent(event, entityOf(node).name));
  return entries.sort((a, b) => order(a) - order(b)).slice(-ENTRIES);
}

function order({ at, ago }: TimelineEntry): number {
  return at ?? -(ago ?? 0) * 1000;
}

function ofEvent(event: Fact<'pod.event' | 'node.event'>, about: string): TimelineEntry {
  return {
    what: `${event.reason}: ${event.message}`.slice(0, 200),
    about,
    tone: event.type === 'Warning' ? 'bad' : event.reason === 'Killing' || event.reason === 'SandboxChanged' ? 'warn' : 'normal',
    count: event.count,
    cited: event.cited.slice(0, 1),
    ...(event.when !== undefined ? { at: event.when } : {}),
    ...(event.firstAgo !== undefined || event.lastAgo !== undefined ? { ago: event.firstAgo ?? event.lastAgo ?? 0 } : {}),
    ...(event.firstAgo !== undefined && event.lastAgo !== undefined ? { untilAgo: event.lastAgo } : {}),
  };
}

function ofEnd(end: Fact<'container.terminated'>, about: string): TimelineEntry {
  return {
    what: `${entityOf(end.about).name} ended: ${end.reason ?? ''}${end.exitCode !== undefined ? ` (${end.exitCode})` : ''}`,
    about,
    tone: (end.exitCode ?? 0) === 0 ? 'warn' : 'bad',
    count: 1,
    cited: end.cited.slice(0, 1),
    ...(end.finishedAt !== undefined ? { at: end.finishedAt } : {}),
  };
}
