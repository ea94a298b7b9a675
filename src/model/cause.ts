import type { Change } from './change.ts';
import type { Channel } from './channel.ts';
import type { Entity, EntityKind } from './entity.ts';
import type { Fact, FactKind, FactKinds, Symptom } from './facts.ts';

export type Role = 'needs' | 'proves' | 'supports' | 'excludes';

export type Risk = 'reads-only' | 'restarts-pods' | 'moves-pods' | 'touches-node' | 'may-lose-data';

export type Maturity = 'sandbox' | 'stable';

export type Area =
  | 'app'
  | 'config'
  | 'image'
  | 'scheduling'
  | 'probe'
  | 'resource'
  | 'storage'
  | 'network'
  | 'runtime'
  | 'kubelet'
  | 'node'
  | 'control-plane'
  | 'policy';

/** A line of a log or an event as a clue; see `line()`. */
export interface Line {
  readonly literals: readonly string[];
  readonly pattern?: RegExp;
  readonly channels: readonly Channel[];
}

export interface Clue<K extends FactKind = FactKind, R extends Role = Role> {
  readonly role: R;
  readonly from: K;
  readonly match: (fact: Fact<K>) => boolean;
  /** Set when the clue is a known line; then `from` is `log.signature`. */
  readonly line?: Line;
  /** Look also at other members of the place for an `excludes` (default: the victim and what it runs on). */
  readonly everywhere?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a heterogeneous record of clues cannot be written without it
export type AnyClue = Clue<any, Role>;

/** Every `needs` clue was seen before `slots` runs, so only the others may be undefined. */
export type Seen<Clues> = {
  readonly [Name in keyof Clues]: Clues[Name] extends Clue<infer K, infer R> ? (R extends 'needs' ? Fact<K> : Fact<K> | undefined) : never;
};

export type SlotValue = string | number;

/** The names in `{braces}` of a text. */
export type Slots<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Slots<Rest> : never;

/** Shell text keeps its own braces: slots in commands are written `{{name}}`. */
export type CommandSlots<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}` ? Name | CommandSlots<Rest> : never;

export interface Trigger {
  readonly kind: FactKind;
  /** Equality on payload fields only, so that the engine can index it. */
  readonly where: Readonly<Record<string, string | number | boolean>>;
  /** Only facts about something whose name holds this: a program's own pod in a large cluster, not every pod in trouble. */
  readonly named?: string;
}

export interface Step {
  /** What the step does, in one short line; slots allowed. */
  readonly say: string;
  /** The command as an operator would type it; slots as `{{name}}`. */
  readonly run?: string;
  /** Where: on the node itself, or anywhere with kubectl. */
  readonly on?: 'node' | 'cluster';
  /** Only for hosts of this family; steps without one are for all. */
  readonly family?: 'debian' | 'rhel' | 'suse' | 'alpine' | 'arch';
}

export interface Fix {
  /** One line: what this fix does. */
  readonly say: string;
  readonly risk: Risk;
  /** Clues of the face of the cause that this one is for; see `fixesFor()`. */
  readonly for?: readonly string[];
  readonly steps: readonly Step[];
  /** What podcause can do of it by itself; without them the steps are for people. */
  readonly changes?: readonly Change[];
  /** How one knows that it worked. */
  readonly verified?: string;
}

/** A line of a cause without its pattern: enough to look for it. */
export interface LineHead {
  readonly clue: string;
  readonly role: Role;
  readonly literals: readonly string[];
  readonly channels: readonly Channel[];
}

export interface Cause {
  readonly id: string;
  readonly area: Area;
  readonly at: EntityKind;
  readonly maturity: Maturity;
  readonly explains: readonly Symptom[];
  /** Ids of causes that bring this one about. */
  readonly effectOf?: readonly string[];
  /** It says that something failed, and not why: whatever else is found to explain the same comes before it. */
  readonly restates?: true;
  readonly wakesOn?: readonly Trigger[];
  readonly text: { readonly name: string; readonly title: string; readonly why: string };
  /** One short line per clue, in our words: what it tells when seen. */
  readonly says: Readonly<Record<string, string>>;
  readonly clues: Readonly<Record<string, AnyClue>>;
  readonly slots: (place: Entity, seen: Readonly<Record<string, Fact | undefined>>) => Readonly<Record<string, SlotValue>>;
  readonly fixes: readonly Fix[];
  readonly verify: { readonly quietForMinutes: number };
  /** Given where the rest is loaded only once it is needed; says what the clues' lines say. */
  readonly lines?: readonly LineHead[];
  /** Upstream places the knowledge comes from. */
  readonly sources?: readonly string[];
}

export type FieldsOf<K extends FactKind> = Partial<{
  readonly [F in keyof FactKinds[K]]: FactKinds[K][F] extends string | number | boolean | undefined ? FactKinds[K][F] : never;
}>;

/** Causes that are considered together. */
export interface Catalogue extends ReadonlyArray<Cause> {
  /** The index of all their lines, where it was made beforehand. */
  packedLines?(): Uint8Array;
}
