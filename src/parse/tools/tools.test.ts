import { describe, expect, it } from 'vitest';
import { errorsIn, payloadsOf, readTool } from './testing-read.ts';

describe('calicoctl node status', () => {
  const TEXT = `Calico process is running.

IPv4 BGP status
+--------------+-------------------+-------+----------+--------------------------------+
| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |              INFO              |
+--------------+-------------------+-------+----------+--------------------------------+
| 10.1.1.6     | node-to-node mesh | up    | 09:11:12 | Established                    |
| 10.1.1.7     | node-to-node mesh | start | 09:11:12 | Connect Socket: Connection     |
|              |                   |       |          | refused                        |
+--------------+-------------------+-------+----------+--------------------------------+

IPv6 BGP status
No IPv6 peers found.`;

  it('reads every peer, also where a cell goes on below', () => {
    const read = readTool(TEXT, { node: 'Node/worker-1' });
    expect(payloadsOf(read, 'object.status')).toEqual([
      ['Object/BgpPeer/?/10.1.1.6', { status: 'up', detail: 'Established' }],
      ['Object/BgpPeer/?/10.1.1.7', { status: 'start', detail: 'Connect Socket: Connection refused' }],
    ]);
    expect(errorsIn(read)).toEqual(['| 10.1.1.7 | node-to-node mesh | start | 09:11:12 | Connect Socket: Connection refused']);
    expect(read.left).toEqual([]);
  });

  it('tells a process that does not run', () => {
    expect(errorsIn(readTool('Calico process is not running.'))).toEqual(['Calico process is not running.']);
  });
});

describe('cilium status', () => {
  it('reads what the command line tool draws', () => {
    const read = readTool(
      `    /¯¯\\
 /¯¯\\__/¯¯\\    Cilium:             1 errors
 \\__/¯¯\\__/    Operator:           OK
    \\__/       ClusterMesh:        disabled

DaemonSet              cilium             Desired: 3, Ready: 2/3, Available: 2/3, Unavailable: 1/3
Containers:            cilium             Running: 3
Errors:                cilium             cilium          1 pods of DaemonSet cilium are not ready
                       cilium             cilium-abcde    unable to retrieve cilium status`,
      { command: 'cilium status' },
    );
    expect(payloadsOf(read, 'workload.replicas')).toEqual([['Workload/DaemonSet/?/cilium', { desired: 3, ready: 2, available: 2 }]]);
    expect(errorsIn(read)).toEqual([
      'cilium cilium 1 pods of DaemonSet cilium are not ready',
      'cilium cilium-abcde unable to retrieve cilium status',
    ]);
    expect(read.left).toEqual([]);
  });

  it('reads what the agent says, also through kubectl exec', () => {
    const read = readTool(
      `KVStore:                 Ok   Disabled
IPAM:                    IPv4: 254/254 allocated from 10.0.1.0/24,
Controller Status:       44/46 healthy
  Name                                 Last success   Last error   Count   Message
  sync-to-k8s-ciliumendpoint (1234)    never          10s ago      5       Unable to write CiliumEndpoint
Cluster health:          1/3 reachable   (2024-05-02T09:11:12Z)`,
      { command: 'kubectl -n kube-system exec ds/cilium -- cilium status' },
    );
    expect(payloadsOf(read, 'object.status')).toMatchObject([
      ['Object/Cilium/?/KVStore', { status: 'ok' }],
      ['Object/Cilium/?/IPAM', { status: 'trouble' }],
      ['Object/Cilium/?/Controller Status', { status: 'trouble' }],
      ['Object/Cilium/?/Cluster health', { status: 'trouble' }],
    ]);
    expect(errorsIn(read)).toContain('sync-to-k8s-ciliumendpoint (1234) never 10s ago 5 Unable to write CiliumEndpoint');
    expect(read.left).toEqual([]);
  });
});

