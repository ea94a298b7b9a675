const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const FORMAT_CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function visibleCharacter(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
  if (code === DELETE) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** Control, direction and zero-width characters become something one can see and that does nothing. */
export function visible(text: string): string {
  return text.replace(FORMAT_CONTROLS, visibleCharacter);
}

/** Safe as element content and inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? character);
}

/** A class, so that an object in a hostile report can never pass for markup. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type Child = Html | string | number | false | undefined | null | readonly Child[];

function childMarkup(child: Child): string {
  if (child === undefined || child === null || child === false) return '';
  if (child instanceof Html) return child.toString();
  if (Array.isArray(child)) return child.map(childMarkup).join('');
  return escapeHtml(String(child));
}

/** Template tag: everything put into it is escaped unless it came from this tag too. */
export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Html {
  let markup = strings[0] ?? '';
  children.forEach((child, index) => {
    markup += childMarkup(child) + (strings[index + 1] ?? '');
  });
  return new Html(markup);
}

/** Only for text written in this folder: the style sheet and the script. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

export const NOTHING: Html = new Html('');
