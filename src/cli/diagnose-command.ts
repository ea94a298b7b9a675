import { collectPaths } from '../collect/files.ts';
import { diagnose } from '../diagnose.ts';
import type { Report } from '../model/report.ts';
import { type Format, render } from '../render/index.ts';
import { EXIT, UsageError } from './errors.ts';
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
}

export async function diagnoseCommand(paths: readonly string[], flags: DiagnoseFlags): Promise<number> {
  if (paths.length === 0) {
    throw new UsageError(
      'nothing to look at.\n  Give files, folders or archives, or - for standard input:\n    kubectl describe pod NAME | podcause -\n  Without a cluster at hand: podcause demo',
    );
  }
  const progress = createProgress(process.stderr);
  const collected = collectPaths(paths);
  try {
    const report = await diagnose(collected.documents, {
      unread: collected.unread,
      redact: flags.redact,
      onProgress: ({ doc, bytes }) => progress.reading(doc, bytes),
      ...(flags.focus ? { focus: flags.focus } : {}),
    });
    progress.done();
    await print(report, flags);
    return exitCodeOf(report);
  } finally {
    progress.done();
  }
}

export async function print(report: Report, flags: DiagnoseFlags): Promise<void> {
  if (flags.incident !== undefined && !report.incidents.some(({ number }) => number === flags.incident)) {
    throw new UsageError(`there is no incident ${flags.incident}; the report has ${report.incidents.length}.`);
  }
  const text = render(report, flags.output as Format, {
    ...screen(process.stdout, flags),
    verbose: flags.verbose ?? false,
    ...(flags.incident !== undefined ? { incident: flags.incident } : {}),
  });
  await write(text.endsWith('\n') ? text : `${text}\n`);
  if (flags.timing) {
    const { milliseconds, lookups, facts } = report.timings;
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cost = {
      bytes: report.coverage.bytes,
      lines: report.coverage.lines,
      facts,
      lookups,
      milliseconds,
      cpuMilliseconds: Math.round((userCPUTime + systemCPUTime) / 1000),
      maxRssMb: Math.round(maxRSS / 1024),
    };
    process.stderr.write(`${JSON.stringify(cost)}\n`);
  }
}

/** A closed pipe (`| head`) is no failure. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)));
    process.stdout.write(text, () => resolve());
  });
}

export function exitCodeOf(report: Report): number {
  return EXIT[report.verdict];
}
