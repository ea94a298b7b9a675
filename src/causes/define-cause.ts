import type {
  AnyClue,
  Area,
  Clue,
  CommandSlots,
  FieldsOf,
  Fix,
  Line,
  Maturity,
  Risk,
  Role,
  Seen,
  Slots,
  SlotValue,
  Step,
  Trigger,
} from '../model/cause.ts';
import type { Channel } from '../model/channel.ts';
import { type Entity, type EntityKind, entityOf, UNKNOWN } from '../model/entity.ts';
import type { Fact, FactKind, Symptom } from '../model/facts.ts';

interface TypedStep<S extends string> extends Omit<Step, 'say' | 'run'> {
  readonly say: S;
  readonly run?: string;
}

interface CauseInput<
  P extends EntityKind,
  T extends { readonly name: string; readonly title: string; readonly why: string },
  C extends Record<string, AnyClue>,
  S extends Record<keyof C, string>,
  F extends readonly {
    readonly say: string;
    readonly risk: Risk;
    readonly steps: readonly TypedStep<string>[];
    readonly verified?: string;
  }[],
> {
  readonly id: string;
  readonly area: Area;
  readonly at: P;
  readonly maturity: Maturity;
  readonly explains: readonly Symptom[];
  readonly effectOf?: readonly string[];
  readonly wakesOn?: readonly Trigger[];
  readonly text: T;
  readonly clues: C;
  /** One line per clue, in our words. For an `excludes`: the other explanation it speaks for. */
  readonly says: S & { readonly [K in Exclude<keyof S, keyof C>]: never };
  readonly slots: (
    place: Entity<P>,
    seen: Seen<C>,
  ) => { readonly [K in Slots<(T[keyof T] | S[keyof S]) & string> | FixSlots<F>]: SlotValue };
  readonly fixes: F;
  readonly verify: { readonly quietForMinutes: number };
  readonly sources?: readonly string[];
}

type FixSlots<F> = F extends readonly (infer One)[]
  ? One extends { readonly say: infer Say extends string; readonly steps: readonly (infer S)[] }
    ?
        | Slots<Say>
        | (S extends { readonly say: infer SSay extends string } ? Slots<SSay> : never)
        | (S extends { readonly run: infer Run extends string } ? CommandSlots<Run> : never)
    : never
  : never;

export interface DefinedCause extends Omit<import('../model/cause.ts').Cause, 'slots'> {
  readonly slots: (place: Entity, seen: Readonly<Record<string, Fact | undefined>>) => Readonly<Record<string, SlotValue>>;
}

export function defineCause<
  const P extends EntityKind,
  const T extends { readonly name: string; readonly title: string; readonly why: string },
  C extends Record<string, AnyClue>,
  const S extends Record<keyof C, string>,
  const F extends readonly {
    readonly say: string;
    readonly risk: Risk;
    readonly steps: readonly TypedStep<string>[];
    readonly verified?: string;
  }[],
>(cause: CauseInput<P, T, C, S, F>): DefinedCause & { readonly id: string; readonly clues: C } {
  return {
    ...cause,
    fixes: cause.fixes as readonly Fix[],
    says: cause.says,
    slots: cause.slots as DefinedCause['slots'],
  };
}

/**
 * A line some program prints. Each literal must hold at least 8 bytes: they are what the one-pass scanner looks for
 * (without regard to case), the pattern runs on candidate lines only and must be linear (no nested quantifiers).
 * `channels`: who prints it, the surest first; when that channel was read and the line is not in it, it is absent.
 */
export function line(literals: string | readonly string[], channels: Channel | readonly Channel[], pattern?: RegExp): Line {
  return {
    literals: typeof literals === 'string' ? [literals] : literals,
    channels: typeof channels === 'string' ? [channels] : channels,
    ...(pattern ? { pattern } : {}),
  };
}

type Match<K extends FactKind> = (fact: Fact<K>) => boolean;

function clue<R extends Role>(role: R) {
  function make(from: Line, match?: Match<'log.signature'>): Clue<'log.signature', R>;
  function make<K extends FactKind>(from: K, match?: Match<K>): Clue<K, R>;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads above are what callers see
  function make(from: FactKind | Line, match?: (fact: any) => boolean): AnyClue {
    const always = () => true;
    return typeof from === 'string'
      ? { role, from, match: match ?? always }
      : { role, from: 'log.signature', match: match ?? always, line: from };
  }
  return make;
}

/** Necessary: without it the cause is out; unseen, it is asked for. */
export const needs = clue('needs');
/** Sufficient together with every `needs`. */
export const proves = clue('proves');
/** Raises the odds. */
export const supports = clue('supports');
/** Refutes. Looked up about the victim and what it runs on. */
export const excludes = clue('excludes');

/** Refutes when any member of the place shows it. */
export function excludesEverywhere<C extends AnyClue>(of: C): C {
  return { ...of, everywhere: true };
}

/** Wakes the cause on a fact with these payload fields. Line clues wake their cause by themselves. */
export function on<K extends FactKind>(kind: K, where: FieldsOf<K> = {}): Trigger {
  return { kind, where: where as Trigger['where'] };
}

export { versionAtLeast, versionBelow } from '../model/version.ts';

export function minutes(count: number): number {
  return count;
}

