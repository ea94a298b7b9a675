import { containerId, type EntityId } from '../../model/entity.ts';
import { clip } from '../cite.ts';
import { flagOf, isRecord, type JsonRecord, known, listOf, numberOf, quantityOf, recordOf, textOf, timeOf } from './json-value.ts';
import { type ObjectReading, secondsBefore } from './object-reading.ts';
import { probeText } from './probe-text.ts';

const COMMAND_LIMIT = 1000;

/** What a container is meant to be; `about` names it, in a pod or in a workload's template. */
export function containerSpecFacts(
  reading: ObjectReading,
  about: EntityId,
  container: JsonRecord,
  pointer: string,
  place: { readonly init: boolean; readonly index: number; readonly podSecurity: JsonRecord },
): void {
  const image = textOf(container['image']);
  if (image !== undefined) {
    const payload = {
      image: reading.intern(image),
      init: place.init,
      index: place.index,
      ...known({ command: wordsOf(reading, container['command']), args: wordsOf(reading, container['args']) }),
    };
    reading.fact('container.spec', about, payload, reading.cite(pointer, `image: ${image}`));
  }
  memoryFacts(reading, about, container, pointer);
  probeFacts(reading, about, container, pointer);
  securityFacts(reading, about, container, pointer, place.podSecurity);
}

function wordsOf(reading: ObjectReading, value: unknown): string | undefined {
  const words = listOf(value).flatMap((word) => textOf(word) ?? []);
  return words.length === 0 ? undefined : clip(reading.clean(words.join(' ')), COMMAND_LIMIT);
}

function memoryFacts(reading: ObjectReading, about: EntityId, container: JsonRecord, pointer: string): void {
  const limit = recordOf(recordOf(container['resources'])['limits'])['memory'];
  const bytes = quantityOf(limit);
  if (bytes === undefined) return;
  reading.fact(
    'container.memory-limit',
    about,
    { bytes },
    reading.cite(`${pointer}/resources/limits/memory`, `limits.memory: ${String(limit)}`),
  );
}

const PROBES = ['liveness', 'readiness', 'startup'] as const;

function probeFacts(reading: ObjectReading, about: EntityId, container: JsonRecord, pointer: string): void {
  for (const probe of PROBES) {
    const key = `${probe}Probe`;
    const value = container[key];
    if (!isRecord(value)) continue;
    const text = clip(reading.clean(probeText(value)), COMMAND_LIMIT);
    const payload = {
      probe,
      text,
      ...known({
        delay: numberOf(value['initialDelaySeconds']),
        timeout: numberOf(value['timeoutSeconds']),
        period: numberOf(value['periodSeconds']),
        failures: numberOf(value['failureThreshold']),
      }),
    };
    reading.fact('container.probe', about, payload, reading.cite(`${pointer}/${key}`, `${key}: ${text}`));
  }
}

function securityFacts(reading: ObjectReading, about: EntityId, container: JsonRecord, pointer: string, podSecurity: JsonRecord): void {
  const own = recordOf(container['securityContext']);
  const payload = known({
    runAsUser: numberOf(own['runAsUser']) ?? numberOf(podSecurity['runAsUser']),
    runAsNonRoot: flagOf(own['runAsNonRoot']) ?? flagOf(podSecurity['runAsNonRoot']),
    privileged: flagOf(own['privileged']),
    readOnlyRoot: flagOf(own['readOnlyRootFilesystem']),
  });
  const words = Object.entries(payload).map(([key, value]) => `${key}=${String(value)}`);
  if (words.length === 0) return;
  const at = Object.keys(own).length > 0 ? `${pointer}/securityContext` : pointer;
  reading.fact('container.security', about, payload, reading.cite(at, `securityContext: ${words.join(', ')}`));
}

export interface StatusPlace {
  readonly pod: EntityId;
  readonly init: boolean;
  /** Newest time stamp of the pod itself: it tells nothing about its own age. */
  readonly own: number | undefined;
}

