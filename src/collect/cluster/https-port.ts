import { setTimeout as sleep } from 'node:timers/promises';
import { TOOL_VERSION } from '../../model/tool-version.ts';
import { createAgents } from './agents.ts';
import { closedByUs, exchange, type RawAnswer } from './exchange.ts';
import { type Credentials, type Identity, type Link, shownAddress, TIMING, type Timing } from './link.ts';
import { pagesOf } from './pages.ts';
import { type ClusterAnswer, ClusterError, type ClusterPort, type ClusterRequest } from './port.ts';
import { refusal, strayPage } from './refusals.ts';
import { type Failure, isPassedOn, pauseBefore } from './retries.ts';
import { createSlots } from './slots.ts';
import { connectionError } from './words.ts';

const MOST_AT_ONCE = 12;
/** No honest answer is larger; a list page of 500 objects has at most 1.5 MB each, and that only in theory. */
const MOST_BYTES = 512 * 1024 * 1024;

export interface PortSetup {
  readonly link: Link;
  readonly credentials: Credentials;
  readonly context?: string;
  readonly namespace: string;
  readonly timing?: Partial<Timing>;
}

interface Counted {
  requests: number;
  retries: number;
  bytes: number;
}

/** What all requests of one port share. */
interface Desk {
  readonly setup: PortSetup;
  readonly timing: Timing;
  readonly counted: Counted;
  readonly agents: ReturnType<typeof createAgents>;
}

export function createHttpsPort(setup: PortSetup): ClusterPort {
  const counted: Counted = { requests: 0, retries: 0, bytes: 0 };
  const desk: Desk = { setup, counted, timing: { ...TIMING, ...setup.timing }, agents: createAgents(setup.link) };
  const slots = createSlots(MOST_AT_ONCE);
  const underWay = new Set<AbortController>();
  let closed = false;

  async function send(request: ClusterRequest, control = new AbortController()): Promise<ClusterAnswer> {
    underWay.add(control);
    try {
      return await slots.within(() => {
        if (closed || control.signal.aborted) throw closedByUs();
        return persist(desk, request, control.signal);
      });
    } finally {
      underWay.delete(control);
    }
  }

  return {
    server: shownAddress(setup.link.server),
    context: setup.context,
    namespace: setup.namespace,
    counted,
    request: (request) => send(request),
    pages: (request) => pagesOf(request, send),
    close() {
      closed = true;
      for (const control of underWay) control.abort();
      desk.agents.destroy();
    },
  };
}

/** One request until it is answered, refused for good, or out of time. */
async function persist(desk: Desk, request: ClusterRequest, signal: AbortSignal): Promise<ClusterAnswer> {
  const { credentials } = desk.setup;
  const end = Date.now() + (request.timeoutMilliseconds ?? desk.timing.request);
  const { method = 'GET', path } = request;
  let renewed = false;
  let tries = 0;
  for (;;) {
    const identity = await credentials.present();
    const outcome = await attempt(desk, request, identity, Math.max(1, end - Date.now()), signal);
    if (!('error' in outcome)) return outcome;
    const left = end - Date.now();
    if (outcome.error.kind === 'unauthorized' && !renewed && left > 0 && credentials.renew(identity)) {
      renewed = true;
    } else {
      tries++;
      const pause = signal.aborted ? undefined : pauseBefore(outcome, { method, path, tries, left, pause: desk.timing.pause });
      if (pause === undefined) throw outcome.error;
      await sleep(pause, undefined, { signal }).catch(() => {
        throw closedByUs();
      });
    }
    desk.counted.retries++;
  }
}

async function attempt(
  desk: Desk,
  request: ClusterRequest,
  identity: Identity,
  left: number,
  signal: AbortSignal,
): Promise<ClusterAnswer | Failure> {
  const { setup, counted, timing, agents } = desk;
  const { link } = setup;
  const { method = 'GET', path, body, limitBytes } = request;
  counted.requests++;
  let raw: RawAnswer;
  try {
    raw = await exchange(link, agents.agentFor(identity), {
      method,
      path,
      headers: { ...headersOf(request, link), ...identity.headers },
      limit: limitBytes ?? MOST_BYTES,
      left,
      timing,
      signal,
      ...(body !== undefined ? { body: asGoWrites(body) } : {}),
    });
  } catch (error) {
    return { error: connectionError(error, link, false) };
  }
  counted.bytes += raw.wire;
  return judge(raw, request, link, identity);
}

/**
 * The API server compares the values of a patch's `test` byte by byte with what Go writes, and Go escapes these in strings;
 * they stand nowhere else in JSON.
 */
function asGoWrites(body: unknown): string {
  return JSON.stringify(body).replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function headersOf({ body, accept, range, contentType }: ClusterRequest, link: Link): Record<string, string> {
  return {
    accept: accept ?? 'application/json, */*;q=0.8',
    'user-agent': `podcause/${TOOL_VERSION}`,
    ...(link.compressed && range === undefined ? { 'accept-encoding': 'gzip' } : {}),
    ...(body !== undefined ? { 'content-type': contentType ?? 'application/json' } : {}),
    ...(range !== undefined ? { range } : {}),
  };
}

function judge(raw: RawAnswer, request: ClusterRequest, link: Link, identity: Identity): ClusterAnswer | Failure {
  const what = `${request.method ?? 'GET'} ${request.path.split('?', 1)[0]}`;
  if (raw.status < 200 || raw.status > 299) {
    const retryAfter = raw.headers['retry-after'];
    return { error: refusal(raw, what, link, identity), ...(retryAfter !== undefined ? { retryAfter } : {}) };
  }
  const stray = isPassedOn(request.path) ? undefined : strayPage(raw, what, link);
  if (stray) return { error: stray };
  if (raw.cut && request.limitBytes === undefined) {
    return { error: new ClusterError('invalid', `${what}: the answer is larger than ${MOST_BYTES} bytes.`, { status: raw.status }) };
  }
  const date = Date.parse(raw.headers.date ?? '');
  return {
    status: raw.status,
    contentType: raw.headers['content-type'] ?? '',
    body: raw.body,
    cut: raw.cut,
    ...(Number.isNaN(date) ? {} : { date }),
  };
}