/** A byte count as Kubernetes writes it. */
export function bytes(count: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)}${units[unit]}`;
}

/** Names of a place for commands and texts; what the evidence leaves open becomes a word to fill in. */
export function namesOf({ kind, type, name, namespace, parent }: Entity) {
  const above = kind === 'WorkloadContainer' && parent !== undefined ? entityOf(parent) : { type, name };
  const known = above.type !== undefined && above.type !== UNKNOWN ? above.type.toLowerCase() : undefined;
  const inside = namespace === undefined || namespace === UNKNOWN ? undefined : namespace;
  return {
    container: kind === 'WorkloadContainer' ? name : 'the container',
    namespace: inside ?? 'NAMESPACE',
    /** Where an object of the namespace is looked for, in words. */
    where: inside === undefined ? "the pod's namespace" : `namespace ${inside}`,
    /** As kubectl takes it, e.g. `deployment/web`. */
    target: known === undefined ? 'deployment/NAME' : `${known}/${/^[a-z0-9.-]{1,253}$/.test(above.name) ? above.name : 'NAME'}`,
  };
}

export function isOneOf(...symptoms: readonly Symptom[]): (fact: { readonly symptom: Symptom }) => boolean {
  return ({ symptom }) => symptoms.includes(symptom);
}

/** Runs or has run to its end without trouble. */
export function isWell({ status, restarts, readyContainers, containers }: Fact<'pod.status'>): boolean {
  return status === 'Completed' || (status === 'Running' && restarts === 0 && readyContainers === containers);
}

/** Said by the cluster or the node, not by a program in a container that may quote anything. */
export function notByContainers({ channel }: Fact<'log.signature'>): boolean {
  return channel !== 'container-log';
}

/** Said by the program in a container about itself. */
export function byContainers({ channel }: Fact<'log.signature'>): boolean {
  return channel === 'container-log' || channel === 'control-plane-log' || channel === 'pod-status' || channel === 'prose';
}

/** The daemons of a node meet the same errors on their own account. */
export function byDaemons({ channel }: Fact<'log.signature'>): boolean {
  return /^(?:kubelet|containerd|docker|crio|system)-log$/.test(channel);
}

/** About some pod, not about a node on which much else goes on. */
export function notAboutNode({ about }: Fact<'log.signature'>): boolean {
  return !about.startsWith('Node/');
}

/**
 * A pattern for `core` that also picks up what stands before or after it on the line: each of `may` is looked for once,
 * by itself, and may be missing; `must` may not. Anchored, so the time stays linear.
 */
export function withContext(core: RegExp, { may = [], must = [] }: { readonly may?: readonly RegExp[]; readonly must?: readonly RegExp[] }): RegExp {
  const required = must.map(({ source }) => `(?=[\\s\\S]*?(?:${source}))`);
  const optional = may.map(({ source }) => `(?=(?:[\\s\\S]*?(?:${source}))?)`);
  return new RegExp(`^${[...required, ...optional].join('')}[\\s\\S]*?(?:${core.source})`, 'i');
}

/** The image a line about a pull names, as kubelet, containerd, Docker and CRI-O write it; may end in a colon or comma. */
export const NAMED_IMAGE = /(?:image \\*"|image=\\*"?|pull image (?=[\w.-]+\/)|docker:\/\/)(?<image>[^"\\\s]{2,255})/;
/** The registry a line about a pull names by its address. */
export const NAMED_HOST = /https?:\/\/(?<host>[\w.-]{1,253}(?::\d{1,5})?)/;

/** The registry that serves an image; undefined where the name leaves it to the default. */
export function registryIn(image: string): string | undefined {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  return /[.:]|^localhost$/.test(first) ? first : undefined;
}

/** The image of a line in the words of a sentence. */
export function imageIn(fact: { readonly fields: Readonly<Record<string, string>> } | undefined): string | undefined {
  return fact?.fields['image']?.replace(/[:,]+$/, '');
}

const ANSWERS = {
  unknown: {
    literals: ['manifest unknown', 'name unknown', 'failed to resolve reference'],
    pattern: /(?:manifest|name) unknown|failed to resolve reference \\*"[^"\\]{1,255}\\*": [^\s"]{1,255}: not found/,
  },
  denied: {
    literals: ['pull access denied', 'no basic auth credentials', '401 unauthorized', '403 forbidden'],
    pattern: /pull access denied|no basic auth credentials|401 unauthorized|403 forbidden/,
  },
  throttled: { literals: ['toomanyrequests', '429 too many requests'], pattern: /toomanyrequests|429 too many requests/ },
} as const;

/** What a registry says once it was reached; for look-alikes, so its absence says nothing. */
export function registryAnswers(...kinds: readonly (keyof typeof ANSWERS)[]): Line {
  const pattern = kinds.map((kind) => ANSWERS[kind].pattern.source).join('|');
  return line(kinds.flatMap((kind) => ANSWERS[kind].literals), [], new RegExp(pattern, 'i'));
}

/** The pull of a node's own pause image, not of an image the pod names; for look-alikes. */
export const sandboxImagePull = line(
  ['sandbox image', 'create pod sandbox', 'creating pod sandbox', 'CreatePodSandbox', 'RunPodSandbox'],
  [],
  /sandbox image|(?:creat(?:e|ing) ?pod ?sandbox|RunPodSandbox)[\s\S]{0,300}?(?:pull(?:ing)? image|initializing source|pinging (?:container|docker) registry)/i,
);
