import type { JsonRecord } from '../json-value.ts';
import type { Field, Message, Plain } from './schema.ts';
import { microTimeText, timeText } from './time-text.ts';
import { WireReader } from './wire.ts';

/** Those that some fact is read from. */
const KNOWN_ANNOTATIONS: ReadonlySet<string> = new Set([
  'kubernetes.io/config.hash',
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]);

type Growing = Record<string, unknown>;

/** Turns messages into the objects that JSON would have given, as far as a schema names their fields. */
export class Decoder {
  private readonly wire = new WireReader();
  private lastSeconds = Number.NaN;
  private lastTime: string | undefined;

  /** The message between two indexes; undefined when its bytes are not what the schema says. */
  decode(bytes: Buffer, from: number, end: number, message: Message): JsonRecord | undefined {
    this.wire.begin(bytes, from);
    const object: Growing = {};
    this.message(object, message, end);
    return this.wire.broken ? undefined : object;
  }

  /** As deep as the schema, whatever the bytes say. */
  private message(into: Growing, message: Message, end: number): void {
    const { wire } = this;
    while (wire.next(end)) {
      const field = message[wire.field];
      if (field === undefined) wire.skip(end);
      else this.field(into, field, end);
    }
  }

  private field(into: Growing, field: Field, end: number): void {
    const { wire } = this;
    if (!('message' in field)) {
      this.plain(into, field.name, field.what, end);
      return;
    }
    const inner = wire.valueEnd(end);
    if (field.what === 'inline') {
      this.message(into, field.message, inner);
      return;
    }
    const object: Growing = {};
    this.message(object, field.message, inner);
    if (field.what === 'message') into[field.name] = object;
    else append(into, field.name, object);
  }

  private plain(into: Growing, name: string, what: Plain, end: number): void {
    const { wire } = this;
    switch (what) {
      case 'number':
      case 'count': {
        const value = wire.integer(end);
        if (value !== 0 || what === 'count') into[name] = value;
        break;
      }
      case 'flag':
      case 'bool': {
        const value = wire.integer(end) !== 0;
        if (value || what === 'bool') into[name] = value;
        break;
      }
      default:
        this.measured(into, name, what, wire.valueEnd(end));
    }
  }

  /** Values whose length is given. */
  private measured(into: Growing, name: string, what: Plain, end: number): void {
    switch (what) {
      case 'text': {
        const text = this.text(end);
        if (text !== '') into[name] = text;
        break;
      }
      case 'texts':
        append(into, name, this.text(end));
        break;
      case 'time':
      case 'micro-time': {
        const time = this.time(what === 'micro-time', end);
        if (time !== undefined) into[name] = time;
        break;
      }
      case 'quantity':
        into[name] = this.quantity(end);
        break;
      case 'int-or-string':
        into[name] = this.intOrString(end);
        break;
      case 'present':
        this.wire.at = end;
        into[name] = {};
        break;
      default:
        this.mapEntry(into, name, what, end);
    }
  }

  private text(end: number): string {
    const { wire } = this;
    const { at } = wire;
    wire.at = end;
    return at === end ? '' : wire.bytes.toString('utf8', at, end);
  }

  private time(micro: boolean, end: number): string | undefined {
    const { wire } = this;
    // Go's zero time has no bytes at all, and is `null` in JSON.
    if (wire.at === end) return undefined;
    let seconds = 0;
    let nanos = 0;
    while (wire.next(end)) {
      if (wire.field === 1) seconds = wire.integer(end);
      else if (wire.field === 2) nanos = wire.integer(end);
      else wire.skip(end);
    }
    if (micro) return microTimeText(seconds, nanos);
    if (seconds !== this.lastSeconds) {
      this.lastSeconds = seconds;
      this.lastTime = timeText(seconds);
    }
    return this.lastTime;
  }

  private quantity(end: number): string {
    const { wire } = this;
    let text = '0';
    while (wire.next(end)) {
      if (wire.field === 1) text = this.text(wire.valueEnd(end)) || '0';
      else wire.skip(end);
    }
    return text;
  }

  private intOrString(end: number): string | number {
    const { wire } = this;
    let type = 0;
    let number = 0;
    let text = '';
    while (wire.next(end)) {
      if (wire.field === 1) type = wire.integer(end);
      else if (wire.field === 2) number = wire.integer(end);
      else if (wire.field === 3) text = this.text(wire.valueEnd(end));
      else wire.skip(end);
    }
    return type === 0 ? number : text;
  }

  private mapEntry(into: Growing, name: string, what: Plain, end: number): void {
    const { wire } = this;
    into[name] ??= {};
    const map = into[name] as Growing;
    let key = '';
    let value = what === 'quantity-map' ? '0' : '';
    while (wire.next(end)) {
      if (wire.field === 1) {
        key = this.text(wire.valueEnd(end));
        if (what !== 'known-map' || KNOWN_ANNOTATIONS.has(key)) continue;
        wire.at = end;
        return;
      }
      if (wire.field !== 2 || what === 'keys') wire.skip(end);
      else value = what === 'quantity-map' ? this.quantity(wire.valueEnd(end)) : this.text(wire.valueEnd(end));
    }
    if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    else map[key] = value;
  }
}

function append(into: Growing, name: string, value: unknown): void {
  const list = into[name];
  if (Array.isArray(list)) list.push(value);
  else into[name] = [value];
}
