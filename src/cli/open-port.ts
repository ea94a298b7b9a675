import type { ClusterPort } from '../collect/cluster/port.ts';
import type { ClusterFlags } from './live-command.ts';

const TIMEOUT_SECONDS = 30;

/** The way to the cluster; what it needs is loaded only here, since files are read without it. */
export async function openPort(flags: ClusterFlags): Promise<ClusterPort> {
  const { openCluster } = await import('../collect/cluster/access.ts');
  return openCluster({
    timeoutMilliseconds: (flags.timeout ?? TIMEOUT_SECONDS) * 1000,
    ...(flags.kubeconfig !== undefined ? { kubeconfig: flags.kubeconfig } : {}),
    ...(flags.context !== undefined ? { context: flags.context } : {}),
  });
}
