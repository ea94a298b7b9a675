import type { EntityId } from '../../../model/entity.ts';
import { PodNames } from '../pod-names.ts';
import type { SkimmedPod } from '../skim-pod.ts';
import { timeText } from './time-text.ts';
import { VARINT, WireReader } from './wire.ts';

const NAME = 0;
const NAMESPACE = 1;
const NODE = 2;
const OWNER_KIND = 3;
const OWNER_NAME = 4;
const SLOTS = 5;

const RUNNING = Buffer.from('Running', 'latin1');
const TRUE = Buffer.from('True', 'latin1');
const GATED = Buffer.from('SchedulingGated', 'latin1');
const TROUBLE = ['DisruptionTarget', 'PodResizePending', 'PodResizeInProgress'].map((word) => Buffer.from(word, 'latin1'));

/**
 * What a list keeps of a healthy pod, read off its protobuf, most of which is stepped over by its length. Only what is plainly
 * well is taken; every other pod is left to the decoder.
 */
export class ProtobufPodSkim extends WireReader implements SkimmedPod {
  private readonly names: PodNames;
  private readonly starts = new Int32Array(SLOTS);
  private readonly ends = new Int32Array(SLOTS);
  private owners = 0;
  private statuses = 0;
  private seen = 0;
  private newestSeconds = 0;
  containers = 0;
  about: EntityId = '';
  namespace: string | undefined;
  newest = '';

  constructor(given?: string) {
    super();
    this.names = new PodNames(given);
  }

  /** Whether the pod between two indexes is well; `newest` is the newest time stamp so far, in milliseconds and as text. */
  read(bytes: Buffer, from: number, end: number, newest: number | undefined, newestText: string): boolean {
    this.begin(bytes, from);
    this.starts.fill(0);
    this.ends.fill(0);
    this.owners = this.statuses = this.containers = this.seen = 0;
    const before = newest === undefined ? Number.NEGATIVE_INFINITY : newest / 1000;
    this.newestSeconds = before;
    while (this.next(end)) {
      if (this.field === 1) this.metadata(this.valueEnd(end));
      else if (this.field === 2) this.spec(this.valueEnd(end));
      else if (this.field === 3) this.status(this.valueEnd(end));
      else this.skip(end);
    }
    if (this.broken || this.seen !== 1 || this.containers === 0 || this.containers !== this.statuses || this.owners > 1) return false;
    if (this.lengthOf(NAME) === 0 || !this.isPlain()) return false;
    this.newest = this.newestSeconds === before ? newestText : (timeText(this.newestSeconds) ?? newestText);
    const { namespace, prefix } = this.names.places.get(bytes, this.starts[NAMESPACE] as number, this.ends[NAMESPACE] as number);
    this.namespace = namespace;
    this.about = prefix + bytes.toString('latin1', this.starts[NAME], this.ends[NAME]);
    return true;
  }

  get node(): EntityId | undefined {
    return this.lengthOf(NODE) === 0 ? undefined : this.names.nodes.get(this.bytes, this.starts[NODE] as number, this.ends[NODE] as number);
  }

  /** A mirror pod is owned by its Node, which is no workload. */
  get workload(): EntityId | undefined {
    if (this.lengthOf(OWNER_KIND) === 0 || this.lengthOf(OWNER_NAME) === 0) return undefined;
    const { bytes, names, starts, ends } = this;
    const kind = names.kinds.get(bytes, starts[OWNER_KIND] as number, ends[OWNER_KIND] as number);
    if (kind === 'Node') return undefined;
    return names.owners.get(bytes, starts[OWNER_NAME] as number, ends[OWNER_NAME] as number).in(this.namespace, kind);
  }

  private lengthOf(slot: number): number {
    return (this.ends[slot] as number) - (this.starts[slot] as number);
  }

  /** The texts that are kept are of one byte per letter. */
  private isPlain(): boolean {
    const { bytes } = this;
    for (let slot = 0; slot < SLOTS; slot++) {
      const to = this.ends[slot] as number;
      for (let at = this.starts[slot] as number; at < to; at++) if ((bytes[at] as number) >= 128) return false;
    }
    return true;
  }

  private put(slot: number, end: number): void {
    const to = this.valueEnd(end);
    this.starts[slot] = this.at;
    this.ends[slot] = to;
    this.at = to;
  }

  private metadata(end: number): void {
    while (this.next(end)) {
      const { field } = this;
      if (field === 1) this.put(NAME, end);
      else if (field === 3) this.put(NAMESPACE, end);
      else if (field === 8) this.time(end);
      else if (field === 9) this.fail();
      else if (field === 13) this.owner(this.valueEnd(end));
      else this.skip(end);
    }
  }

