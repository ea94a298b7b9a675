import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Risk } from '../model/cause.ts';
import { durationInSeconds } from './durations.ts';
import type { ClusterFlags } from './live-flags.ts';

const RISKS = ['reads-only', 'restarts-pods', 'moves-pods', 'touches-node'] as const;
export const FIX_FORMATS = ['terminal', 'json', 'patch', 'kustomize', 'script', 'ansible', 'survey'] as const;

export interface HostFlags {
  readonly via?: string;
  readonly here?: boolean;
  readonly deep?: boolean;
  readonly deepImage?: string;
}

export interface FixFlags extends ClusterFlags, HostFlags {
  readonly output: (typeof FIX_FORMATS)[number];
  readonly incident?: number;
  readonly fix?: number;
  readonly node?: string;
  readonly set: readonly string[];
  readonly survey: readonly string[];
  readonly apply?: boolean;
  readonly yes?: Risk;
  readonly allNodes?: boolean;
  readonly wave: number;
  readonly drain?: boolean;
  readonly despiteOwner?: boolean;
  readonly quietTime?: number;
  readonly verify: boolean;
  readonly resume?: string | true;
  readonly causes?: string;
  readonly width?: number;
  readonly color: boolean;
  readonly lang?: string;
}

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('a whole number from 1 is needed.');
  return number;
}

function gathered(text: string, before: readonly string[]): readonly string[] {
  if (!/^[\w.-]+=/.test(text)) throw new InvalidArgumentError('NAME=VALUE is needed.');
  return [...before, text];
}

export function addClusterOptions(command: Command): Command {
  return command
    .option('-n, --namespace <name>', 'look at this namespace only')
    .option('--context <name>', 'kubeconfig context to use')
    .option('--kubeconfig <path>', 'kubeconfig file to use')
    .option('--timeout <duration>', 'give up a request after this long', durationInSeconds)
    .option('--lang <code>', 'language of the plan, e.g. zh; LANG decides unless given')
    .option('--debug', 'print the stack of a failure');
}

/** The ways to a host; all of them run the same script there. */
export function addHostOptions(command: Command): Command {
  return command
    .option('--here', 'this machine is the node')
    .option('--via <command>', "reach a node's root shell by this command, e.g. 'ssh {node} sudo'")
    .option('--deep', 'reach hosts through short-lived privileged pods, also for the plan alone; asks before it creates them')
    .option('--deep-image <image>', 'image with chroot for those pods');
}

export function addFixOptions(command: Command): Command {
  return addHostOptions(addClusterOptions(command))
    .option('-i, --incident <number>', 'fix this incident', positiveNumber)
    .option('--fix <number>', 'take this of its fixes instead of the first that can be made', positiveNumber)
    .option('--node <name>', 'change the host of this node, where the report does not name it')
    .option('--set <name=value>', 'a value only you know, e.g. image=shop/web:1.4; may be given again', gathered, [])
    .option(
      '--survey <file>',
      'what the script of -o survey printed on the host; NODE=FILE for several',
      (file, before) => [...before, file],
      [] as readonly string[],
    )
    .option('--apply', 'do it: asks once per risk; without it the plan is only shown')
    .addOption(new Option('--yes <risk>', 'do not ask up to this risk; what may lose data is always asked').choices(RISKS))
    .option('--all-nodes', 'every node with the same cause: one first, then the others in waves')
    .option('--wave <nodes>', 'so many nodes at a time after the first', positiveNumber, 1)
    .option('--drain', 'move pods off a node before it is changed')
    .option('--despite-owner', 'change objects that Helm, Argo CD, Flux or an operator manages all the same')
    .option('--quiet-time <duration>', 'how long the trouble has to stay away, e.g. 2m', durationInSeconds)
    .option('--no-verify', 'do not watch whether it helped')
    .option('--resume [id]', 'finish a fix that was interrupted')
    .option('--causes <folder>', 'causes of your own beside the built-in ones')
    .addOption(new Option('-o, --output <format>', 'how to print the plan').choices(FIX_FORMATS).default('terminal'));
}
