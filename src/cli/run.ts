import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { parseTarget } from '../live/targets.ts';
import { TOOL_VERSION } from '../model/tool-version.ts';
import { inertLines } from '../render/inert.ts';
import { CAUSES_FORMATS, type CausesFlags, causesCommand } from './causes-command.ts';
import type { CollectFlags } from './collect-command.ts';
import { type DemoFlags, demoCommand } from './demo-command.ts';
import { type DiagnoseFlags, diagnoseCommand } from './diagnose-command.ts';
import { durationInSeconds } from './durations.ts';
import { EXIT, UsageError, wordError } from './errors.ts';
import { EXPLAIN_FORMATS, type ExplainFlags } from './explain-command.ts';
import { addFixCommands } from './fix-commands.ts';
import type { LiveFlags } from './live-flags.ts';
import type { NodeFlags } from './node-command.ts';

const FORMATS = ['terminal', 'json', 'yaml', 'markdown', 'html'];

const EXAMPLES = `
Examples:
  podcause                                          the cluster of the current context
  podcause -n shop                                  one namespace of it
  podcause pod/web-0 -n shop                        one pod; deploy/NAME and node/NAME too
  podcause --deep                                   down to the hosts of suspect nodes; asks first
  podcause collect                                  the same evidence as one redacted .tgz
  podcause node                                     on a host: what only the host knows
  kubectl describe pod web-0 | podcause -           from a pipe
  podcause pods.txt kubelet.log config.toml         from files
  podcause ./bundle support.tgz                     from folders and archives
  podcause -o html evidence/ > report.html          one self-contained page
  podcause -o json evidence/ | jq .incidents        for scripts
  podcause fix                                      what would be changed, and how it is undone
  podcause fix --apply                              does it, proves it; podcause undo takes it back
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

  addLiveOptions(
    addDiagnoseOptions(
      program.argument(
        '[what...]',
        'files, folders, archives (.gz .tar .tgz .zip), - for standard input, or pod/NAME; nothing for the whole cluster',
      ),
    ),
  ).action(async (what: string[], _, command: Command) => exitWith(await defaultCommand(what, flagsOf<LiveFlags>(command), commands())));

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

  addDiagnoseOptions(program.command('node').description('Diagnose the host it runs on: what only the host knows'))
    .option('--evidence', 'print what was read, for podcause --stdin elsewhere')
    .option('--script', 'print a shell script that reads the same on a host without Node.js')
    .action(async (_, command: Command) => {
      const { nodeCommand } = await import('./node-command.ts');
      exitWith(await nodeCommand(flagsOf<NodeFlags>(command)));
    });

  addLiveOptions(
    addDiagnoseOptions(
      program
        .command('collect')
        .description('Write the evidence of a live cluster to one redacted .tgz')
        .argument('[object]', 'pod/NAME, deploy/NAME or node/NAME; nothing for the whole cluster'),
    ),
  )
    .option('--file <path>', 'where to write it')
    .option('--force', 'overwrite a file that is there')
    .action(async (object: string | undefined, _, command: Command) => {
      const { collectCommand } = await import('./collect-command.ts');
      exitWith(await collectCommand(object === undefined ? [] : [object], flagsOf<CollectFlags>(command)));
    });

  addScreenOptions(
    program
      .command('causes')
      .description('List the causes podcause knows, or explain one')
      .argument('[id]', 'a cause id, or `test` and the folder of your own causes')
      .argument('[folder]', 'with test: the folder')
      .option('--causes <folder>', 'causes of your own beside the built-in ones')
      .addOption(new Option('-o, --output <format>', 'how to print').choices(CAUSES_FORMATS).default('terminal')),
  ).action(async (id: string | undefined, folder: string | undefined, _, command: Command) =>
    exitWith(await causesCommand(id, folder, flagsOf<CausesFlags>(command))),
  );
  addScreenOptions(
    program
      .command('explain')
      .description('Explain one line, reason, exit code or status, offline')
      .argument('<text...>', "e.g. CrashLoopBackOff, 'exit code 137', or a whole line")
      .addOption(new Option('-o, --output <format>', 'how to print').choices(EXPLAIN_FORMATS).default('terminal')),
  ).action(async (words: string[], _, command: Command) => {
    const { explainCommand } = await import('./explain-command.ts');
    exitWith(await explainCommand(words, flagsOf<ExplainFlags>(command)));
  });
  addFixCommands(program, addScreenOptions, flagsOf, exitWith);
  return program;
}

function addLiveOptions(command: Command): Command {
  return command
    .option('-n, --namespace <name>', 'look at this namespace only')
    .option('-A, --all-namespaces', 'look at all namespaces, and fail where that is forbidden')
    .option('--context <name>', 'kubeconfig context to use')
    .option('--kubeconfig <path>', 'kubeconfig file to use')
    .option('-l, --selector <labels>', 'only pods with these labels, e.g. app=web')
    .option('--since <duration>', 'events, logs and journals of this long only, e.g. 30m', durationInSeconds)
    .option('--timeout <duration>', 'give up a request after this long', durationInSeconds)
    .option('--plan', 'show what would be asked of the cluster, and stop')
    .option('--check', 'show what you may and may not see in the cluster')
    .option('--deep', 'read the hosts of suspect nodes through short-lived privileged pods; asks before it creates them')
    .option('--deep-image <image>', 'image with chroot for those pods')
    .option('-y, --yes', 'do not ask')
    .option('--stdin', 'read standard input as more evidence, e.g. of podcause node --evidence');
}

/** A word that names a file is that file; one that names an object is looked up in the cluster. */
async function defaultCommand(what: readonly string[], flags: LiveFlags, commands: readonly string[]): Promise<number> {
  const isLive = what.length === 0 || what.every((word) => parseTarget(word) !== undefined && !existsSync(word));
  if (isLive) return (await import('./live-command.ts')).liveCommand(what, flags);
  const given = CLUSTER_FLAGS.find((flag) => flags[flag] !== undefined);
  if (given !== undefined) {
    throw new UsageError(
      `${what.join(' ')} is read without a cluster, so --${given} means nothing here.\n  Leave the path out to look at the cluster.`,
    );
  }
  return diagnoseCommand(what, flags, commands);
}

const CLUSTER_FLAGS = ['namespace', 'context', 'kubeconfig', 'selector', 'since', 'plan', 'check', 'deep', 'stdin'] as const;

function addDiagnoseOptions(command: Command): Command {
  command
    .addOption(new Option('-o, --output <format>', 'how to print').choices(FORMATS).default('terminal'))
    .option('-f, --focus <object>', 'put the incident of this object first, e.g. pod/web-0')
    .option('-i, --incident <number>', 'show only this incident', positiveNumber)
    .option('-v, --verbose', 'show all evidence, what was ruled out and what was read');
  return addScreenOptions(command)
    .option('--causes <folder>', 'causes of your own beside the built-in ones')
    .option('--lang <code>', 'language of the report, e.g. zh; LANG decides unless given')
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
