import { redactText } from '../../parse/text/redact.ts';

const HIDDEN = '‹redacted›';
const CREDENTIALS = /\b(?<scheme>Bearer|Basic|Negotiate)(?<gap>[ \t]+)[A-Za-z0-9+/=._~-]{6,}/g;
const AUTH = /(?<key>\bauth["']?[ \t]*[=:][ \t]*["'])[^"'\n‹]+/g;

/** The same number of lines, without what nobody but the host needs to know: a configuration is hidden more readily than a log. */
export function withoutSecrets(text: string): string {
  return redactText(text).text.replace(CREDENTIALS, `$<scheme>$<gap>${HIDDEN}`).replace(AUTH, `$<key>${HIDDEN}`);
}