/** How a container is doing, from one entry of `containerStatuses`. */
export function containerStatusFacts(reading: ObjectReading, status: JsonRecord, pointer: string, place: StatusPlace): void {
  const name = textOf(status['name']);
  if (name === undefined) return;
  const about = containerId(place.pod, name);
  aliases(reading, about, status);
  const state = recordOf(status['state']);
  waitingFacts(reading, about, state, `${pointer}/state`);
  runningFacts(reading, about, status, `${pointer}/state`, place);
  terminatedFacts(reading, about, state, `${pointer}/state`, 'current', place.init);
  terminatedFacts(reading, about, recordOf(status['lastState']), `${pointer}/lastState`, 'last', place.init);
  const count = numberOf(status['restartCount']);
  if (count === undefined || (reading.listed && count === 0)) return;
  reading.fact('container.restarts', about, { count }, reading.cite(`${pointer}/restartCount`, `restartCount: ${count}`));
}

export function containerAlias(id: unknown): EntityId | undefined {
  const text = textOf(id);
  const bare = text?.slice(text.indexOf('://') + 1).replace(/^\/\//, '');
  return bare && bare.length >= 12 && bare.length <= 128 ? `cid:${bare}` : undefined;
}

function aliases(reading: ObjectReading, about: EntityId, status: JsonRecord): void {
  const ended = recordOf(recordOf(status['state'])['terminated'])['containerID'];
  const last = recordOf(recordOf(status['lastState'])['terminated'])['containerID'];
  for (const id of new Set([containerAlias(status['containerID']), containerAlias(ended), containerAlias(last)])) {
    if (id !== undefined) reading.alias(id, about);
  }
}

function waitingFacts(reading: ObjectReading, about: EntityId, state: JsonRecord, pointer: string): void {
  if (!isRecord(state['waiting'])) return;
  const reason = textOf(state['waiting']['reason']);
  const message = textOf(state['waiting']['message']);
  if (reason === undefined && message === undefined) return;
  const cited = reading.cite(`${pointer}/waiting`, `waiting: ${[reason, message].filter(Boolean).join(': ')}`);
  if (reason !== undefined) {
    reading.fact('container.waiting', about, { reason, ...known({ message: reading.message(message) }) }, cited);
  }
  if (message !== undefined && !BACK_OFF.test(message)) reading.say('pod-status', about, message, cited, { component: 'kubelet' });
}

/** Says that it waits, which the reason says as well, and nothing of why; every pod in a crash loop has it. */
const BACK_OFF = /^back-off \S{1,20} restarting failed container=/;

function runningFacts(reading: ObjectReading, about: EntityId, status: JsonRecord, pointer: string, place: StatusPlace): void {
  const running = recordOf(status['state'])['running'];
  if (!isRecord(running)) return;
  const startedAt = timeOf(running['startedAt']);
  const ready = flagOf(status['ready']);
  const cited = reading.cite(
    `${pointer}/running`,
    startedAt === undefined ? 'running' : `running: startedAt ${textOf(running['startedAt'])}`,
  );
  reading.later((now) => {
    const forSeconds = secondsBefore(now, startedAt, reading.options.now === undefined ? place.own : undefined);
    reading.fact('container.running', about, known({ startedAt, forSeconds, ready, init: place.init || undefined }), cited, startedAt);
  });
}

function terminatedFacts(
  reading: ObjectReading,
  about: EntityId,
  state: JsonRecord,
  pointer: string,
  which: 'current' | 'last',
  init: boolean,
): void {
  const terminated = state['terminated'];
  if (!isRecord(terminated)) return;
  const reason = textOf(terminated['reason']);
  const exitCode = numberOf(terminated['exitCode']);
  const message = textOf(terminated['message']);
  const startedAt = timeOf(terminated['startedAt']);
  const finishedAt = timeOf(terminated['finishedAt']);
  const key = which === 'current' ? 'state' : 'lastState';
  const code = exitCode === undefined ? '' : ` (${exitCode})`;
  const cited = reading.cite(`${pointer}/terminated`, `${key}: terminated${reason ? ` ${reason}` : ''}${code}`);
  const payload = {
    which,
    ...known({
      reason,
      exitCode,
      signal: numberOf(terminated['signal']) || undefined,
      message: reading.message(message),
      startedAt,
      finishedAt,
      ranSeconds: secondsBefore(finishedAt, startedAt),
      init: init || undefined,
    }),
  };
  reading.fact('container.terminated', about, payload, cited, finishedAt);
  if (message === undefined) return;
  const said = reading.cite(`${pointer}/terminated/message`, message);
  reading.say('pod-status', about, message, said, finishedAt === undefined ? {} : { when: finishedAt });
}
