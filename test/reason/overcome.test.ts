import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose.ts';

const MOUNT = 'MountVolume.SetUp failed for volume "kube-api-access-7xk2p" : configmap "kube-root-ca.crt" not found';

function pod(startedAt: string, command: readonly string[] = ['sh', '-c', 'import-all']) {
  const status = {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }],
    containerStatuses: [
      {
        name: 'nightly',
        ready: false,
        restartCount: 7,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container=nightly' } },
        lastState: { terminated: { exitCode: 2, reason: 'Error', startedAt, finishedAt: startedAt } },
      },
    ],
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'trail', name: 'nightly-0', uid: 'u1' },
    spec: { nodeName: 'cedar-1', containers: [{ name: 'nightly', image: 'registry.example/nightly:1', command }] },
    status,
  };
}

const event = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace: 'trail', name: 'nightly-0.1' },
  involvedObject: { kind: 'Pod', namespace: 'trail', name: 'nightly-0', uid: 'u1' },
  type: 'Warning',
  reason: 'FailedMount',
  message: MOUNT,
  firstTimestamp: '2026-03-01T10:00:00Z',
  lastTimestamp: '2026-03-01T10:00:04Z',
  count: 3,
};

async function causesOf(...documents: { readonly name: string; readonly text: string }[]) {
  return (await diagnose(documents)).incidents.map(({ cause, confidence }) => `${cause} ${confidence}`);
}

function objects(...items: object[]) {
  return { name: 'all.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) };
}

describe('trouble that a pod has overcome', () => {
  it('does not explain why its container ends later', async () => {
    const causes = await causesOf(objects(pod('2026-03-01T10:20:00Z'), event));
    expect(causes.join()).not.toContain('service-account-token-unavailable');
  });

  it('counts while no container has begun since', async () => {
    const causes = await causesOf(objects(pod('2026-03-01T09:00:00Z'), event));
    expect(causes.join()).toContain('service-account-token-unavailable');
  });
});

describe('a line that names no pod', () => {
  it('is not made a fault of the pods of the node by what they are like', async () => {
    const journal =
      'Mar 01 10:00:00 cedar-1 kubelet[812]: E0301 10:00:00.000000     812 remote_runtime.go:496] "ExecSync cmd from runtime service failed" err="rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: exec: \\"curl\\": executable file not found in $PATH: unknown"\n';
    const causes = await causesOf(objects(pod('2026-03-01T10:20:00Z')), { name: 'kubelet.log', text: journal });
    expect(causes.join()).not.toContain('app-command-not-found');
  });
});
