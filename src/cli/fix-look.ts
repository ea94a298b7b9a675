import type { ClusterPort } from '../collect/cluster/port.ts';
import { hostScript } from '../collect/node/host-script.ts';
import { openDiagnosis, type TextDocument } from '../diagnose.ts';
import { lookAgain } from '../fix/judge.ts';
import type { HostRunner } from '../fix/runners.ts';
import type { Looker } from '../fix/watch.ts';
import { diagnoseLive } from '../live/diagnose-live.ts';
import type { Cause } from '../model/cause.ts';
import type { Incident } from '../model/report.ts';
import { wordNote } from './errors.ts';

export interface LookInput {
  readonly incident: Incident;
  readonly causes: readonly Cause[];
  readonly port?: ClusterPort;
  /** Hosts to read in a whole look. */
  readonly runners: readonly HostRunner[];
  /** What happened before does not count; epoch milliseconds. */
  readonly since?: number;
}

/** Collects again what the cause rests on, and asks the cause. */
export function lookerFor({ incident, causes, port, runners, since }: LookInput): Looker {
  return async (whole, from = since) => {
    const notBefore = from === undefined ? {} : { notBefore: from };
    const more = whole || port === undefined ? await hostDocuments(runners) : [];
    if (port !== undefined)
      return lookAgain(incident, await diagnoseLive(port, { causes, scope: {}, mayNarrow: true, more, ...notBefore }));
    const diagnosis = openDiagnosis({ causes, ...notBefore });
    await diagnosis.read(more);
    const thought = diagnosis.think();
    return lookAgain(incident, { thought, report: diagnosis.report(thought) });
  };
}

async function hostDocuments(runners: readonly HostRunner[]): Promise<TextDocument[]> {
  const documents: TextDocument[] = [];
  for (const { node, read } of runners) {
    try {
      const text = await read(`PODCAUSE_NODE='${node}'\nexport PODCAUSE_NODE\n${hostScript()}`);
      documents.push({ name: `nodes/${node}/host.txt`, text });
    } catch (error) {
      process.stderr.write(`${wordNote(`${node} could not be read again: ${error instanceof Error ? error.message : String(error)}`)}\n`);
    }
  }
  return documents;
}
