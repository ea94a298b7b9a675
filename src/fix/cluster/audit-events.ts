import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { writeQuery } from './api.ts';
import type { FixRun } from './fix-run.ts';
import { plainLine } from './plain-line.ts';
import { nameOfRef } from './refs.ts';

export type EventReason = 'PodcauseFix' | 'PodcauseUndo';

const LONGEST_NAME = 150;

/** Tells everybody who looks at the object who changed it, and by which fix. A note where it could not be written. */
export async function writeEvent(run: FixRun, index: number, reason: EventReason): Promise<string | undefined> {
  const journalled = run.steps[index];
  if (!journalled) return undefined;
  const { object, says, kind } = journalled.step;
  // Of what is in no namespace, events are in this one.
  const namespace = object.namespace ?? 'default';
  const { id } = run.journal.entry.record;
  const uid = journalled.uid ?? ('uid' in journalled.step ? journalled.step.uid : undefined);
  const time = new Date((run.options.now ?? Date.now)()).toISOString().replace(/\.\d+/, '');
  const body = {
    apiVersion: 'v1',
    kind: 'Event',
    // The same name each time, so that a run that goes on after a cut does not tell it twice.
    metadata: { name: `${nameStart(object.name)}.podcause-${id}-${index}-${reason === 'PodcauseFix' ? 'fix' : 'undo'}`, namespace },
    involvedObject: { apiVersion: object.apiVersion, kind: object.kind, name: object.name, namespace: object.namespace, uid },
    type: 'Normal',
    reason,
    message: messageOf(run, reason, says),
    action: kind,
    source: { component: 'podcause' },
    reportingComponent: 'podcause',
    reportingInstance: id,
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  const why = await sent(run.port, namespace, body);
  return why === undefined ? undefined : `no event could be written on ${nameOfRef(object)}: ${why}`;
}

const MOST_ATTEMPTS = 2;

/** Sent again where the line was cut: what came through all the same is known by its name. */
async function sent(port: ClusterPort, namespace: string, body: unknown): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events${writeQuery(false)}`;
  for (let attempt = 1; ; attempt++) {
    try {
      await port.request({ method: 'POST', path, body, accept: 'application/json' });
      return undefined;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.status === 409) return undefined;
      if (error.status !== undefined || attempt === MOST_ATTEMPTS) return plainLine(error.message);
    }
  }
}

function messageOf(run: FixRun, reason: EventReason, says: string): string {
  const { id, report, who } = run.journal.entry.record;
  const by = reason === 'PodcauseFix' ? who : run.options.holder;
  const what = reason === 'PodcauseFix' ? says : `Taken back: ${says}`;
  return plainLine(`${what}. By ${by}, fix ${id}, report ${report}.`, 1000);
}

/** A part of a name has to end like a whole one. */
function nameStart(name: string): string {
  return name.slice(0, LONGEST_NAME).replace(/[^a-z0-9]+$/, '');
}
