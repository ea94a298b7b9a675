import type { HostRunner } from '../fix/runners.ts';
import { watch } from '../fix/watch.ts';
import { entityOf } from '../model/entity.ts';
import type { Incident } from '../model/report.ts';
import { EXIT, UsageError, wordNote } from './errors.ts';
import { consent } from './fix-consent.ts';
import type { FixFlags } from './fix-flags.ts';
import { needsPod, runnersFor } from './fix-hosts.ts';
import { lookerFor } from './fix-look.ts';
import { outcomeOf } from './fix-outcome.ts';
import { printOutcome } from './fix-print.ts';
import { savedReport } from './fix-source.ts';
import { openPort } from './open-port.ts';
import { causesFor } from './own-causes.ts';

export interface VerifyFlags extends Omit<FixFlags, 'output'> {
  readonly output: 'terminal' | 'json';
}

/** What was written down between the report and the fix shows at first; what still goes on shows again within this time. */
const AGAIN_SECONDS = 30;

/** Whether the incidents of a report are gone, whoever fixed them: each cause is asked again. */
export async function verifyCommand(path: string, flags: VerifyFlags): Promise<number> {
  const report = savedReport(path);
  if (report === undefined) throw new UsageError(`${path} is no report of podcause; one is written by: podcause -o json > report.json`);
  const incidents = report.incidents.filter(({ number }) => flags.incident === undefined || number === flags.incident);
  if (incidents.length === 0) throw new UsageError(`there is no incident ${flags.incident ?? ''} in ${path}.`);
  const causes = await causesFor(flags);
  const port =
    report.source === undefined && flags.context === undefined && flags.kubeconfig === undefined ? undefined : await openPort(flags);
  try {
    let worst: number = EXIT.healthy;
    for (const incident of incidents) {
      const quietSeconds = flags.quietTime ?? 0;
      const runners = await runnersOf(incident, flags, port !== undefined, () => runnersFor(flags, port, flags.deep === true));
      const look = lookerFor({
        incident,
        causes,
        runners,
        ...(port ? { port } : {}),
        ...(report.source ? { since: Date.parse(report.source.takenAt) } : {}),
      });
      const watched = await watch(look, { quietSeconds, patienceSeconds: Math.max(quietSeconds, AGAIN_SECONDS), everySeconds: 10 });
      const outcome = { ...outcomeOf({ id: '', incident, watched, steps: [] }), id: String(incident.number) };
      await printOutcome(outcome, flags);
      const code = outcome.outcome === 'fixed' ? EXIT.healthy : outcome.outcome === 'unknown' ? EXIT.undecided : EXIT.found;
      worst = worst === EXIT.found ? worst : Math.max(worst === EXIT.healthy ? 0 : worst, code === EXIT.found ? EXIT.found : code);
    }
    return worst;
  } finally {
    port?.close();
  }
}

/** A host is read only where there is a way that needs no asking, or it was allowed. */
async function runnersOf(
  { placeId }: Incident,
  flags: VerifyFlags,
  isLive: boolean,
  runners: () => (node: string) => HostRunner | undefined,
): Promise<readonly HostRunner[]> {
  const { kind, name } = entityOf(placeId);
  if (kind !== 'Node') return [];
  if (isLive && needsPod(flags, name)) {
    if (!flags.deep) {
      process.stderr.write(`${wordNote(`the host of ${name} is not read; --deep or --via would.`)}\n`);
      return [];
    }
    if (
      !(await consent(`podcause would create a short-lived privileged pod on ${name} to read its host. Go on`, 'touches-node', flags.yes))
    )
      return [];
  }
  const runner = runners()(name);
  return runner === undefined ? [] : [runner];
}
