/** Characters that make a terminal do something or hide what is written; a line break is none of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** The colours we use ourselves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours start with an escape
export const OUR_COLOURS = /\u001b\[(?:1|2|22|31|32|33|35|36|39)m/g;
