import { describe, expect, it } from 'vitest';
import { diagnose } from '../diagnose.ts';

const events = (last: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'web.1', namespace: 'shop' },
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web' },
        type: 'Warning',
        reason: 'FailedMount',
        message: 'MountVolume.SetUp failed for volume "settings" : configmap "web-settings" not found',
        count: 4,
        lastTimestamp: last,
      },
    ],
  });

describe('evidence since a moment', () => {
  const fixed = Date.parse('2026-05-04T10:00:00Z');
  const look = (last: string) => diagnose([{ name: 'events.json', text: events(last) }], { notBefore: fixed });

  it('leaves out what happened before', async () => {
    expect((await look('2026-05-04T09:58:00Z')).incidents).toEqual([]);
  });

  it('keeps what goes on', async () => {
    expect((await look('2026-05-04T10:01:00Z')).incidents.map(({ cause }) => cause)).toEqual(['configmap-missing']);
  });

  it('takes what a kubelet said once for no state of now', async () => {
    const line = (at: string) =>
      `2026-05-04T${at}+0000 node-1 kubelet[812]: E0504 ${at}.000000     812 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"web\\" with CrashLoopBackOff: \\"back-off 20s restarting failed container=web pod=web-1_shop(0b7e5f5a-0000-4000-8000-000000000000)\\"" pod="shop/web-1" podUID="0b7e5f5a-0000-4000-8000-000000000000"\n`;
    const said = async (at: string) => JSON.stringify(await diagnose([{ name: 'kubelet.log', text: line(at) }], { notBefore: fixed }));
    expect(await said('09:59:00')).not.toContain('"CrashLoopBackOff"');
    expect(await said('10:00:30')).toContain('"CrashLoopBackOff"');
  });
});

describe('events and logs since a moment', () => {
  const moment = Date.parse('2026-05-04T10:00:00Z');
  const pod = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { containers: [{ name: 'main', image: 'shop/web:1', resources: { limits: { memory: '64Mi' } } }] },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'main',
          restartCount: 9,
          ready: false,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: {
            terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: '2026-05-04T09:10:00Z', finishedAt: '2026-05-04T09:11:00Z' },
          },
        },
      ],
    },
  });
  const causes = async (name: string, text: string) =>
    (await diagnose([{ name, text }], { toldSince: moment })).incidents.map(({ cause }) => cause);

  it('leaves out events from before', async () => {
    expect(await causes('events.json', events('2026-05-04T09:58:00Z'))).toEqual([]);
    expect(await causes('events.json', events('2026-05-04T10:01:00Z'))).toEqual(['configmap-missing']);
  });

  it('knows how a container ended, however long ago', async () => {
    expect(await causes('pod.json', pod)).toEqual(['oom-container-limit']);
  });
});
