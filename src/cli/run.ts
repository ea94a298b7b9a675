import { basename } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { TOOL_VERSION } from '../model/tool-version.ts';
import { inertLines } from '../render/inert.ts';
import { CAUSES_FORMATS, type CausesFlags, causesCommand } from './causes-command.ts';
import { type DemoFlags, demoCommand } from './demo-command.ts';
import { type DiagnoseFlags, diagnoseCommand } from './diagnose-command.ts';
import { EXIT, wordError } from './errors.ts';

const FORMATS = ['terminal', 'json', 'yaml', 'markdown', 'html'];

const EXAMPLES = `
Examples:
  kubectl describe pod web-0 | podcause -           from a pipe
  podcause pods.txt kubelet.log config.toml         from files
  podcause ./bundle support.tgz                     from folders and archives
  podcause -o html evidence/ > report.html          one self-contained page
  podcause -o json evidence/ | jq .incidents        for scripts
  podcause demo                                     a built-in incident
  podcause causes                                   what it knows
  source <(podcause complete bash)                  completion; zsh, fish, powershell too

Exit codes: 0 nothing wrong, 1 cause found, 2 not decided, 3 podcause failed.`;

/** Arguments in, exit code out. */
export async function run(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.healthy;
  const program = createProgram(programName(argv[1]), (exit) => {
    code = exit;
  });
  try {
    if (await completes(program, argv)) return EXIT.healthy;
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.healthy : EXIT.failed;
    process.stderr.write(`${wordError(error, argv.includes('--debug'))}\n`);
    return EXIT.failed;
  }
}

/** kubectl finds its plugins by their file name and calls them by two words. */
function programName(path: string | undefined): string {
  return basename(path ?? '').startsWith('kubectl-') ? 'kubectl podcause' : 'podcause';
}

function createProgram(name: string, exitWith: (code: number) => void): Command {
  const program = new Command(name)
    .description('Finds why Kubernetes pods will not run or stay up, down to the host, with the lines that prove it.')
    .version(`podcause ${TOOL_VERSION}`, '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, print) => print(inertLines(text.replace(/^error: /, 'podcause: '))) })
    .showSuggestionAfterError()
    .showHelpAfterError(`(${name} --help shows the options)`)
    .addHelpText('after', name === 'podcause' ? EXAMPLES : EXAMPLES.replaceAll(/(?<= {2}|\| )podcause /g, `${name} `))
    .enablePositionalOptions();
  const commands = () => program.commands.map((command) => command.name());

  addDiagnoseOptions(program.argument('[paths...]', 'files, folders, archives (.gz .tar .tgz .zip), or - for standard input')).action(
    async (paths: string[], _, command: Command) => exitWith(await diagnoseCommand(paths, flagsOf<DiagnoseFlags>(command), commands())),
  );

  addDiagnoseOptions(
    program
      .command('diagnose')
      .description('Diagnose evidence (the default command)')
      .argument('<paths...>', 'files, folders, archives, or -'),
  ).action(async (paths: string[], _, command: Command) => exitWith(await diagnoseCommand(paths, flagsOf<DiagnoseFlags>(command))));

  addDiagnoseOptions(program.command('demo').description('Diagnose a built-in incident').argument('[story]', 'which one; see --list'))
    .option('-l, --list', 'list the stories')
    .option('-a, --all', 'run all of them')
    .action(async (story: string | undefined, _, command: Command) => exitWith(await demoCommand(story, flagsOf<DemoFlags>(command))));

  addScreenOptions(
    program
      .command('causes')
      .description('List the causes podcause knows, or explain one')
      .argument('[id]', 'a cause id')
      .addOption(new Option('-o, --output <format>', 'how to print').choices(CAUSES_FORMATS).default('terminal')),
  ).action(async (id: string | undefined, _, command: Command) => exitWith(await causesCommand(id, flagsOf<CausesFlags>(command))));
  return program;
}

function addDiagnoseOptions(command: Command): Command {
  command
    .addOption(new Option('-o, --output <format>', 'how to print').choices(FORMATS).default('terminal'))
    .option('-f, --focus <object>', 'put the incident of this object first, e.g. pod/web-0')
    .option('-i, --incident <number>', 'show only this incident', positiveNumber)
    .option('-v, --verbose', 'show all evidence, what was ruled out and what was read');
  return addScreenOptions(command)
    .option('--no-redact', 'show secrets found in the evidence as they are')
    .option('--timing', 'print what the run cost')
    .option('--debug', 'print the stack of a failure');
}

function addScreenOptions(command: Command): Command {
  return command
    .option('-w, --width <columns>', 'wrap at this width', positiveNumber)
    .option('--no-color', 'no colours (NO_COLOR works too)')
    .exitOverride();
}

/** `podcause -o json demo` means the same as `podcause demo -o json`. */
function flagsOf<Flags>(command: Command): Flags {
  const flags: Record<string, unknown> = command.opts();
  const { parent } = command;
  for (const option of command.options) {
    const name = option.attributeName();
    const typedBefore = parent?.getOptionValueSource(name) === 'cli' && command.getOptionValueSource(name) !== 'cli';
    if (typedBefore) flags[name] = parent.getOptionValue(name);
  }
  return flags as Flags;
}

function positiveNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('a whole number from 1 is needed.');
  return number;
}

/** Shell completion is loaded only when a shell asks for it. */
async function completes(program: Command, argv: readonly string[]): Promise<boolean> {
  if (argv[2] !== 'complete') return false;
  const { addCompletion } = await import('./completion.ts');
  await addCompletion(program, argv);
  return true;
}
