import type { Context } from '../../model/reading.ts';
import { contextOfFile } from '../context.ts';
import { contextOfPath } from '../objects/paths.ts';
import { contextOfRancher } from './rancher.ts';
import { contextOfSos } from './sos.ts';
import { contextOfLonghorn, contextOfMustGather, contextOfTroubleshoot } from './support-bundle.ts';

const LAYOUTS = [contextOfTroubleshoot, contextOfSos, contextOfRancher, contextOfMustGather, contextOfLonghorn] as const;
const LONGEST = 4096;

/** What is known about a document before its first line: by the archive it lies in, else by its own name. */
export function contextOfDocument(name: string): Context {
  const path = name.slice(-LONGEST).replaceAll('\\', '/').replace(/\.gz$/, '');
  const own = contextOfFile(path);
  const errors = /-logs-errors\.log$/.test(path);
  const log = errors ? {} : contextOfPath(path);
  if (log.pod !== undefined) return { doc: name, ...own, ...log };
  for (const contextOf of LAYOUTS) {
    const known = contextOf(path);
    if (known === undefined) continue;
    // The output of a command is no log, whatever its file is called.
    return known.command === undefined ? { doc: name, ...own, ...known } : { doc: name, ...known };
  }
  return { doc: name, ...own };
}
