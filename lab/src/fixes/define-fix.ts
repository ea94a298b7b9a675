import type { LabNode } from '../lab.ts';
import { type FixCase, nodesOf } from './fix-case.ts';
import type { Trial } from './trial.ts';
import { tryFix } from './try-fix.ts';

export function defineFix(fix: FixCase): Trial {
  return {
    scenario: fix.scenario,
    ...(fix.manifest === undefined ? {} : { manifest: fix.manifest }),
    act: async (bench) => {
      await fix.prepare?.(bench.lab);
      try {
        await tryFix(fix, bench);
      } finally {
        for (const name of nodesOf(fix)) await forgetFixes(bench.lab.node(name));
        await fix.tidy?.(bench.lab);
      }
    },
  };
}

/** A trial that failed may have left its fix in place; the next one finds no trace of it. */
async function forgetFixes(node: LabNode): Promise<void> {
  const undoAll = 'for run in /var/lib/podcause/fixes/*/run.sh; do [ ! -f "$run" ] || sh "$run" undo force; done';
  await node.exec(`${undoAll}; rm -rf /var/lib/podcause`, { timeoutSeconds: 300 });
}
