import { podId } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';
import type { ReadingOptions } from './object-reading.ts';

const SELECTING = /\s(?:-l|--selector|--field-selector)[\s=]|\|\s*(?:jq|yq|grep|head|tail|awk|sed)\b/;
const NAMED_POD = /\bget\s+(?:-\S+\s+){0,8}(?:po|pods?)(?:\s+|\/)(?<name>[a-z0-9][-a-z0-9.]{0,252})(?=\s|$)/;
const NAMED = /\bget\s+(?:-\S+\s+){0,8}[a-z]+(?:\s+|\/)[a-z0-9]/;

/** What the surroundings of a text tell about the objects in it. */
export function optionsOf(context: Context): ReadingOptions {
  const command = (context.command ?? '').slice(0, 2000);
  const name = NAMED_POD.exec(command)?.groups?.['name'];
  const now = context.takenAt;
  const pod = context.pod ?? (name === undefined ? undefined : podId(context.namespace, name));
  return {
    ...(context.namespace === undefined ? {} : { namespace: context.namespace }),
    ...(now === undefined ? {} : { now }),
    ...(isComplete(context.doc, now) ? { complete: true } : {}),
    ...(pod === undefined ? {} : { pod }),
    ...(context.node === undefined ? {} : { node: context.node }),
    ...(SELECTING.test(command) || NAMED.test(command) ? { selected: true } : {}),
  };
}

/** Whether it is the list of all pods in the scope, as a collector of ours names it. */
export function isComplete(doc: string, takenAt: number | undefined): boolean {
  return takenAt !== undefined && /(?:^|\/)cluster\/pods\.json$/.test(doc);
}

const QUOTED = /^ {0,3}> ?/;

/** Lines of a mail or forum quote without its marks; line numbers stay. */
export function unquoted(lines: readonly string[], from: number): readonly string[] {
  if (!QUOTED.test(lines[from] ?? '')) return lines;
  const plain = lines.slice();
  for (let index = from; index < plain.length; index++) {
    const line = plain[index] ?? '';
    if (!QUOTED.test(line)) {
      plain.length = index;
      break;
    }
    plain[index] = line.replace(QUOTED, '');
  }
  return plain;
}
