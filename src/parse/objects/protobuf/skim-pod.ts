import type { EntityId } from '../../../model/entity.ts';
import { PodNames } from '../pod-names.ts';
import type { SkimmedPod } from '../skimmed-pod.ts';
import * as fields from './pod-fields.ts';
import { timeText } from './time-text.ts';

const VARINT = 0;
const LENGTH = 2;
/** Numbers beyond this are negative ones; no healthy pod has them. */
const LARGEST_SCALE = 2 ** 40;

const RUNNING = Buffer.from('Running', 'latin1');
const TRUE = Buffer.from('True', 'latin1');
const GATED = Buffer.from('SchedulingGated', 'latin1');
const TROUBLE = ['DisruptionTarget', 'PodResizePending', 'PodResizeInProgress'].map((word) => Buffer.from(word, 'latin1'));

/**
 * What a list keeps of a healthy pod, read off its protobuf, most of which is stepped over by its length. Only what is plainly
 * well is taken; every other pod is left to the decoder.
 */
export class ProtobufPodSkim implements SkimmedPod {
  private readonly names: PodNames;
  private readonly starts = new Int32Array(fields.SLOTS);
  private readonly ends = new Int32Array(fields.SLOTS);
  private bytes: Buffer = Buffer.alloc(0);
  private owners = 0;
  private statuses = 0;
  private newestSeconds = 0;
  containers = 0;
  about: EntityId = '';
  namespace: string | undefined;
  newest = '';

  /** `given` is the namespace of pods that name none. */
  constructor(given?: string) {
    this.names = new PodNames(given);
  }

  /** Whether the pod between two indexes is well; `newest` is the newest time stamp so far, in milliseconds and as text. */
  read(bytes: Buffer, from: number, end: number, newest: number | undefined, newestText: string): boolean {
    this.bytes = bytes;
    this.starts.fill(0);
    this.ends.fill(0);
    this.owners = 0;
    this.statuses = 0;
    this.containers = 0;
    const before = newest === undefined ? Number.NEGATIVE_INFINITY : newest / 1000;
    this.newestSeconds = before;
    if (!this.walk(from, end, fields.POD) || this.containers === 0 || this.containers !== this.statuses || this.owners > 1) return false;
    if (this.lengthOf(fields.NAME) === 0 || !this.isPlain()) return false;
    this.newest = this.newestSeconds === before ? newestText : (timeText(this.newestSeconds) ?? newestText);
    const place = this.names.places.get(bytes, this.startOf(fields.NAMESPACE), this.endOf(fields.NAMESPACE));
    this.namespace = place.namespace;
    this.about = this.names.about(place, bytes, this.startOf(fields.NAME), this.endOf(fields.NAME));
    return true;
  }

  get node(): EntityId | undefined {
    if (this.lengthOf(fields.NODE) === 0) return undefined;
    return this.names.nodes.get(this.bytes, this.startOf(fields.NODE), this.endOf(fields.NODE));
  }

  /** A mirror pod is owned by its Node, which is no workload. */
  get workload(): EntityId | undefined {
    if (this.lengthOf(fields.OWNER_KIND) === 0 || this.lengthOf(fields.OWNER_NAME) === 0) return undefined;
    const { kinds, owners } = this.names;
    const kind = kinds.get(this.bytes, this.startOf(fields.OWNER_KIND), this.endOf(fields.OWNER_KIND));
    if (kind === 'Node') return undefined;
    return owners.get(this.bytes, this.startOf(fields.OWNER_NAME), this.endOf(fields.OWNER_NAME)).in(this.namespace, kind);
  }

  private startOf(slot: number): number {
    return this.starts[slot] as number;
  }

  private endOf(slot: number): number {
    return this.ends[slot] as number;
  }

  private lengthOf(slot: number): number {
    return this.endOf(slot) - this.startOf(slot);
  }

  /** The texts that are kept are of one byte per letter. */
  private isPlain(): boolean {
    const { bytes } = this;
    for (let slot = 0; slot < fields.SLOTS; slot++) {
      const to = this.endOf(slot);
      for (let at = this.startOf(slot); at < to; at++) if ((bytes[at] as number) >= 128) return false;
    }
    return true;
  }

  /** Whether all is well in a message. One loop for all, with what it needs in local variables: nearly all time goes into it. */
  private walk(from: number, end: number, { actions, needed }: fields.Table): boolean {
    const { bytes } = this;
    let at = from;
    let seen = 0;
    while (at < end) {
      let tag = bytes[at++] as number;
      if (tag >= 128) tag = (tag & 127) | ((bytes[at++] as number) << 7);
      const field = tag >>> 3;
      const wire = tag & 7;
      if (tag >= 1 << 14 || (wire !== VARINT && wire !== LENGTH) || at >= end) return false;
      let value = bytes[at++] as number;
      if (value >= 128) {
        value &= 127;
        let scale = 128;
        for (let byte = 128; byte >= 128; scale *= 128) {
          if (at >= end || scale > LARGEST_SCALE) return false;
          byte = bytes[at++] as number;
          value += (byte & 127) * scale;
        }
      }
      const to = wire === LENGTH ? at + value : at;
      if (to > end) return false;
      const action = field < fields.FIELDS ? (actions[field] as number) : fields.PASS;
      if (action !== fields.PASS) {
        seen |= 1 << field;
        if (!(wire === LENGTH ? this.measured(action, at, to) : this.number(action, value))) return false;
      }
      at = to;
    }
    return at === end && (seen & needed) === needed;
  }

  private number(action: number, value: number): boolean {
    if (action !== fields.SECONDS) return action === fields.MUST_BE_SET ? value !== 0 : action === fields.MUST_BE_ZERO && value === 0;
    if (value > this.newestSeconds) this.newestSeconds = value;
    return true;
  }

  /** A field whose length is given. */
  private measured(action: number, from: number, to: number): boolean {
    if (action >= fields.INSIDE) {
      if (action === fields.IN_OWNER) this.owners++;
      else if (action === fields.IN_CONTAINER_STATUS) this.statuses++;
      return this.walk(from, to, fields.TABLES[action - fields.INSIDE] as fields.Table);
    }
    if (action >= fields.TEXT) {
      this.starts[action - fields.TEXT] = from;
      this.ends[action - fields.TEXT] = to;
      return true;
    }
    if (action !== fields.COUNT_CONTAINER) return this.isGood(action, from, to);
    this.containers++;
    return true;
  }

  private isGood(action: number, from: number, to: number): boolean {
    const { bytes } = this;
    switch (action) {
      case fields.EMPTY:
        return from === to;
      case fields.PHASE:
        return isSame(RUNNING, bytes, from, to);
      case fields.CONDITION_STATUS:
        return isSame(TRUE, bytes, from, to);
      case fields.CONDITION_REASON:
        return !isSame(GATED, bytes, from, to);
      case fields.CONDITION_TYPE:
        return !isOneOf(TROUBLE, bytes, from, to);
      default:
        return false;
    }
  }
}

function isSame(word: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (to - from !== word.length) return false;
  for (let index = 0; index < word.length; index++) if (word[index] !== bytes[from + index]) return false;
  return true;
}

function isOneOf(words: readonly Buffer[], bytes: Buffer, from: number, to: number): boolean {
  for (let index = 0; index < words.length; index++) if (isSame(words[index] as Buffer, bytes, from, to)) return true;
  return false;
}
