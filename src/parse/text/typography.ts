/** Whatever the steps below change; a text without any is returned as it is. */
const ODD = /[\u00a0\u2002-\u200a\u2013\u2014\u2018-\u201f\u2032\u2033\u202f\u3000\uff01-\uff5e]|&(?:[a-z]{2,5}|#x?[\da-f]{2,4});/i;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
const ENTITY = /&(?:(?<name>lt|gt|amp|quot|apos|nbsp)|#(?<code>\d{2,4})|#x(?<hex>[\da-f]{2,4}));/gi;

const SPACES = /[\u00a0\u2002-\u200a\u202f]/g;
const DOUBLE = /[\u201c-\u201f\u2033]/g;
const SINGLE = /[\u2018-\u201b\u2032]/g;
const WIDE = /[\uff01-\uff5e]/g;
const LONG_OPTION = /(?<=(?:^|[\s"'`(=]))[\u2013\u2014]{1,2}(?=[a-z][a-z-]{1,60})/gm;
const RULED = /^[\s\u2013\u2014-]{0,400}\u2014[\s\u2013\u2014-]{0,400}$/gm;

/** Quotes, dashes, spaces and punctuation that a page or an input method put in the place of what a program printed. */
export function plainCharacters(text: string): string {
  if (!ODD.test(text)) return text;
  return text
    .replace(ENTITY, decoded)
    .replace(SPACES, ' ')
    .replace(/\u3000/g, '  ')
    .replace(DOUBLE, (mark, at: number, whole: string) => (besideAscii(whole, at) ? '"' : mark))
    .replace(SINGLE, (mark, at: number, whole: string) => (besideAscii(whole, at) ? "'" : mark))
    .replace(WIDE, narrowed)
    .replace(RULED, (line) => line.replace(/\u2014/g, '--').replace(/\u2013/g, '-'))
    .replace(LONG_OPTION, '--');
}

function decoded(entity: string, ...found: unknown[]): string {
  const { name, code, hex } = found.at(-1) as Record<string, string | undefined>;
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
  const point = Number.parseInt(code ?? hex ?? '', code === undefined ? 16 : 10);
  // Only what can be seen: nothing may come back in that cleaning took out.
  return point >= 0x20 && point < 0x7f ? String.fromCharCode(point) : point === 0xa0 ? ' ' : entity;
}

function besideAscii(text: string, at: number): boolean {
  return isAscii(text[at - 1]) || isAscii(text[at + 1]);
}

function isAscii(character: string | undefined): boolean {
  return character !== undefined && character > ' ' && character <= '~';
}

/** A full-width mark between a program's own words; sentences of other languages keep theirs. */
function narrowed(mark: string, at: number, whole: string): string {
  const before = whole[at - 1];
  const after = whole[at + 1];
  const plain = String.fromCharCode(mark.charCodeAt(0) - 0xfee0);
  const opens = plain === '(' && isAscii(after) && isEnd(before);
  const inside = (isAscii(before) || isWide(before)) && (isAscii(after) || isWide(after) || isEnd(after)) && besideAscii(whole, at);
  if (!opens && !inside) return mark;
  return (plain === ':' || plain === ',' || plain === ';') && isAscii(after) && !/[/\d]/.test(after ?? '') ? `${plain} ` : plain;
}

function isWide(character: string | undefined): boolean {
  return character !== undefined && character >= '\uff01' && character <= '\uff5e';
}

/** Nothing on that side, or a space. */
function isEnd(character: string | undefined): boolean {
  return character === undefined || character === '\n' || character === ' ';
}
