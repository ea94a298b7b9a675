import type { Condition } from '../scenario.ts';
import { isNodeReady } from '../up.ts';

export function nodeIsReady(name: string, withinSeconds = 120): Condition {
  return { what: `${name} is Ready`, withinSeconds, holds: (lab) => isNodeReady(lab, name) };
}
