import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose.ts';

const read = (texts: Readonly<Record<string, string>>) => diagnose(Object.entries(texts).map(([name, text]) => ({ name, text })));

const NODES = `$ kubectl get nodes -o wide
NAME     STATUS     ROLES    AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION      CONTAINER-RUNTIME
oak-1    Ready      <none>   90d   v1.31.4    10.3.0.11     <none>        Ubuntu 24.04.1 LTS   6.8.0-48-generic    containerd://1.7.22
oak-2    NotReady   <none>   90d   v1.31.4    10.3.0.12     <none>        Ubuntu 24.04.1 LTS   6.8.0-48-generic    containerd://2.0.0
`;
const DOWN = `$ kubectl describe node oak-2
Name:               oak-2
Conditions:
  Type    Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----    ------    -----------------                 ------------------                ------              -------
  Ready   Unknown   Mon, 02 Nov 2026 08:01:01 +0000   Mon, 02 Nov 2026 08:02:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
`;

describe('the sick beside the healthy', () => {
  it('names what a node has unlike its healthy twin, and nothing else', async () => {
    const report = await read({ 'nodes.txt': NODES, 'node.txt': DOWN });
    expect(report.incidents[0]?.compared?.map(({ says }) => says)).toEqual(['containerd is 2.0.0 here and 1.7.22 on oak-1, which is well']);
  });

  it('says nothing where there is no healthy one', async () => {
    const report = await read({ 'nodes.txt': NODES.replace('oak-1    Ready   ', 'oak-1    NotReady'), 'node.txt': DOWN });
    expect(report.incidents[0]?.compared).toBeUndefined();
  });

  it('sees that the replicas of one workload fail on one node only', async () => {
    const pods = `$ kubectl get pods -n shop -o wide
NAME                   READY   STATUS             RESTARTS        AGE   IP           NODE    NOMINATED NODE   READINESS GATES
web-5d9c7b6f4c-4xk2p   1/1     Running            0               3h    10.4.1.7     oak-1   <none>           <none>
web-5d9c7b6f4c-9vbnm   0/1     CrashLoopBackOff   14 (2m ago)     50m   10.4.2.9     oak-2   <none>           <none>
web-5d9c7b6f4c-t6w8z   0/1     CrashLoopBackOff   14 (1m ago)     50m   10.4.2.10    oak-2   <none>           <none>
$ kubectl logs -n shop web-5d9c7b6f4c-9vbnm --previous
FATAL could not open /dev/fuse: No such file or directory
`;
    const report = await read({ 'pods.txt': pods });
    expect(report.incidents.flatMap(({ compared }) => compared ?? []).map(({ says }) => says)).toEqual([
      'its replicas on oak-1 are well, those on oak-2 are not',
    ]);
  });
});
