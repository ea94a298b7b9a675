import { hostname } from 'node:os';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { type HostRunner, isThisHost, podRunner, savedRunner, shellRunner } from '../fix/runners.ts';
import { DEEP } from './deep.ts';
import { wordNote } from './errors.ts';
import type { HostFlags } from './fix-flags.ts';

/** The way to each host, as the flags allow it. */
export function runnersFor(
  flags: HostFlags & { readonly survey?: readonly string[] },
  port: ClusterPort | undefined,
  mayCreatePods: boolean,
) {
  return (node: string): HostRunner | undefined => {
    const survey = surveyOf(node, flags.survey ?? []);
    if (survey !== undefined) return savedRunner(node, survey);
    if (flags.via !== undefined) return shellRunner(node, flags.via);
    if (flags.here || isThisHost(node)) return shellRunner(node);
    if (port === undefined || !mayCreatePods) return undefined;
    return podRunner(port, node, {
      image: flags.deepImage ?? DEEP.image,
      startSeconds: DEEP.startSeconds,
      onStep: (says) => process.stderr.write(`${wordNote(says)}\n`),
    });
  };
}

/** `NODE=FILE` is for that node, a plain `FILE` for any. */
function surveyOf(node: string, surveys: readonly string[]): string | undefined {
  const named = surveys.find((one) => one.startsWith(`${node}=`));
  return named?.slice(node.length + 1) ?? surveys.find((one) => !/^[a-z0-9.-]+=/.test(one));
}

/** Whether a way to this host leads through a pod. */
export function needsPod(flags: HostFlags, node: string): boolean {
  return flags.via === undefined && !flags.here && !isThisHost(node);
}

export function thisHost(): string {
  return process.env['PODCAUSE_NODE'] ?? hostname();
}
