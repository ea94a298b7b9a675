import { isRecord, parsed } from './list-meta.ts';
import { fieldOf, isEnveloped, textField, unwrapped } from './wire.ts';
import { harmless } from './words.ts';

/** What a server says with a refusal. */
export interface Status {
  readonly message: string;
  readonly reason: string;
  /** Offered with an expired continue token: the rest of the list, as it is now. */
  readonly next: string;
}

/** Reads a Status in JSON or protobuf, or else the text itself; a web page gives nothing. */
export function statusOf(body: Uint8Array, contentType: string): Status {
  if (isEnveloped(body)) return fromProtobuf(body);
  const text = new TextDecoder().decode(body.subarray(0, 1024 * 1024));
  const answer = parsed(text);
  if (isRecord(answer)) {
    const metadata = answer['metadata'];
    return {
      message: harmless(textOf(answer['message']) || textOf(answer['error'])),
      reason: harmless(textOf(answer['reason']), 100),
      next: isRecord(metadata) ? textOf(metadata['continue']) : '',
    };
  }
  return { message: isWebPage(contentType, text) ? '' : harmless(text), reason: '', next: '' };
}

export function isWebPage(contentType: string, text: string): boolean {
  return contentType.startsWith('text/html') || /^\s{0,100}<(?:!doctype|html)/i.test(text);
}

function fromProtobuf(body: Uint8Array): Status {
  const status = unwrapped(body) ?? new Uint8Array(0);
  const meta = fieldOf(status, 1)?.bytes ?? new Uint8Array(0);
  return { message: harmless(textField(status, 3)), reason: harmless(textField(status, 4), 100), next: textField(meta, 3) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