describe('nvidia-smi', () => {
  const CARDS = `Thu May  2 09:11:12 2024
+---------------------------------------------------------------------------------------+
| NVIDIA-SMI 535.161.07             Driver Version: 535.161.07   CUDA Version: 12.2     |
|-----------------------------------------+----------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |
|=========================================+======================+======================|
|   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                    3 |
| N/A   31C    P0              51W / 400W |  10240MiB / 40960MiB |      0%      Default |
+-----------------------------------------+----------------------+----------------------+
|   1  NVIDIA A100-SXM4-40GB         ERR! | 00000000:08:00.0 Off |                 ERR! |
|ERR!  ERR!  ERR!             ERR! / ERR! |      0MiB / 40960MiB |    ERR!         ERR! |
+-----------------------------------------+----------------------+----------------------+`;

  it('reads driver and cards', () => {
    const read = readTool(CARDS, { node: 'Node/gpu-1' });
    expect(payloadsOf(read, 'host.version')).toEqual([
      ['Node/gpu-1', { component: 'nvidia-driver', version: '535.161.07' }],
      ['Node/gpu-1', { component: 'cuda', version: '12.2' }],
    ]);
    expect(payloadsOf(read, 'host.gpu')).toEqual([
      ['Node/gpu-1', { index: 0, name: 'NVIDIA A100-SXM4-40GB', state: 'ok', memoryShare: 0.25, eccErrors: 3 }],
      ['Node/gpu-1', { index: 1, name: 'NVIDIA A100-SXM4-40GB', state: 'error', memoryShare: 0 }],
    ]);
    expect(errorsIn(read)).toHaveLength(1);
    expect(read.left).toEqual([]);
  });

  it('hears what it says where it cannot', () => {
    const texts = [
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.",
      'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.161',
      'No devices were found',
    ];
    for (const text of texts) {
      const read = readTool(text);
      expect(read.said).toMatchObject([{ channel: 'host-state', level: 'error', component: 'nvidia-smi' }]);
      expect(read.left).toEqual([]);
    }
  });
});

describe('helm', () => {
  it('hears why a release failed, with and without the command', () => {
    const failed =
      "Error: INSTALLATION FAILED: values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- replicaCount: Invalid type";
    expect(errorsIn(readTool(failed))[0]).toContain('INSTALLATION FAILED');
    const typed = readTool('Error: repo stable not found', { command: 'helm upgrade web stable/web -n shop' });
    expect(typed.said).toMatchObject([
      { about: 'Namespace/shop', level: 'error', component: 'helm', text: 'Error: repo stable not found' },
    ]);
    expect(readTool('Error: something of somebody else').left).toHaveLength(1);
  });

  it('reads the state of releases', () => {
    const list = readTool(
      'NAME\tNAMESPACE\tREVISION\tUPDATED                                \tSTATUS         \tCHART    \tAPP VERSION\nweb \tshop     \t3       \t2024-05-02 09:11:12.123456789 +0000 UTC\tpending-upgrade\tweb-1.2.3\t1.2.3',
    );
    expect(payloadsOf(list, 'object.status')).toEqual([
      ['Object/HelmRelease/shop/web', { status: 'pending-upgrade', detail: 'CHART web-1.2.3, REVISION 3' }],
    ]);
    const status = readTool(
      'NAME: web\nLAST DEPLOYED: Thu May  2 09:11:12 2024\nNAMESPACE: shop\nSTATUS: failed\nREVISION: 3\nDESCRIPTION: Upgrade "web" failed: timed out waiting for the condition',
    );
    expect(payloadsOf(status, 'object.status')).toMatchObject([['Object/HelmRelease/shop/web', { status: 'failed', asked: true }]]);
    expect(errorsIn(status)).toHaveLength(1);
  });
});

describe('other clients', () => {
  it('are heard by the way their errors begin', () => {
    const texts: readonly (readonly [component: string, text: string])[] = [
      ['docker', 'docker: Error response from daemon: OCI runtime create failed: exec format error: unknown.'],
      ['minikube', '❌  Exiting due to K8S_KUBELET_NOT_RUNNING: wait: Process exited with status 1'],
      ['minikube', '⛔  Exiting due to RSRC_INSUFFICIENT_CORES:  has less than 2 CPUs available'],
      ['kind', 'ERROR: failed to create cluster: could not find a log line that matches'],
      ['terraform', '│ Error: Post "https://10.1.1.5/api": i/o timeout'],
    ];
    for (const [component, text] of texts)
      expect(readTool(text).said).toMatchObject([{ component, text, level: 'error', about: 'Node/?' }]);
    expect(readTool('Error: no endpoints', { command: 'velero backup create x' }).said).toMatchObject([{ component: 'velero' }]);
    expect(readTool('Error: no endpoints').left).toHaveLength(1);
  });
});

describe('health checks of the API server', () => {
  it('are read one by one', () => {
    const read = readTool('[+]ping ok\n[-]etcd failed: reason withheld\nhealthz check failed');
    expect(payloadsOf(read, 'object.status')).toEqual([
      ['Object/HealthCheck/?/ping', { status: 'ok' }],
      ['Object/HealthCheck/?/etcd', { status: 'failed', detail: 'reason withheld' }],
    ]);
    expect(errorsIn(read)).toEqual(['[-]etcd failed: reason withheld']);
    expect(read.left).toEqual([]);
  });

  it('are not taken for those of a kubelet', () => {
    expect(readTool('[+]ping ok', { command: 'kubectl get --raw /api/v1/nodes/worker-1/proxy/healthz' }).facts).toEqual([]);
  });
});
