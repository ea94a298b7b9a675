/**
 * How a field becomes what JSON has in its place. A field that is always written, but left out of JSON when empty, is `text`,
 * `number` or `flag`; one that JSON shows even when it is zero is `count` or `bool`.
 */
export type Plain =
  | 'text'
  | 'texts'
  | 'number'
  | 'count'
  | 'flag'
  | 'bool'
  | 'time'
  | 'micro-time'
  | 'quantity'
  | 'int-or-string'
  | 'text-map'
  | 'quantity-map'
  /** Annotations: of others than a few the values may be anything, even another object with its secrets. */
  | 'known-map'
  /** A map of which the keys are all that may be known. */
  | 'keys'
  /** Only that it is there. */
  | 'present';

export interface PlainField {
  readonly name: string;
  readonly what: Plain;
}

export interface MessageField {
  readonly name: string;
  /** `inline`: JSON has its members in the message around it. */
  readonly what: 'message' | 'list' | 'inline';
  readonly message: Message;
}

export type Field = PlainField | MessageField;

/** Fields by their numbers; all others are passed over. */
export type Message = readonly (Field | undefined)[];

/** Fields are given as `name:what`, or with the message they hold. */
export function message(fields: Readonly<Record<number, string | Field>>): Message {
  const byNumber: (Field | undefined)[] = [];
  for (const [number, field] of Object.entries(fields)) {
    while (byNumber.length <= Number(number)) byNumber.push(undefined);
    byNumber[Number(number)] = typeof field === 'string' ? plain(field) : field;
  }
  return byNumber;
}

function plain(text: string): PlainField {
  const colon = text.indexOf(':');
  return colon < 0 ? { name: text, what: 'text' } : { name: text.slice(0, colon), what: text.slice(colon + 1) as Plain };
}

export function one(name: string, of: Message): MessageField {
  return { name, what: 'message', message: of };
}

export function many(name: string, of: Message): MessageField {
  return { name, what: 'list', message: of };
}

export function inline(of: Message): MessageField {
  return { name: '', what: 'inline', message: of };
}
