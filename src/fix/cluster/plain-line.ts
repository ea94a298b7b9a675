import { redactText } from '../../parse/text/redact.ts';

/** Text from elsewhere for journals, events and screens: one line, without control characters and secrets. */
export function plainLine(text: string, longest = 500): string {
  const plain = redactText(text.slice(0, longest * 2))
    .text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}
