import { type Command, Option } from 'commander';
import { durationInSeconds } from './durations.ts';
import { addClusterOptions, addFixOptions, addHostOptions, type FixFlags, positiveNumber } from './fix-flags.ts';
import type { UndoFlags } from './undo-command.ts';
import type { VerifyFlags } from './verify-command.ts';

const FIX_EXAMPLES = `
Examples:
  podcause fix                                      the plan for the one incident of the cluster
  podcause fix report.json -i 2                     for an incident of a saved report
  podcause fix --apply                              asks once per risk, does it, watches, says whether it helped
  podcause fix --apply --yes=restarts-pods          unattended up to that risk
  podcause fix --set image=shop/web:1.4 --apply     a value only you know
  podcause fix --all-nodes --wave 3 --apply         one node first, then three at a time
  podcause fix -o script --via 'ssh {node} sudo'    one shell script for the host, to be reviewed and run there
  podcause fix report.json -o survey > look.sh      hosts out of reach: somebody runs this there, it only reads, and
  podcause fix report.json --survey look.txt -o script > fix.sh    what it printed is enough for the script
  podcause fix -o kustomize                         a patch for the repository that owns the object

Exit codes: 0 shown or fixed, 1 not fixed, 2 not known or not all can be done, 3 podcause failed.`;

/** Commands that may change something; each is loaded only when it is called. */
export function addFixCommands(
  program: Command,
  addScreenOptions: (command: Command) => Command,
  flagsOf: <Flags>(command: Command) => Flags,
  exitWith: (code: number) => void,
): void {
  addScreenOptions(
    addFixOptions(
      program
        .command('fix')
        .description('Show how to fix an incident; with --apply do it, prove it, and keep a way back')
        .argument('[what]', 'a saved report, evidence, or pod/NAME; nothing for the whole cluster'),
    ),
  )
    .addHelpText('after', FIX_EXAMPLES)
    .action(async (what: string | undefined, _, command: Command) => {
      const { fixCommand } = await import('./fix-command.ts');
      exitWith(await fixCommand(what, flagsOf<FixFlags>(command)));
    });

  addScreenOptions(
    addHostOptions(addClusterOptions(program.command('verify').description('Ask the causes of a saved report again: are they gone?'))),
  )
    .argument('<report>', 'written by podcause -o json')
    .option('-i, --incident <number>', 'only this incident', positiveNumber)
    .option('--quiet-time <duration>', 'how long the trouble has to stay away; one look unless given', durationInSeconds)
    .option('--causes <folder>', 'causes of your own beside the built-in ones')
    .addOption(new Option('--yes <risk>', 'do not ask up to this risk').choices(['touches-node']))
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['terminal', 'json']).default('terminal'))
    .action(async (report: string, _, command: Command) => {
      const { verifyCommand } = await import('./verify-command.ts');
      exitWith(await verifyCommand(report, flagsOf<VerifyFlags>(command)));
    });

  addScreenOptions(
    addHostOptions(addClusterOptions(program.command('undo').description('List the fixes that were made, or take one back'))),
  )
    .argument('[id]', 'the fix; nothing lists them')
    .option('--node <name>', 'the journal of this host; this machine unless given')
    .option('--apply', 'take it back; without it the fix is only shown')
    .option('--force', 'also files that somebody changed since')
    .addOption(new Option('--yes <risk>', 'do not ask up to this risk').choices(['touches-node', 'restarts-pods']))
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['terminal', 'json']).default('terminal'))
    .action(async (id: string | undefined, _, command: Command) => {
      const { undoCommand } = await import('./undo-command.ts');
      exitWith(await undoCommand(id, flagsOf<UndoFlags>(command)));
    });
}
