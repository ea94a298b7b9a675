import type { ClusterScope } from '../collect/cluster/lists.ts';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { UsageError } from './errors.ts';
import type { LiveFlags } from './live-flags.ts';

export async function checkCommand(_port: ClusterPort, _scope: ClusterScope, _flags: LiveFlags): Promise<number> {
  throw new UsageError('not there yet');
}
