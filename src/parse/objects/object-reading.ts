import type { Channel } from '../../model/channel.ts';
import type { Citation } from '../../model/citation.ts';
import type { EntityId } from '../../model/entity.ts';
import type { FactKind, FactKinds } from '../../model/facts.ts';
import type { ReadingSink, Saying } from '../../model/reading.ts';
import { citePointer, clip } from '../cite.ts';
import { timeOf } from './json-value.ts';
import { Lookout } from './lookout.ts';

export type LineFinder = (pointer: string) => readonly [number, number] | undefined;

export interface ReadingOptions {
  /** Epoch milliseconds at which the evidence was taken, where somebody knows. */
  readonly now?: number;
  /** For namespaced objects that name none. */
  readonly namespace?: string;
  /** What a fragment without a name belongs to. */
  readonly pod?: EntityId;
  readonly node?: EntityId;
  /** The command asked for certain objects only, so a list of them is not all there are. */
  readonly selected?: boolean;
  /** The collector asked for all there are: what is not in the list does not exist. */
  readonly complete?: boolean;
  /** Of how many healthy pods in lists the ids are kept: they serve only to name what logs speak of. */
  readonly namedPods?: number;
  /** Takes secrets out of text that did not come through the text door. */
  readonly redact?: (text: string) => string;
}

/** Newest time stamp seen; objects carry no other sign of when they were taken. */
class Clock {
  newestText = '';
  newest: number | undefined;

  see(value: unknown): void {
    if (typeof value !== 'string' || value <= this.newestText) return;
    const time = timeOf(value);
    if (time === undefined) return;
    this.newestText = value;
    if (this.newest === undefined || time > this.newest) this.newest = time;
  }
}

interface Sighting {
  readonly node: EntityId;
  readonly when: number;
}

const NAMED_PODS = 2000;
const MESSAGE_LIMIT = 2000;
const SAID_LINES = 200;
const CLOCKS_APART = 600_000;

/** Objects of one document: what needs all of them seen (ages, coverage) waits for `finish`. */
export class ObjectReading {
  readonly doc: string;
  readonly sink: ReadingSink;
  readonly options: ReadingOptions;
  readonly clock = new Clock();
  readonly lookout = new Lookout();
  /** Pods so far. */
  pods = 0;
  objects = 0;
  /** Inside a list, where healthy objects must cost next to nothing. */
  listed = false;
  private cleaned: readonly [given: string, clean: string] = ['', ''];
  private lines: LineFinder | undefined;
  private added = '';
  private item = '';
  private itemName: string | undefined;
  private readonly aliases = new Set<EntityId>();
  private readonly onNode: EntityId[] = [];
  /** Where events last saw pods, for those whose objects are not here. */
  private readonly sightings = new Map<EntityId, Sighting>();
  private readonly interned = new Map<string, string>();
  private waiting: ((now: number | undefined) => void)[] = [];

  constructor(doc: string, sink: ReadingSink, options: ReadingOptions = {}) {
    this.doc = doc;
    this.sink = sink;
    this.options = options;
  }

  /** Whether ids of the next healthy pod are kept. */
  get namesPods(): boolean {
    return this.pods < (this.options.namedPods ?? NAMED_PODS);
  }

  /** Runs `read` with positions known; pointers lose what was `added` around a fragment. */
  positioned(lines: LineFinder | undefined, read: () => void, added = ''): void {
    const before = { lines: this.lines, added: this.added };
    this.lines = lines;
    this.added = added;
    read();
    this.lines = before.lines;
    this.added = before.added;
  }

  cite(pointer: string, quote: string): Citation {
    const given = this.added !== '' && pointer.startsWith(this.added) ? pointer.slice(this.added.length) : pointer;
    const cited = citePointer(this.doc, given, this.clean(quote), this.lines?.(given));
    const object = this.isInItem(given) ? this.itemName : undefined;
    return object === undefined ? cited : { ...cited, at: { pointer: given, ...cited.at, object } };
  }

