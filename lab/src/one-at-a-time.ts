import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, knownProcesses, rememberProcess } from './processes.ts';
import type { Paths } from './settings.ts';
import { LabUnavailable } from './up.ts';

/** Two commands in one lab would end each other's nodes: the second is refused as long as the first runs. */
export async function whileAlone<T>({ state }: Pick<Paths, 'state'>, work: () => Promise<T>): Promise<T> {
  const folder = join(state, 'command');
  const other = knownProcesses(folder).find((one) => one.pid !== process.pid && isAlive(one));
  if (other) throw new LabUnavailable(`another command of the lab is under way (pid ${other.pid})`);
  // Without root nothing can be noted, and nothing be done: the command itself says what is missing.
  if (process.getuid?.() === 0) rememberProcess(folder, 'lab', process.pid);
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
