import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { catalogue } from '../causes/catalogue.ts';
import { stories } from '../demo/stories.ts';

/** `podcause complete bash|zsh|fish|powershell` prints a script; the script calls back for candidates. */
export async function addCompletion(program: Command, argv: readonly string[]): Promise<void> {
  const completion = tab(program);
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
  await program.parseAsync(argv);
}

type Completable = ReturnType<typeof tab>['commands'] extends Map<string, infer One> ? One | undefined : never;

function complete(command: Completable, argument: string, values: readonly (readonly [string, string])[]): void {
  command?.argument(argument, (add) => {
    for (const [value, description] of values) add(value, description);
  });
}
