import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose.ts';

const TAKEN = Date.parse('2026-11-02T09:30:00Z');
const diagnoseTexts = (texts: Readonly<Record<string, string>>) =>
  diagnose(
    Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text), size: Buffer.byteLength(text), takenAt: TAKEN })),
  );

const node = (ready: 'True' | 'False') => `$ kubectl describe node ash-4
Name:               ash-4
Roles:              <none>
Conditions:
  Type    Status   LastHeartbeatTime                 LastTransitionTime                Reason          Message
  ----    ------   -----------------                 ------------------                ------          -------
  Ready   ${ready.padEnd(7)}  Mon, 02 Nov 2026 09:30:00 +0000   Mon, 02 Nov 2026 08:10:00 +0000   Kubelet${ready === 'True' ? 'Ready      kubelet is posting ready status' : 'NotReady   container runtime is down'}
`;
const NO_SUBNET =
  'kubelet[811]: E1102 TIME.118402     811 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to setup network for sandbox: plugin type=\\"flannel\\" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory" pod="shop/web-0"';
const QUIET = 'kubelet[811]: I1102 TIME.500000     811 kubelet.go:2477] "SyncLoop (PLEG): event for pod"';
const journal = (...lines: readonly (readonly [time: string, text: string])[]) =>
  [
    'root@ash-4:~# journalctl -u kubelet --no-pager',
    ...lines.map(([time, text]) => `Nov 02 ${time} ash-4 ${text.replace('TIME', time)}`),
  ].join('\n');

describe('trouble that a log tells of', () => {
  it('is history where it has no successor and the node is ready', async () => {
    const report = await diagnoseTexts({ 'node.txt': node('True'), 'kubelet.log': journal(['08:00:01', NO_SUBNET], ['09:29:00', QUIET]) });
    expect(report.incidents).toEqual([]);
    expect(report.verdict).toBe('healthy');
    expect(report.history.map(({ about, cited }) => [about, cited[0]?.doc])).toEqual([['node ash-4', 'kubelet.log']]);
  });

  it.each([
    ['it was said a moment ago', node('True'), '09:28:00'],
    ['the node is not ready', node('False'), '08:00:01'],
  ])('is an incident where %s', async (_, status, time) => {
    const report = await diagnoseTexts({ 'node.txt': status, 'kubelet.log': journal([time, NO_SUBNET], ['09:29:00', QUIET]) });
    expect(report.incidents.map(({ cause }) => cause)).toContain('flannel-subnet-env-missing');
  });
});
