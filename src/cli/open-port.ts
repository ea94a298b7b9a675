import type { ClusterPort } from '../collect/cluster/port.ts';
import { UsageError } from './errors.ts';
import { keepMemoryLean } from './lean-memory.ts';
import type { ClusterFlags } from './live-flags.ts';

const TIMEOUT_SECONDS = 30;

/** The way to the cluster; what it needs is loaded only here, since files are read without it. */
export async function openPort(flags: ClusterFlags): Promise<ClusterPort> {
  keepMemoryLean();
  const { openCluster } = await import('../collect/cluster/access.ts');
  try {
    return await openCluster(accessOf(flags));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`${error.message}\n  ${WITHOUT_A_CLUSTER}`, { cause: error });
  }
}

const WITHOUT_A_CLUSTER = `Without a cluster at hand, give files, folders or archives, or - for standard input:
    kubectl describe pod NAME | podcause -
  To see what it does: podcause demo`;

function accessOf(flags: ClusterFlags) {
  return {
    timeoutMilliseconds: (flags.timeout ?? TIMEOUT_SECONDS) * 1000,
    ...(flags.kubeconfig !== undefined ? { kubeconfig: flags.kubeconfig } : {}),
    ...(flags.context !== undefined ? { context: flags.context } : {}),
  };
}
