import { withoutMargins } from './margins.ts';
import { plainCharacters } from './typography.ts';
import { joinWrapped } from './wrapped-lines.ts';

/** Longer texts are files of programs; nobody copied them off a page. */
const MOST = 512 * 1024;

/** Objects are files too, and every character in them counts. */
const OBJECTS = /^\s{0,100}(?:\{|\[\s{0,100}[{"]|(?:---\s{0,100}\n)?(?:apiVersion|kind|items):)/;

/**
 * Undoes what web pages, chats, editors and narrow terminals do to output on its way into a paste: typographic quotes,
 * entities and tags, margins and line numbers, lines broken at an edge. The number of lines stays the same.
 */
export function asPrinted(text: string): string {
  if (text.length > MOST || OBJECTS.test(text)) return text;
  const lines = withoutMargins(plainCharacters(text).split('\n')).map(withoutMarkup);
  return joinWrapped(lines).join('\n');
}

const TAG_NAMES = 'br|p|pre|code|samp|kbd|tt|div|span|strong|em|b|i|u|font|li|ul|ol|td|tr|blockquote|details|summary|mark';
const TAG = `</?(?:${TAG_NAMES})(?:\\s[^<>]{0,300})?/?>`;
const FIRST_TAGS = new RegExp(`^(?<indent>\\s{0,80})(?:${TAG}){1,8}`, 'i');
const LAST_TAGS = new RegExp(`(?:${TAG}){1,8}\\s{0,8}$`, 'i');
const SPANS = /<\/?(?:span|font|mark|strong|em)(?:\s[^<>]{0,300})?>/gi;

/** `**whole line**` and `` `whole line` ``: somebody pointed at it. Short ones are headings. */
const POINTED_AT = /^(?<indent>\s{0,80})(?<mark>\*\*|`)(?<text>\s{0,40}[\w"'/[({-][^`*\n]{18,4000}\S)\k<mark>\s{0,8}$/;

/** A backslash before a character that Markdown would act upon, and nowhere else on the line. */
const MARKDOWN_ESCAPE = /\\(?=[_<>[\]*#])/g;

function withoutMarkup(line: string): string {
  let plain = line;
  if (plain.includes('<')) plain = withoutTags(plain);
  if (plain.includes('\\') && !/\\(?![_<>[\]*#])/.test(plain)) plain = plain.replace(MARKDOWN_ESCAPE, '');
  const last = plain.trimEnd().at(-1);
  const pointed = last === '*' || last === '`' ? POINTED_AT.exec(plain)?.groups : undefined;
  return pointed?.['text']?.includes(' ') ? `${pointed['indent']}${pointed['text']}` : plain;
}

/** Tags around a line and colours within it. A page that a program printed keeps its own. */
function withoutTags(line: string): string {
  if (/<(?:html|head|body|title|h\d|!doctype|center|hr)\b/i.test(line)) return line;
  return line.replace(SPANS, '').replace(FIRST_TAGS, '$<indent>').replace(LAST_TAGS, '');
}
