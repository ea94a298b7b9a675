import { containerId, type EntityId, UNKNOWN } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { parseDuration } from './ages.ts';
import type { ContainerDraft, StateDraft } from './describe-pod-draft.ts';
import { containerOf } from './event-message.ts';
import type { EventLines } from './event-rows.ts';
import { parseBytes, parseStamp, someText, wholeNumber } from './values.ts';

interface Place {
  readonly pod: EntityId;
  readonly lines: readonly string[];
  readonly context: Context;
  readonly sink: ReadingSink;
  readonly started: ReadonlyMap<string, number>;
}

const PROBES = [
  ['Liveness', 'liveness'],
  ['Readiness', 'readiness'],
  ['Startup', 'startup'],
] as const;

/** The parts of `http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3`. */
function parseProbe(probe: FactKinds['container.probe']['probe'], text: string): FactKinds['container.probe'] {
  const seconds = (name: string) => {
    const value = new RegExp(String.raw`\s${name}=(?<value>\S{1,20})`).exec(text)?.groups?.['value'];
    return value === undefined ? undefined : parseDuration(value);
  };
  const delay = seconds('delay');
  const timeout = seconds('timeout');
  const period = seconds('period');
  const failures = wholeNumber(/#failure=(?<count>\d{1,6})/.exec(text)?.groups?.['count']);
  return {
    probe,
    text,
    ...(delay !== undefined ? { delay } : {}),
    ...(timeout !== undefined ? { timeout } : {}),
    ...(period !== undefined ? { period } : {}),
    ...(failures !== undefined ? { failures } : {}),
  };
}

function terminatedOf(state: StateDraft, which: 'current' | 'last', init: boolean): FactKinds['container.terminated'] {
  const { fields } = state;
  const reason = someText(fields.get('Reason'));
  const message = someText(fields.get('Message'));
  const exit = /^-?\d{1,12}$/.exec(fields.get('Exit Code') ?? '')?.[0];
  const signal = wholeNumber(fields.get('Signal'));
  const startedAt = parseStamp(fields.get('Started') ?? '');
  const finishedAt = parseStamp(fields.get('Finished') ?? '');
  const ran = startedAt !== undefined && finishedAt !== undefined ? (finishedAt - startedAt) / 1000 : -1;
  return {
    ...(reason !== undefined ? { reason } : {}),
    ...(exit !== undefined ? { exitCode: Number(exit) } : {}),
    ...(signal !== undefined && signal > 0 ? { signal } : {}),
    ...(message !== undefined ? { message } : {}),
    ...(startedAt !== undefined ? { startedAt } : {}),
    ...(finishedAt !== undefined ? { finishedAt } : {}),
    ...(ran >= 0 ? { ranSeconds: ran } : {}),
    which,
    init,
  };
}

/** Seconds since each container's last start, where events say so: describe itself tells no present time. */
export function startedAgo(events: readonly EventLines[]): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const { row } of events) {
    const name = row.reason === 'Started' ? (row.container ?? containerOf(row.message)) : undefined;
    if (name === undefined || row.lastAgo === undefined) continue;
    ages.set(name, Math.min(row.lastAgo, ages.get(name) ?? row.lastAgo));
  }
  return ages;
}

function runningOf(container: ContainerDraft, state: StateDraft, started: ReadonlyMap<string, number>): FactKinds['container.running'] {
  const startedAt = parseStamp(state.fields.get('Started') ?? '');
  const forSeconds = started.get(container.name ?? '');
  const ready = container.fields.get('Ready')?.value;
  return {
    ...(startedAt !== undefined ? { startedAt } : {}),
    ...(forSeconds !== undefined ? { forSeconds } : {}),
    ...(ready === 'True' || ready === 'False' ? { ready: ready === 'True' } : {}),
    init: container.init,
  };
}

function emitState(container: ContainerDraft, state: StateDraft, which: 'current' | 'last', about: EntityId, place: Place): void {
  const { sink, context, lines } = place;
  const cited = citeLines(context.doc, lines, state.line, state.last);
  const kind = state.value.split(/\s/)[0] ?? '';
  const ended = kind === 'Terminated' || (kind === '' && (state.fields.has('Exit Code') || state.fields.has('Finished')));
  if (ended) {
    const payload = terminatedOf(state, which, container.init);
    const when = payload.finishedAt;
    sink.fact('container.terminated', about, payload, cited, when === undefined ? {} : { when });
  } else if (kind === 'Running') sink.fact('container.running', about, runningOf(container, state, place.started), cited);
  else if (kind === 'Waiting') {
    const message = someText(state.fields.get('Message'));
    sink.fact(
      'container.waiting',
      about,
      { reason: someText(state.fields.get('Reason')) ?? kind, ...(message !== undefined ? { message } : {}) },
      cited,
    );
  }
  const message = someText(state.fields.get('Message'));
  if (message !== undefined) sink.said({ channel: 'pod-status', about, text: message, cited });
}

function emitSpec(container: ContainerDraft, about: EntityId, { sink, context, lines }: Place): void {
  const cite = (line: number) => citeLines(context.doc, lines, line);
  const image = container.fields.get('Image');
  const command = container.command.join(' ');
  const args = container.args.join(' ');
  // Of a container that is pasted from its command on, the image is not known.
  const shown =
    image && image.value !== ''
      ? image
      : `${command}${args}` === ''
        ? undefined
        : container.fields.get(command === '' ? 'Args' : 'Command');
  if (shown) {
    const { init, index } = container;
    const more = { ...(command !== '' ? { command } : {}), ...(args !== '' ? { args } : {}) };
    sink.fact('container.spec', about, { image: shown === image ? shown.value : UNKNOWN, init, index, ...more }, cite(shown.line));
  }
  const bytes = parseBytes(container.memoryLimit?.value ?? '');
  if (bytes !== undefined && container.memoryLimit) sink.fact('container.memory-limit', about, { bytes }, cite(container.memoryLimit.line));
  for (const [key, probe] of PROBES) {
    const text = container.fields.get(key);
    if (text && text.value !== '') sink.fact('container.probe', about, parseProbe(probe, text.value), cite(text.line));
  }
}

/** Everything a description says about one container. */
export function emitContainer(container: ContainerDraft, place: Place): void {
  const { pod, sink, context, lines } = place;
  const about = containerId(pod, container.name ?? context.container ?? UNKNOWN);
  emitSpec(container, about, place);
  const id = /^[a-z-]{1,30}:\/\/(?<id>[0-9a-f]{12,64})$/.exec(container.fields.get('Container ID')?.value ?? '')?.groups?.['id'];
  if (id !== undefined) sink.edge({ type: 'alias', alias: `cid:${id}`, entity: about });
  if (container.state) emitState(container, container.state, 'current', about, place);
  if (container.lastState) emitState(container, container.lastState, 'last', about, place);
  const restarts = container.fields.get('Restart Count');
  const count = wholeNumber(restarts?.value);
  if (restarts && count !== undefined) sink.fact('container.restarts', about, { count }, citeLines(context.doc, lines, restarts.line));
}