  private isInItem(pointer: string): boolean {
    const { item } = this;
    return item !== '' && pointer.startsWith(item) && (pointer.length === item.length || pointer[item.length] === '/');
  }

  /** Citations of the item at `pointer` say which object it is: a number in a list tells people nothing. */
  nameItem(pointer: string, name: string | undefined): void {
    this.item = name === undefined ? '' : pointer;
    this.itemName = name;
  }

  /** Quotes repeat (`phase: Running`), so the last one is remembered. */
  clean(text: string): string {
    if (!this.options.redact) return text;
    if (text === this.cleaned[0]) return this.cleaned[1];
    this.cleaned = [text, this.options.redact(text)];
    return this.cleaned[1];
  }

  /** A message as a payload may keep it. */
  message(value: string | undefined): string | undefined {
    return value === undefined ? undefined : clip(this.clean(value), MESSAGE_LIMIT);
  }

  fact<K extends FactKind>(kind: K, about: EntityId, payload: FactKinds[K], cited: Citation, when?: number): void {
    this.sink.fact(kind, about, payload, cited, when === undefined ? undefined : { when });
  }

  alias(alias: EntityId, entity: EntityId): void {
    this.sink.edge({ type: 'alias', alias, entity });
  }

  /** For ids that many objects repeat. */
  aliasOnce(alias: EntityId, entity: EntityId): void {
    if (this.aliases.has(alias)) return;
    this.aliases.add(alias);
    this.alias(alias, entity);
  }

  /** Hands over free text line by line, since known lines are matched per line. */
  say(channel: Channel, about: EntityId, text: string, cited: Citation, more: Partial<Saying> = {}): void {
    const clean = this.clean(text);
    if (!clean.includes('\n')) {
      this.sink.said({ ...more, channel, about, text: clean, cited });
      return;
    }
    const lines = clean.split('\n').filter((line) => line.trim() !== '');
    for (const line of lines.slice(-SAID_LINES)) this.sink.said({ ...more, channel, about, text: line, cited });
  }

  /** Repeated names share one string; otherwise every parsed object brings its own copy. */
  intern(text: string): string {
    const kept = this.interned.get(text);
    if (kept !== undefined) return kept;
    if (this.interned.size < 100_000) this.interned.set(text, text);
    return text;
  }

  /** The pod's own object names its node, which beats what events say. */
  placed(pod: EntityId): void {
    this.onNode.push(pod);
  }

  sighted(pod: EntityId, node: EntityId, when: number | undefined): void {
    const before = this.sightings.get(pod);
    if (!before || (when ?? 0) >= before.when) this.sightings.set(pod, { node: this.intern(node), when: when ?? 0 });
  }

  /** Waits until the age of things can be told. */
  later(action: (now: number | undefined) => void): void {
    this.waiting.push(action);
  }

  /** Emits what waited; `whole` is false when part of the document is missing. */
  finish(whole = true): void {
    const now = this.now();
    for (const action of this.waiting) action(now);
    this.waiting = [];
    if (this.sightings.size > 0) this.tellSightings(new Set(this.onNode));
    this.lookout.report(this.doc, this.sink, this.options, whole);
  }

  /** Clocks differ, and a long list takes its time: what is a little newer than the given time was taken after it. */
  private now(): number | undefined {
    const { now } = this.options;
    const { newest } = this.clock;
    if (now === undefined || newest === undefined) return now ?? newest;
    return newest > now && newest - now < CLOCKS_APART ? newest : now;
  }

  private tellSightings(onNode: ReadonlySet<EntityId>): void {
    for (const [pod, { node }] of this.sightings) if (!onNode.has(pod)) this.sink.edge({ type: 'runs-on', pod, node });
    this.sightings.clear();
  }
}

/**
 * Seconds between a time and `now`. A newest time stamp of the very thing that is asked about tells no age,
 * so `own` (its newest) must lie before `now`.
 */
export function secondsBefore(now: number | undefined, time: number | undefined, own?: number): number | undefined {
  if (now === undefined || time === undefined || time > now) return undefined;
  if (own !== undefined && own >= now) return undefined;
  return Math.round((now - time) / 1000);
}
