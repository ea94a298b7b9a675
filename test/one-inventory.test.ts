import { describe, expect, it } from 'vitest';
import { diagnose } from '../src/diagnose.ts';

const UID = '2b7c1f0e-43a1-4a55-9d0c-6f1f6b1d7f52';
const CONTAINER = 'c3a1d0f27be94c5d8e6f70112233445566778899aabbccddeeff001122334455';

/** A pod named in a table, a describe, a journal line, a listing of the runtime and a cgroup path is one pod. */
describe('one inventory from many pieces', () => {
  it('joins names, uids and short ids', async () => {
    const report = await diagnose([
      {
        name: 'pods.txt',
        text: `NAME                READY   STATUS             RESTARTS      AGE\nkube-proxy-8sxm4    0/1     CrashLoopBackOff   9 (20s ago)   2h\n`,
      },
      {
        name: 'describe.txt',
        text: `Name:         kube-proxy-8sxm4\nNamespace:    kube-system\nNode:         worker-2/10.0.0.2\nStatus:       Running\nContainers:\n  kube-proxy:\n    Container ID:  containerd://${CONTAINER}\n    Image:         registry.k8s.io/kube-proxy:v1.31.4\n    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Ready:          False\n    Restart Count:  9\n`,
      },
      {
        name: 'kubelet.log',
        text: `Mar 04 09:12:41 worker-2 kubelet[871]: E0304 09:12:41.104417     871 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"kube-proxy\\" with CrashLoopBackOff: \\"back-off 2m40s restarting failed container=kube-proxy pod=kube-proxy-8sxm4_kube-system(${UID})\\"" pod="kube-system/kube-proxy-8sxm4" podUID="${UID}"\n`,
      },
      {
        name: 'cgroup.txt',
        text: `0::/system.slice/kubepods-besteffort-pod${UID.replaceAll('-', '_')}.slice:cri-containerd:${CONTAINER}\n`,
      },
      {
        name: 'crictl.txt',
        text: `[root@worker-2 ~]# crictl ps -a\nCONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID\n${CONTAINER.slice(0, 13)}       7c0de15b3a92f       2 minutes ago       Exited              kube-proxy          9                   51f2a9c07bd34\n`,
      },
    ]);
    expect(report.coverage.pods).toBe(1);
    expect(report.coverage.nodes).toBe(1);
    expect(report.incidents[0]?.victims.map(({ name }) => name)).toEqual(['kube-system/kube-proxy-8sxm4']);
    expect(report.incidents[0]?.place).toBe('node worker-2');
    const cited = report.incidents[0]?.because.flatMap(({ cited: citations }) => citations.map(({ doc }) => doc));
    expect(cited).toContain('cgroup.txt');
  });
});