  private owner(end: number): void {
    this.owners++;
    let controls = false;
    while (this.next(end)) {
      const { field } = this;
      if (field === 1) this.put(OWNER_KIND, end);
      else if (field === 3) this.put(OWNER_NAME, end);
      else if (field === 6) controls = this.integer(end) !== 0;
      else this.skip(end);
    }
    if (!controls) this.fail();
  }

  private spec(end: number): void {
    while (this.next(end)) {
      const { field } = this;
      if (field === 2) {
        this.containers++;
        this.skip(end);
      } else if (field === 10) this.put(NODE, end);
      else if (field === 20) this.initContainer(this.valueEnd(end));
      else this.skip(end);
    }
  }

  /** A restart policy of its own may make it a sidecar, which counts as a container. */
  private initContainer(end: number): void {
    while (this.next(end)) {
      if (this.field === 24) this.fail();
      else this.skip(end);
    }
  }

  private status(end: number): void {
    while (this.next(end)) {
      const { field } = this;
      if (field === 1) {
        this.seen++;
        if (!this.isWord(RUNNING, end)) this.fail();
      } else if (field === 2) this.condition(this.valueEnd(end));
      else if (field === 4) {
        const to = this.valueEnd(end);
        if (to > this.at) this.fail();
      } else if (field === 8) {
        this.statuses++;
        this.container(this.valueEnd(end), false);
      } else if (field === 10) this.container(this.valueEnd(end), true);
      else if (field === 13) this.fail();
      else this.skip(end);
    }
  }

  private condition(end: number): void {
    let good = false;
    while (this.next(end)) {
      const { field } = this;
      if (field === 1) this.refuse(TROUBLE, end);
      else if (field === 2) good = this.isWord(TRUE, end);
      else if (field === 4) this.time(end);
      else if (field === 5) {
        if (this.isWord(GATED, end)) this.fail();
      } else this.skip(end);
    }
    if (!good) this.fail();
  }

  private refuse(words: readonly Buffer[], end: number): void {
    const to = this.valueEnd(end);
    const { at, bytes } = this;
    for (let index = 0; index < words.length; index++) if (isSame(words[index] as Buffer, bytes, at, to)) this.fail();
    this.at = to;
  }

  /** One that runs and never failed, or, of those before them, one that did its part. */
  private container(end: number, first: boolean): void {
    let ready = false;
    let stated = false;
    while (this.next(end)) {
      const { field } = this;
      if (field === 2) {
        stated = true;
        this.state(this.valueEnd(end), first ? 3 : 2);
      } else if (field === 3) {
        if (this.valueEnd(end) > this.at) this.fail();
      } else if (field === 4) ready = this.integer(end) !== 0;
      else if (field === 5 && !first) {
        if (this.integer(end) !== 0) this.fail();
      } else this.skip(end);
    }
    if (!stated || (!ready && !first)) this.fail();
  }

  /** The one state it must have: running (2), or terminated (3) with exit code 0. */
  private state(end: number, wanted: number): void {
    let found = false;
    while (this.next(end)) {
      if (this.field !== wanted) {
        this.fail();
        return;
      }
      found = true;
      const inner = this.valueEnd(end);
      if (wanted === 2) this.running(inner);
      else this.terminated(inner);
    }
    if (!found) this.fail();
  }

  private running(end: number): void {
    while (this.next(end)) {
      if (this.field === 1) this.time(end);
      else this.skip(end);
    }
  }

  private terminated(end: number): void {
    while (this.next(end)) {
      if (this.field === 1) {
        if (this.integer(end) !== 0) this.fail();
      } else if (this.field === 6) this.time(end);
      else this.skip(end);
    }
  }

  private time(end: number): void {
    const to = this.valueEnd(end);
    while (this.next(to)) {
      if (this.field === 1 && this.wire === VARINT) {
        const seconds = this.integer(to);
        if (seconds > this.newestSeconds) this.newestSeconds = seconds;
      } else this.skip(to);
    }
  }

  private isWord(word: Buffer, end: number): boolean {
    const to = this.valueEnd(end);
    const same = isSame(word, this.bytes, this.at, to);
    this.at = to;
    return same;
  }
}

function isSame(word: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (to - from !== word.length) return false;
  for (let index = 0; index < word.length; index++) if (word[index] !== bytes[from + index]) return false;
  return true;
}
