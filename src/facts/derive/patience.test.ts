import { describe, expect, it } from 'vitest';
import { diagnoseInDetail } from '../../diagnose.ts';

const pods = (rows: string) => `$ kubectl -n shop get pods
NAME                   READY   STATUS              RESTARTS   AGE
${rows}
`;

function describePod(status: string, state: string, events: string): string {
  return `$ kubectl -n shop describe pod web-58b49b6655-d5nzn
Name:                      web-58b49b6655-d5nzn
Namespace:                 shop
Node:                      worker-a/10.77.0.11
Status:                    ${status}
Controlled By:             ReplicaSet/web-58b49b6655
Containers:
  web:
    Image:          registry.example/web:1
    State:          ${state}
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age   From               Message
  ----     ------     ----  ----               -------
${events}
`;
}
const placed = (ago: string) =>
  `  Normal   Scheduled  ${ago.padEnd(5)} default-scheduler  Successfully assigned shop/web-58b49b6655-d5nzn to worker-a`;
const unready = '  Warning  Unhealthy  2s    kubelet            Readiness probe failed: HTTP probe failed with statuscode: 503';
const stopping = (ago: string) => `  Normal   Killing    ${ago.padEnd(5)} kubelet            Stopping container web`;
const RUNNING = 'Running\n      Started:      Mon, 02 Nov 2026 08:00:00 +0000';
const ENDED = 'Terminated\n      Reason:       Error\n      Exit Code:    137';

async function verdictOf(...texts: string[]): Promise<string> {
  const { report } = await diagnoseInDetail(
    texts.map((text, index) => ({ name: `${index}.txt`, text })),
    {},
  );
  return [report.verdict, ...report.incidents.map(({ cause }) => cause)].join(' ');
}

describe('a pod that starts', () => {
  it('is no trouble while it is not ready', async () => {
    expect(await verdictOf(describePod('Running', RUNNING, `${placed('9s')}\n${unready}`))).toBe('healthy');
    expect(
      await verdictOf(pods('web-58b49b6655-d5nzn   0/1     Running             0          9s'), describePod('Running', RUNNING, unready)),
    ).toBe('healthy');
  });

  it('is trouble after a minute', async () => {
    expect(await verdictOf(describePod('Running', RUNNING, `${placed('90s')}\n${unready}`))).toContain('readiness-never-true');
  });

  it('is given time though only its events tell its age', async () => {
    const waiting = 'Waiting\n      Reason:       ContainerCreating';
    expect(await verdictOf(describePod('Pending', waiting, placed('3s')))).toBe('healthy');
    expect(await verdictOf(describePod('Pending', waiting, placed('8m')))).not.toBe('healthy');
  });
});

describe('a pod that ends', () => {
  const ending = (lasts: string, grace: string, state: string, events: string) =>
    describePod(`Terminating (lasts ${lasts})\nTermination Grace Period:  ${grace}`, state, `${placed('2h')}\n${events}`);

  it('is no trouble within a usual grace period, nor when it was told so a moment ago', async () => {
    expect(await verdictOf(ending('<invalid>', '30s', RUNNING, `${unready}\n${stopping('12s')}`))).toBe('healthy');
    expect(await verdictOf(ending('<invalid>', '600s', RUNNING, `${unready}\n${stopping('12s')}`))).toBe('healthy');
  });

  it('is told when it uses a long grace period', async () => {
    expect(await verdictOf(ending('<invalid>', '600s', RUNNING, stopping('4m')))).toBe('found termination-grace-period-too-long');
  });

  it('is trouble when its time is over, and its killed container is no crash', async () => {
    const verdict = await verdictOf(ending('9m', '30s', ENDED, stopping('9m')));
    expect(verdict).not.toBe('healthy');
    expect(verdict).not.toContain('app-');
  });
});

describe('a pod that is gone', () => {
  const all = (taken: boolean) => [
    {
      name: 'cluster/pods.json',
      size: 0,
      ...(taken ? { takenAt: Date.parse('2026-11-02T09:00:00Z') } : {}),
      bytes: Buffer.from(
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'PodList',
          items: [
            {
              metadata: { name: 'web-d9b6877b8-rb7xl', namespace: 'shop', creationTimestamp: '2026-11-02T08:00:00Z' },
              spec: { containers: [{ name: 'web', image: 'registry.example/web:2' }] },
              status: {
                phase: 'Running',
                containerStatuses: [
                  { name: 'web', ready: true, restartCount: 0, state: { running: { startedAt: '2026-11-02T08:00:01Z' } } },
                ],
              },
            },
          ],
        }),
      ),
    },
    {
      name: 'events.txt',
      size: 0,
      bytes: Buffer.from(
        '$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON      OBJECT                     MESSAGE\n9m          Warning   Unhealthy   pod/web-58b49b6655-d5nzn   Readiness probe failed: HTTP probe failed with statuscode: 503\n',
      ),
    },
  ];

  it('has no trouble any more where all pods were listed, and may have where only some were', async () => {
    expect((await diagnoseInDetail(all(true), {})).report.verdict).toBe('healthy');
    expect((await diagnoseInDetail(all(false), {})).report.verdict).not.toBe('healthy');
  });

  it('is told of by the journal of its node for a while', async () => {
    const [pods] = all(true);
    const journal = {
      name: 'nodes/w1/kubelet.log',
      size: 0,
      takenAt: Date.parse('2026-11-02T09:00:00Z'),
      bytes: Buffer.from(
        `root@w1:~# journalctl -u kubelet\nNov 02 08:40:00 w1 kubelet[87]: E1102 08:40:00.118402      87 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"web\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=web pod=web-58b49b6655-d5nzn_shop(0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11)\\"" pod="shop/web-58b49b6655-d5nzn" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11"\n`,
      ),
    };
    expect((await diagnoseInDetail([...(pods ? [pods] : []), journal], {})).report.verdict).toBe('healthy');
    expect((await diagnoseInDetail([journal], {})).report.verdict).not.toBe('healthy');
  });
});

describe('a pod whose container ends well', () => {
  it('is no finished pod when it is started again and again', async () => {
    const done = 'Terminated\n      Reason:       Completed\n      Exit Code:    0';
    const between = describePod('Running', done, placed('4m')).replace('Restart Count:  0', 'Restart Count:  4');
    expect(await verdictOf(between)).not.toBe('healthy');
  });

  it('is finished when it belongs to a job', async () => {
    expect(await verdictOf(pods('import-28401120-x8k2p   0/1     Completed           3          3m'))).toBe('healthy');
  });
});
