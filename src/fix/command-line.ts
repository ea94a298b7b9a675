import { shellWord } from '../reason/shell-word.ts';

/** A command to be typed again: flags as they are, what the user gave quoted where a shell would read it otherwise. */
export function commandLine(words: readonly (string | undefined)[]): string {
  return words
    .filter((word) => word !== undefined)
    .map((word) => (FLAG.test(word) ? word : shellWord(word)))
    .join(' ');
}

const FLAG = /^--?[a-z][a-z-]*$/;
