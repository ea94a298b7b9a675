import { CollectError } from '../collect/collect-error.ts';
import { collectPaths } from '../collect/files.ts';
import { diagnose } from '../diagnose.ts';
import type { Collected } from '../model/document.ts';
import type { Report, Victim } from '../model/report.ts';
import { type Format, render } from '../render/index.ts';
import { nearest } from '../text/nearest.ts';
import { EXIT, UsageError, wordNote } from './errors.ts';
import { languageFor } from './language.ts';
import { write } from './output.ts';
import { causesFor } from './own-causes.ts';
import { peakMemoryMb } from './peak-memory.ts';
import { createProgress } from './progress.ts';
import { screen } from './screen.ts';

export interface DiagnoseFlags {
  readonly output: string;
  readonly focus?: string;
  readonly incident?: number;
  readonly verbose?: boolean;
  readonly width?: number;
  readonly color: boolean;
  readonly redact: boolean;
  readonly timing?: boolean;
  readonly lang?: string;
  readonly causes?: string;
}

/** `commands` are what a path that does not exist may have been meant as. */
export async function diagnoseCommand(paths: readonly string[], flags: DiagnoseFlags, commands: readonly string[] = []): Promise<number> {
  const collected = collect(paths, commands);
  if (paths.includes('-') && process.stdin.isTTY) process.stderr.write('Paste the evidence, then end it with Ctrl-D.\n');
  const progress = createProgress(process.stderr);
  try {
    const report = await diagnose(collected.documents, {
      causes: await causesFor(flags),
      unread: collected.unread,
      redact: flags.redact,
      translate: languageFor(flags).translate,
      onProgress: ({ doc, bytes }) => progress.reading(doc, bytes),
      ...(flags.focus ? { focus: flags.focus } : {}),
    });
    progress.done();
    await print(report, flags);
    if (flags.focus && !mentions(report, flags.focus)) {
      process.stderr.write(`${wordNote(`nothing in this report is about ${flags.focus}; the order is the usual one.`)}\n`);
    }
    return exitCodeOf(report);
  } finally {
    progress.done();
  }
}

function collect(paths: readonly string[], commands: readonly string[]): Collected {
  try {
    return collectPaths(paths);
  } catch (error) {
    const [near] = error instanceof CollectError && error.path === paths[0] ? nearest(error.path, commands) : [];
    if (near === undefined || !(error instanceof Error)) throw error;
    throw new UsageError(`${error.message}\n  Did you mean the command podcause ${near}?`, { cause: error });
  }
}

function mentions({ incidents, undecided }: Report, focus: string): boolean {
  const name = focus.slice(focus.indexOf('/') + 1);
  const among = (victims: readonly Victim[]) => victims.some((victim) => victim.name.includes(name));
  return incidents.some(({ place, victims }) => place.includes(name) || among(victims)) || undecided.some(({ victims }) => among(victims));
}

export async function print(report: Report, flags: DiagnoseFlags): Promise<void> {
  const { incident } = flags;
  if (incident !== undefined && !report.incidents.some(({ number }) => number === incident)) {
    throw new UsageError(`there is no incident ${incident}; the report has ${report.incidents.length}.`);
  }
  const text = render(flags.output === 'terminal' ? report : narrowed(report, incident), flags.output as Format, {
    ...screen(process.stdout, flags),
    verbose: flags.verbose ?? false,
    say: languageFor(flags).say,
    ...(incident !== undefined ? { incident } : {}),
  });
  await write(text.endsWith('\n') ? text : `${text}\n`);
  if (flags.timing) process.stderr.write(`${JSON.stringify(costOf(report))}\n`);
}

/** The terminal opens one incident among the others by itself; elsewhere the others are left out. */
function narrowed(report: Report, incident: number | undefined): Report {
  if (incident === undefined) return report;
  return { ...report, incidents: report.incidents.filter(({ number }) => number === incident), undecided: [] };
}

function costOf({ timings, coverage }: Report) {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    bytes: coverage.bytes,
    lines: coverage.lines,
    facts: timings.facts,
    lookups: timings.lookups,
    milliseconds: timings.milliseconds,
    cpuMilliseconds: Math.round((userCPUTime + systemCPUTime) / 1000),
    maxRssMb: peakMemoryMb(),
  };
}

export function exitCodeOf(report: Report): number {
  return EXIT[report.verdict];
}
