import type { CgroupDriver } from '../../../model/facts.ts';
import { endOfBracketed } from '../key-values.ts';
import type { Told } from './told.ts';

const VERSION = /^v?\d+\.\d+[\w.+~-]{0,60}$/;

/** Facts from the logs of containerd, Docker and CRI-O. */
export function runtimeFacts(told: Told): void {
  const { message, fields } = told.line;
  if (message.startsWith('starting containerd')) version(told, 'containerd', fields?.['version']);
  else if (message.startsWith('Docker daemon')) version(told, 'docker', fields?.['version']);
  else if (message.startsWith('Starting CRI-O, version: '))
    version(told, 'cri-o', /^Starting CRI-O, version: ([^,\s]+)/.exec(message)?.[1]);
  else if (/^[Ss]tart(?:ing)? cri plugin/.test(message)) handlers(told);
}

function version(told: Told, component: string, value: string | undefined): void {
  if (value && VERSION.test(value))
    told.sink.fact('host.version', told.attribution.node, { component, version: value }, told.cited, told.more);
}

/** containerd prints the configuration it runs with: as a Go value up to 1.x and 2.0, as JSON later. */
function handlers(told: Told): void {
  const { message, fields } = told.line;
  const config = fields?.['config'] ?? message;
  for (const { handler, driver, explicit } of config.includes('"runtimes":') ? jsonHandlers(config) : goHandlers(config)) {
    const payload = { runtime: 'containerd' as const, driver, handler, explicit, source: 'effective' as const };
    told.sink.fact('runtime.cgroup-driver', told.attribution.node, payload, told.cited, told.more);
  }
}

interface Handler {
  readonly handler: string;
  readonly driver: CgroupDriver;
  readonly explicit: boolean;
}

const MOST_HANDLERS = 50;

/** `Runtimes:map[runc:{Type:… Options:map[… SystemdCgroup:true] …} nvidia:{…}]`; the same key further out is another setting. */
function goHandlers(config: string): Handler[] {
  const start = config.indexOf(' Runtimes:map[');
  if (start < 0) return [];
  const open = start + ' Runtimes:map'.length;
  const end = endOfBracketed(config, open);
  const found: Handler[] = [];
  let index = open + 1;
  while (index < end - 1 && found.length < MOST_HANDLERS) {
    const brace = config.indexOf(':{', index);
    if (brace < 0 || brace >= end) break;
    const close = endOfBracketed(config, brace + 1);
    const body = config.slice(brace + 1, close);
    const driver = goDriver(body);
    if (driver) found.push({ handler: config.slice(index, brace).trim(), ...driver });
    index = close;
  }
  return found;
}

function goDriver(body: string): Omit<Handler, 'handler'> | undefined {
  const options = body.indexOf('Options:map[');
  const type = /\bType:(\S*)/.exec(body)?.[1] ?? '';
  if (!type.includes('runc')) return undefined;
  const inner = options < 0 ? '' : body.slice(options, endOfBracketed(body, options + 'Options:map'.length));
  return driverOf(/\bSystemdCgroup:(true|false)\b/.exec(inner)?.[1]);
}

function jsonHandlers(config: string): Handler[] {
  const parsed = parseJson(config.slice(Math.max(0, config.indexOf('{'))));
  const runtimes = child(child(parsed, 'containerd'), 'runtimes') ?? child(parsed, 'runtimes');
  const found: Handler[] = [];
  for (const [handler, value] of Object.entries(runtimes ?? {}).slice(0, MOST_HANDLERS)) {
    const runtime = asObject(value);
    if (!String(runtime?.['runtimeType'] ?? '').includes('runc')) continue;
    const flag = child(runtime, 'options')?.['SystemdCgroup'];
    found.push({ handler, ...driverOf(typeof flag === 'boolean' ? String(flag) : undefined) });
  }
  return found;
}

/** runc manages cgroups itself unless told to ask systemd. */
function driverOf(flag: string | undefined): Omit<Handler, 'handler'> {
  return { driver: flag === 'true' ? 'systemd' : 'cgroupfs', explicit: flag !== undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function child(value: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
  return asObject(asObject(value)?.[key]);
}
