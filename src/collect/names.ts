const NAME_LIMIT = 500;

/** Names come from strangers' archives and file systems: control and direction characters must not reach a terminal. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function displayName(name: string): string {
  const safe = name.replace(UNSAFE, '\ufffd');
  return safe.length > NAME_LIMIT ? `…${safe.slice(1 - NAME_LIMIT)}` : safe;
}

interface MemberName {
  readonly name: string;
  /** The stored name was absolute or climbed out of the archive. */
  readonly strays: boolean;
}

/** The name of an archive member for display only; nothing is ever written under it. */
export function memberName(archive: string, stored: string): MemberName {
  const parts = stored.slice(0, 8192).replaceAll('\\', '/').split('/');
  const strays = stored.startsWith('/') || stored.startsWith('\\') || /^[A-Za-z]:/.test(stored) || parts.includes('..');
  const kept = parts.filter((part, index) => part !== '' && part !== '.' && part !== '..' && !(index === 0 && /^[A-Za-z]:$/.test(part)));
  return { name: displayName(`${archive}/${kept.length > 0 ? kept.join('/') : 'unnamed'}`), strays };
}

/** Prefix of the names of what lies in a folder, as the user typed the folder. */
export function folderPrefix(typed: string): string {
  let end = typed.length;
  while (end > 0 && (typed[end - 1] === '/' || typed[end - 1] === '\\')) end -= 1;
  const trimmed = typed.slice(0, end);
  return trimmed === '.' ? '' : `${trimmed}/`;
}
