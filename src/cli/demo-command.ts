import { stories } from '../demo/stories.ts';
import { diagnose } from '../diagnose.ts';
import { type DiagnoseFlags, print } from './diagnose-command.ts';
import { EXIT, UsageError } from './errors.ts';

/** Built-in incidents: the same way as a user's files, no cluster needed. Always exits 0: showing is its job. */
export async function demoCommand(name: string | undefined, flags: DiagnoseFlags & { list?: boolean; all?: boolean }): Promise<number> {
  if (flags.list) {
    const width = Math.max(...stories.map((story) => story.name.length));
    for (const story of stories) process.stdout.write(`${story.name.padEnd(width)}  ${story.says}\n`);
    return EXIT.healthy;
  }
  const chosen = flags.all ? stories : [storyNamed(name)];
  for (const [index, story] of chosen.entries()) {
    if (flags.output === 'terminal')
      process.stdout.write(`${index > 0 ? '\n' : ''}$ podcause ${story.files.map((file) => file.name).join(' ')}     (${story.says})\n`);
    await print(await diagnose(story.files), flags);
  }
  if (flags.output === 'terminal' && !flags.all) {
    const others = stories.filter((story) => !chosen.includes(story));
    process.stdout.write(`\nMore: podcause demo ${others.map((story) => story.name).join(' | ')}\n`);
  }
  return EXIT.healthy;
}

function storyNamed(name: string | undefined) {
  const story = name === undefined ? stories[0] : stories.find((one) => one.name === name);
  if (!story) throw new UsageError(`there is no story ${name}. There are: ${stories.map((one) => one.name).join(', ')}`);
  return story;
}
