import { createInterface } from 'node:readline/promises';
import { type Had, NOTHING } from '../collect/cluster/had.ts';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { readHosts } from '../collect/cluster/read-host.ts';
import { hostScript } from '../collect/node/host-script.ts';
import type { Suspects } from '../live/suspects.ts';
import { UsageError, wordNote } from './errors.ts';
import type { LiveFlags } from './live-flags.ts';

export const DEEP = { image: 'busybox:1.36', startSeconds: 45, runSeconds: 120, nodes: 3 } as const;

export function deepScript(): string {
  return hostScript();
}

/** Reads the hosts of suspect nodes and a healthy twin, once the user has said yes. */
export function deepReader(port: ClusterPort, flags: LiveFlags): (suspects: Suspects) => Promise<Had> {
  return async ({ nodes, twin }) => {
    const chosen = [...nodes.slice(0, DEEP.nodes), ...(twin === undefined ? [] : [twin])];
    if (chosen.length === 0) {
      process.stderr.write(`${wordNote('no node is under suspicion, so --deep had nothing to read.')}\n`);
      return NOTHING;
    }
    if (!(await allowed(chosen, flags))) return NOTHING;
    const stopped = new AbortController();
    const stop = () => stopped.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    try {
      return await readHosts(port, chosen, {
        image: flags.deepImage ?? DEEP.image,
        script: deepScript(),
        startSeconds: DEEP.startSeconds,
        runSeconds: DEEP.runSeconds,
        signal: stopped.signal,
        onStep: (says) => process.stderr.write(`${wordNote(says)}\n`),
      });
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop);
    }
  };
}

async function allowed(nodes: readonly string[], flags: LiveFlags): Promise<boolean> {
  const question = `create a privileged pod for up to ${DEEP.startSeconds + DEEP.runSeconds} s on ${nodes.join(', ')}, in a namespace of its own that is removed afterwards (${flags.deepImage ?? DEEP.image})`;
  if (flags.yes) return true;
  if (!process.stdin.isTTY || flags.stdin) {
    throw new UsageError(`--deep would ${question}.\n  There is nobody to ask here: say yes with --yes, or see it all with --plan.`);
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(`podcause would ${question}. Go on? [y/N] `)).trim());
  } finally {
    asking.close();
  }
}
