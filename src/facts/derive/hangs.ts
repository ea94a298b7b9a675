import { containerId, entityOf } from '../../model/entity.ts';
import type { Fact } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { citedOf } from './cited.ts';

const LONG_SECONDS = 10 * 60;

/** A container that is said to run while nothing has happened to it for long, and others wait for it. */
export function deriveHangs(base: FactBase): void {
  const waitingByPod = new Map<string, string[]>();
  for (const waiting of base.all('container.waiting')) {
    if (waiting.reason !== 'PodInitializing') continue;
    const { parent = '', name } = entityOf(waiting.about);
    waitingByPod.set(parent, [...(waitingByPod.get(parent) ?? []), name]);
  }
  for (const running of base.all('container.running')) {
    const { parent, name } = entityOf(running.about);
    if (parent === undefined) continue;
    const init = base.of('container.spec', running.about).some((spec) => spec.init) || running.init === true;
    const laterWaiting = waitingByPod.get(parent) ?? [];
    if (!init || laterWaiting.length === 0) continue;
    const events = base.of('pod.event', parent);
    const started = eventOf(events, 'Started', name);
    const created = eventOf(events, 'Created', name);
    const forSeconds = running.forSeconds ?? started?.lastAgo ?? ageOfPod(base, parent);
    if (forSeconds === undefined || forSeconds < LONG_SECONDS) continue;
    if (base.of('container.restarts', running.about).some(({ count }) => count > 0)) continue;
    const delay = created?.lastAgo !== undefined && started?.lastAgo !== undefined ? created.lastAgo - started.lastAgo : undefined;
    base.add({
      kind: 'container.hangs',
      about: containerId(parent, name),
      cited: citedOf([running, ...(started ? [started] : []), ...(created ? [created] : [])]),
      forSeconds,
      init,
      laterWaiting,
      ...(delay !== undefined && delay >= 30 ? { startDelaySeconds: delay } : {}),
    });
  }
}

function eventOf(events: readonly Fact<'pod.event'>[], reason: string, container: string): Fact<'pod.event'> | undefined {
  return events.find((event) => event.reason === reason && event.container === container);
}

function ageOfPod(base: FactBase, pod: string): number | undefined {
  return base.of('pod.status', pod).find(({ ageSeconds }) => ageSeconds !== undefined)?.ageSeconds;
}
