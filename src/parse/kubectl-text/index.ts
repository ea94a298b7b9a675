import type { BlockReader } from '../../model/reading.ts';
import { CLIENT_ERROR_SIGN, clientErrorReader } from './client-errors.ts';
import { customEventsReader } from './custom-events.ts';
import { describeNodeReader, describeOtherReader, describePodReader } from './describe.ts';
import { quotaReader } from './describe-quota.ts';
import { eventRowsReader } from './events-reader.ts';
import { componentStatusReader } from './get-component-status.ts';
import { eventListReader } from './get-events.ts';
import { nodesReader } from './get-nodes.ts';
import { objectsReader } from './get-objects.ts';
import { podsReader } from './get-pods.ts';
import { topReader } from './get-top.ts';
import { workloadsReader } from './get-workloads.ts';
import { canIReader, rolloutReader } from './rollout-status.ts';

/** Signs without which no block of a kind starts: most lines of a log are told off by them alone. */
const FIELD = /^[^A-Za-z]{0,60}[A-Za-z0-9][\w ()/.-]{0,254}:(?:\s|$)/;
const EVENT = /Normal|Warning|Reason\s|Events:/;
const HEADER = /NAME|LAST|FIRST/;
const TOP = /CPU\(cores\)|\d\s|<unknown>/;
const ANSWER = /^\s*(?:yes|no)\b/;
const ROLLOUT = /Waiting for |successfully rolled out|rolling update complete/;
const COMPONENT = /MESSAGE|ealthy|Unknown/;
const READY = /NAME|\d\/\d|Ready|Unknown/;

/** Names what was read as a piece of the document. */
function recorded(reader: BlockReader, sign: RegExp): BlockReader {
  return {
    what: reader.what,
    read: (lines, from, context, sink) => {
      const line = lines[from];
      if (line === undefined || !sign.test(line)) return from;
      const next = reader.read(lines, from, context, sink);
      if (next > from) sink.piece({ doc: context.doc, lines: [from + 1, next], what: reader.what });
      return next;
    },
  };
}

/** Readers of what kubectl prints for people, the most particular first. */
export const kubectlTextReaders: readonly BlockReader[] = [
  recorded(describePodReader, FIELD),
  recorded(describeNodeReader, FIELD),
  recorded(describeOtherReader, FIELD),
  recorded(quotaReader, /\bHard\b/),
  recorded(eventRowsReader, EVENT),
  recorded(eventListReader, new RegExp(`${EVENT.source}|${HEADER.source}`)),
  recorded(customEventsReader, /\bREASON\b/),
  recorded(clientErrorReader, CLIENT_ERROR_SIGN),
  recorded(rolloutReader, ROLLOUT),
  recorded(canIReader, ANSWER),
  recorded(topReader, TOP),
  recorded(componentStatusReader, COMPONENT),
  recorded(podsReader, READY),
  recorded(nodesReader, READY),
  recorded(workloadsReader, HEADER),
  recorded(objectsReader, HEADER),
];
