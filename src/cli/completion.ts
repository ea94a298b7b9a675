import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { catalogue } from '../causes/catalogue.ts';
import { stories } from '../demo/stories.ts';
import { bashCompletion } from './completion-bash.ts';
import { write } from './output.ts';

/** `podcause complete bash|zsh|fish|powershell` prints a script; the script calls back for candidates. */
export async function addCompletion(program: Command, argv: readonly string[]): Promise<void> {
  if (argv.length === 4 && argv[3] === 'bash') return write(bashCompletion);
  const completion = tab(program.name('podcause'));
  complete(
    completion.commands.get('causes'),
    'id',
    catalogue.map(({ id, text }) => [id, text.name]),
  );
  complete(
    completion.commands.get('demo'),
    'story',
    stories.map(({ name, says }) => [name, says]),
  );
  if (argv[3] !== '--') {
    await program.parseAsync(argv);
    return;
  }
  const words = joined(argv.slice(4));
  const candidates = await printedBy(() => program.parseAsync([...argv.slice(0, 4), ...words]));
  await write(takesPath(program, words) ? candidates.replace(NO_FILES, `:${FILES_TOO}\n`) : candidates);
}

type Completable = ReturnType<typeof tab>['commands'] extends Map<string, infer One> ? One | undefined : never;

function complete(command: Completable, argument: string, values: readonly (readonly [string, string])[]): void {
  command?.argument(argument, (add) => {
    for (const [value, description] of values) add(value, description);
  });
}

/** The last line of an answer tells the shell whether files may complete the word as well; the library always says no. */
const NO_FILES = /:4\n$/;
const FILES_TOO = 0;

function takesPath(program: Command, words: readonly string[]): boolean {
  const typed = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (typed.startsWith('-') && typed !== '-') return false;
  if (program.options.some((option) => option.required && [option.short, option.long].includes(before))) return false;
  const named = words.slice(0, -1).find((word) => program.commands.some((command) => command.name() === word));
  return named === undefined || named === 'diagnose';
}

/** Bash cuts words at `=`; `--output = js` is one word for everybody else. */
function joined(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (const [index, word] of words.entries()) {
    const glued = (word === '=' || words[index - 1] === '=') && whole.at(-1)?.startsWith('--');
    if (glued) whole.push(`${whole.pop()}${word}`);
    else whole.push(word);
  }
  return whole;
}

/** The library prints by itself; what it prints is held back. */
async function printedBy(act: () => Promise<unknown>): Promise<string> {
  const printed: string[] = [];
  const print = process.stdout.write;
  process.stdout.write = (chunk: string | Uint8Array) => printed.push(String(chunk)) > 0;
  try {
    await act();
  } finally {
    process.stdout.write = print;
  }
  return printed.join('');
}
