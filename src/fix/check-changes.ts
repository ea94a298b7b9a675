import type { Change } from '../model/change.ts';

/** A change that did not come from our own catalogue, or was filled with something that is no value. */
export class BadChange extends Error {
  override readonly name = 'BadChange';
}

const NAME = /^[A-Za-z0-9](?:[\w.-]{0,250}[A-Za-z0-9])?$/;
const UNIT = /^[A-Za-z0-9][\w.@-]{0,100}$/;
const FIELD = /^[A-Za-z][\w.[\]=/-]{0,200}$/;
const KEY = /^[A-Za-z][\w.-]{0,100}$/;
const SYSCTL = /^[a-z0-9_]+(?:[./][\w-]+){1,8}$/;
const OBJECT = /^[A-Z][A-Za-z]{1,60}(?:\/[a-z0-9][a-z0-9.-]{0,252}){1,2}$/;
const PATH = /^\/(?:etc|run|var\/lib\/(?:kubelet|cni|containerd|docker)|opt\/cni)\/[\w./@-]{1,200}$/;
const PACKAGE = /^[a-z0-9][a-z0-9.+_-]{0,100}$/i;
const PROFILE = /^[\w./-]{1,150}$/;

type Check = (value: unknown) => boolean;

const text =
  (pattern: RegExp, limit = 260): Check =>
  (value) =>
    typeof value === 'string' && value.length <= limit && pattern.test(value) && !value.includes('..');
const scalar: Check = (value) =>
  typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value.length <= 1000 && !hasControls(value));
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= 50 && value.every(check);
const recordOf =
  (key: Check, check: Check): Check =>
  (value) =>
    typeof value === 'object' && value !== null && Object.entries(value).every(([name, one]) => key(name) && check(one));
const answer: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  text(KEY)((value as Record<string, unknown>)['ask']) &&
  typeof (value as Record<string, unknown>)['says'] === 'string';
const value: Check = (given) => scalar(given) || answer(given);
const line: Check = (given) => typeof given === 'string' && given.length <= 500 && !hasControls(given);

/** What each kind of change may hold; anything else in it is refused. */
const SHAPES: { readonly [D in Change['do']]: Readonly<Record<string, Check>> } = {
  'containerd-set': { setting: oneOf('SystemdCgroup', 'sandbox_image', 'registry_config_path'), value, asKubelet: optional(oneOf(true)) },
  'containerd-enable': { plugin: text(NAME) },
  'docker-set': { option: text(KEY), value: scalar, prefix: optional(text(/^[\w.=-]{1,100}$/)) },
  'kubelet-set': { key: text(KEY), value: scalar },
  'drop-in': { unit: text(UNIT), lines: listOf(line) },
  sysctl: { key: text(SYSCTL), value: text(/^[\w .-]{1,100}$/), atLeast: optional(oneOf(true)) },
  module: { name: text(/^[a-z0-9_-]{1,60}$/i) },
  package: { names: recordOf(oneOf('debian', 'rhel', 'suse', 'alpine', 'arch'), text(PACKAGE)), command: optional(text(NAME)) },
  units: { action: oneOf('start', 'restart', 'enable'), units: listOf(text(UNIT)) },
  'remove-file': { path: text(PATH) },
  'apparmor-unload': { profile: text(PROFILE) },
  'kubeadm-renew': { names: listOf(text(NAME)) },
  'workload-set': { container: optional(text(NAME)), field: text(FIELD), value },
  'workload-add': { field: text(FIELD), value: recordOf(text(KEY), scalar) },
  'workload-unset': { container: optional(text(NAME)), field: text(FIELD) },
  'object-set': { object: text(OBJECT), field: text(FIELD), value },
  'restart-pods': {},
  'remove-finalizer': { object: text(OBJECT), finalizer: optional(text(/^[\w./-]{1,200}$/)) },
  uncordon: { node: text(NAME) },
  'rollout-undo': {},
};

/** Changes may come from a file that anybody wrote: only what the vocabulary allows gets through. */
export function checkChanges(given: unknown): readonly Change[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > 30) throw new BadChange('the list of changes is none.');
  return given.map(checked);
}

function checked(given: unknown): Change {
  if (typeof given !== 'object' || given === null) throw new BadChange('a change is not an object.');
  const change = given as Readonly<Record<string, unknown>>;
  const does = change['do'];
  const shape = typeof does === 'string' && Object.hasOwn(SHAPES, does) ? SHAPES[does as Change['do']] : undefined;
  if (shape === undefined) throw new BadChange(`there is no change called ${JSON.stringify(does ?? null).slice(0, 60)}.`);
  for (const key of Object.keys(change)) {
    if (key !== 'do' && !Object.hasOwn(shape, key)) throw new BadChange(`${String(does)} has no ${key.slice(0, 60)}.`);
  }
  for (const [key, check] of Object.entries(shape)) {
    if (!check(change[key]))
      throw new BadChange(`${String(does)}: ${key} cannot be ${(JSON.stringify(change[key]) ?? 'missing').slice(0, 80)}.`);
  }
  return given as Change;
}

function hasControls(given: string): boolean {
  return /\p{Cc}/u.test(given);
}

/** Nodes are named by the kubelet and become part of commands. */
export function isNodeName(name: string): boolean {
  return NAME.test(name);
}
