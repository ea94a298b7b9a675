import { existsSync, readFileSync, statSync } from 'node:fs';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { collectPaths } from '../collect/files.ts';
import { diagnose } from '../diagnose.ts';
import { BadReport, readSavedReport } from '../fix/saved-report.ts';
import { diagnoseLive } from '../live/diagnose-live.ts';
import { parseTarget } from '../live/targets.ts';
import type { Cause } from '../model/cause.ts';
import type { Report } from '../model/report.ts';
import { UsageError } from './errors.ts';
import { portIfAny } from './fix-journals.ts';
import { languageFor } from './language.ts';
import type { ClusterFlags } from './live-flags.ts';
import { openPort } from './open-port.ts';
import { createProgress } from './progress.ts';

/** What is to be fixed, and the cluster it is in where there is one. */
export interface Source {
  readonly report: Report;
  readonly port?: ClusterPort;
}

const REPORT_BYTES = 256 << 20;

/** A saved report, evidence, an object of the cluster, or the whole of it. */
export async function sourceOf(
  what: string | undefined,
  flags: ClusterFlags & { readonly lang?: string },
  causes: readonly Cause[],
): Promise<Source> {
  if (what === undefined || (!existsSync(what) && parseTarget(what) !== undefined)) return liveSource(what, flags, causes);
  const saved = savedReport(what);
  const report = saved ?? (await diagnose(collectPaths([what]).documents, { causes, translate: languageFor(flags).translate }));
  // Only the cluster that a report is about may be changed by it.
  const port = saved?.source === undefined ? undefined : await portIfAny(flags);
  if (port !== undefined && saved?.source !== undefined && port.server !== saved.source.server) {
    port.close();
    throw new UsageError(
      `${what} is about ${saved.source.server}, but the current context leads to ${port.server}.\n  Choose its context with --context.`,
    );
  }
  return { report, ...(port ? { port } : {}) };
}

/** Undefined where the file is evidence and no report. */
export function savedReport(path: string): Report | undefined {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}.`);
  if (!statSync(path).isFile() || statSync(path).size > REPORT_BYTES) return undefined;
  const text = readFileSync(path, 'utf8');
  if (!/^\s*\{/.test(text) || !text.includes('"podcause"')) return undefined;
  try {
    return readSavedReport(text);
  } catch (error) {
    if (error instanceof BadReport) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

async function liveSource(
  what: string | undefined,
  flags: ClusterFlags & { readonly lang?: string },
  causes: readonly Cause[],
): Promise<Source> {
  const port = await openPort(flags);
  const target = what === undefined ? undefined : parseTarget(what);
  const namespace = flags.namespace ?? (target !== undefined && target.kind !== 'Node' ? port.namespace : undefined);
  const progress = createProgress(process.stderr);
  try {
    const { report } = await diagnoseLive(port, {
      causes,
      translate: languageFor(flags).translate,
      scope: { ...(namespace !== undefined ? { namespace } : {}), ...(target?.kind === 'Node' ? { node: target.name } : {}) },
      mayNarrow: true,
      ...(target ? { about: target } : {}),
      onStep: (says) => progress.step(says),
    });
    return { report, port };
  } catch (error) {
    port.close();
    throw error;
  } finally {
    progress.done();
  }
}
