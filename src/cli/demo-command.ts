import { type Story, stories } from '../demo/stories.ts';
import { diagnose } from '../diagnose.ts';
import { nearest } from '../text/nearest.ts';
import { type DiagnoseFlags, print } from './diagnose-command.ts';
import { EXIT, UsageError } from './errors.ts';
import { languageFor } from './language.ts';
import { write } from './output.ts';
import { causesFor } from './own-causes.ts';

export interface DemoFlags extends DiagnoseFlags {
  readonly list?: boolean;
  readonly all?: boolean;
}

/** Built-in incidents: the same way as a user's files, no cluster needed. Always exits 0: showing is its job. */
export async function demoCommand(name: string | undefined, flags: DemoFlags): Promise<number> {
  if (flags.list) {
    const width = Math.max(...stories.map((story) => story.name.length));
    await write(stories.map((story) => `${story.name.padEnd(width)}  ${story.says}\n`).join(''));
    return EXIT.healthy;
  }
  if (flags.all && flags.output === 'html') throw new UsageError('several stories do not fit on one HTML page; name one of them.');
  const chosen = flags.all ? stories : [storyNamed(name)];
  for (const [index, story] of chosen.entries()) {
    await write(separator(story, index, flags));
    await print(
      await diagnose(story.files, {
        causes: await causesFor(flags),
        redact: flags.redact,
        translate: languageFor(flags).translate,
        ...(flags.focus ? { focus: flags.focus } : {}),
      }),
      flags,
    );
  }
  if (flags.output === 'terminal' && !flags.all) {
    const others = stories.filter((story) => !chosen.includes(story));
    await write(`\nMore: podcause demo ${others.map((story) => story.name).join(' | ')}\n`);
  }
  return EXIT.healthy;
}

function separator(story: Story, index: number, { output }: DemoFlags): string {
  if (output === 'yaml') return index > 0 ? '---\n' : '';
  if (output !== 'terminal') return '';
  return `${index > 0 ? '\n' : ''}$ podcause ${story.files.map((file) => file.name).join(' ')}     (${story.says})\n`;
}

function storyNamed(name: string | undefined): Story {
  const story = name === undefined ? stories[0] : stories.find((one) => one.name === name);
  if (story) return story;
  const names = stories.map((one) => one.name);
  const [near] = nearest(name ?? '', names);
  throw new UsageError(`there is no story ${name}.\n  ${near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}`}`);
}
