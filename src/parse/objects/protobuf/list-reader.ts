import { readItem, readObject } from '../object-facts.ts';
import type { ObjectReading } from '../object-reading.ts';
import { skimmedPodFacts } from '../skimmed-pod.ts';
import { Decoder } from './decode.ts';
import { type Envelope, openEnvelope } from './envelope.ts';
import { messageOf } from './kinds.ts';
import type { Message } from './schema.ts';
import { ProtobufPodSkim } from './skim-pod.ts';
import { WireReader } from './wire.ts';

const LIST_META = 1;
const ITEMS = 2;
const CONTINUE = 3;

/** Reads lists in Kubernetes protobuf, page by page: healthy pods off their bytes, all else as the objects JSON would give. */
export class ProtobufLists {
  private readonly reading: ObjectReading;
  private readonly decoder = new Decoder();
  private readonly wire = new WireReader();
  private pods: ProtobufPodSkim | undefined;
  private invalid = 0;
  /** Items counted so far; pages of one list go on counting. */
  items = 0;
  /** The last page said that there is more of the list. */
  continues = false;

  constructor(reading: ObjectReading) {
    this.reading = reading;
  }

  /** Reads one page; words for what is missing of it. */
  read(page: Uint8Array): string | undefined {
    const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
    const envelope = openEnvelope(bytes);
    if (typeof envelope === 'string') return envelope;
    const { apiVersion, kind } = envelope;
    if (kind.endsWith('List')) {
      const message = messageOf(apiVersion, kind.slice(0, -'List'.length));
      return message === undefined ? `is a ${kind} of ${apiVersion}, which is not read in protobuf` : this.list(bytes, envelope, message);
    }
    const message = messageOf(apiVersion, kind);
    return message === undefined ? `is a ${kind} of ${apiVersion}, which is not read in protobuf` : this.single(bytes, envelope, message);
  }

  problems(): (string | undefined)[] {
    return [this.invalid > 0 ? `${this.invalid} objects are not valid protobuf` : undefined];
  }

  private single(bytes: Buffer, { apiVersion, kind, from, end, cut }: Envelope, message: Message): string | undefined {
    const object = cut ? undefined : this.decoder.decode(bytes, from, end, message);
    if (object === undefined) return 'ends inside an object';
    readObject(this.reading, { ...object, apiVersion, kind }, '');
    return undefined;
  }

  private list(bytes: Buffer, { kind, from, end, cut }: Envelope, message: Message): string | undefined {
    const { wire } = this;
    const isPods = kind === 'PodList';
    this.continues = false;
    wire.begin(bytes, from);
    while (wire.next(end)) {
      if (wire.field === ITEMS) {
        const to = wire.valueEnd(end);
        if (wire.broken) break;
        this.item(bytes, wire.at, to, kind, isPods, message);
        wire.at = to;
      } else if (wire.field === LIST_META) this.listMeta(wire.valueEnd(end));
      else wire.skip(end);
    }
    return wire.broken || cut ? `ends inside the list, after ${this.items} items` : undefined;
  }

  private listMeta(end: number): void {
    const { wire } = this;
    while (wire.next(end)) {
      const { field } = wire;
      if (field !== CONTINUE) wire.skip(end);
      else {
        const to = wire.valueEnd(end);
        this.continues = to > wire.at;
        wire.at = to;
      }
    }
  }

  private item(bytes: Buffer, from: number, end: number, listKind: string, isPod: boolean, message: Message): void {
    const { reading } = this;
    const pointer = `/items/${this.items++}`;
    if (isPod && !reading.namesPods) {
      const { newest, newestText } = reading.clock;
      this.pods ??= new ProtobufPodSkim(reading.options.namespace);
      if (this.pods.read(bytes, from, end, newest, newestText)) {
        skimmedPodFacts(reading, this.pods, pointer);
        return;
      }
    }
    const object = this.decoder.decode(bytes, from, end, message);
    if (object === undefined) this.invalid++;
    else readItem(reading, object, pointer, listKind);
  }
}
