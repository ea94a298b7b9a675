import type { Cause, Risk } from '../model/cause.ts';
import type { Change } from '../model/change.ts';
import { entityOf, UNKNOWN } from '../model/entity.ts';
import { fixesFor } from '../model/fixes-for.ts';
import type { Incident, Report, ReportFix } from '../model/report.ts';
import { checkChanges, isNodeName } from './check-changes.ts';
import { gravest } from './risk.ts';

/** One incident and the remedy chosen for it. */
export interface Chosen {
  readonly incident: Incident;
  readonly fix: ReportFix;
  /** From 1, as the report lists them. */
  readonly fixNumber: number;
  readonly changes: readonly Change[];
  readonly risk: Risk;
  readonly cause: Cause;
  /** Where host changes are made; the same cause on others is in `alike`. */
  readonly node?: string;
  /** Other nodes with the same cause in the same report. */
  readonly alike: readonly string[];
}

/** Why there is nothing to choose, in words for the user. */
export class NoChoice extends Error {
  override readonly name = 'NoChoice';
}

export interface Wish {
  readonly incident?: number;
  readonly fix?: number;
}

export function chooseFix(report: Report, causes: readonly Cause[], wish: Wish): Chosen {
  const incident = incidentOf(report, wish.incident);
  const cause = causes.find(({ id }) => id === incident.cause);
  if (cause === undefined) throw new NoChoice(`incident ${incident.number} is not in the catalogue, so there is no fix for it.`);
  const index =
    wish.fix !== undefined
      ? wish.fix - 1
      : Math.max(
          0,
          incident.fixes.findIndex(({ changes }) => changes !== undefined),
        );
  const fix = incident.fixes[index];
  if (fix === undefined)
    throw new NoChoice(`incident ${incident.number} has ${incident.fixes.length} fixes; there is no fix ${wish.fix ?? 1}.`);
  const inOrder = fixesFor(cause.fixes, cluesOf(incident));
  const [node, ...others] = nodesOf(incident);
  return {
    incident,
    fix,
    fixNumber: index + 1,
    changes: fix.changes === undefined ? [] : checkChanges(fix.changes),
    // The report may come from anybody: what the catalogue says of the risk counts too.
    risk: gravest([fix.risk, inOrder[index]?.risk ?? fix.risk]),
    cause,
    ...(node !== undefined ? { node } : {}),
    alike: [...new Set([...others, ...report.incidents.filter((other) => other.cause === incident.cause).flatMap(nodesOf)])].filter(
      (other) => other !== node,
    ),
  };
}

/** A saved report may have been changed by hand, so nothing about it is taken for granted. */
function cluesOf({ because }: Incident): ReadonlySet<string> {
  return new Set(Array.isArray(because) ? because.map((reason) => String(reason?.clue)) : []);
}

function incidentOf({ incidents }: Report, wanted: number | undefined): Incident {
  if (incidents.length === 0) throw new NoChoice('there is no incident in this report, so there is nothing to fix.');
  if (wanted === undefined && incidents.length > 1) {
    const list = incidents.map(({ number, title, place }) => `    ${number}  ${title} (${place})`).join('\n');
    throw new NoChoice(`there are ${incidents.length} incidents; choose one with --incident:\n${list}`);
  }
  const found = wanted === undefined ? incidents[0] : incidents.find(({ number }) => number === wanted);
  if (found === undefined) throw new NoChoice(`there is no incident ${wanted}; the report has ${incidents.length}.`);
  return found;
}

/** The node itself, or, where the fault is of a workload or the cluster, the nodes that its pods are on. */
function nodesOf({ placeId, victims }: Incident): readonly string[] {
  const { kind, name } = entityOf(placeId);
  const named = kind === 'Node' ? [name] : victims.flatMap((victim) => victim.node ?? []);
  return [...new Set(named)].filter((node) => node !== UNKNOWN && isNodeName(node));
}
