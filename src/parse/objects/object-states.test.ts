import { describe, expect, it } from 'vitest';
import { readObject } from './object-facts.ts';
import { ObjectReading } from './object-reading.ts';
import { TestSink } from './test-sink.ts';

const NOON = Date.UTC(2026, 3, 4, 12);

function read(kind: string, content: object, labels: Readonly<Record<string, string>> = {}): TestSink {
  const sink = new TestSink();
  const reading = new ObjectReading('objects.json', sink, { now: NOON });
  readObject(reading, { kind, apiVersion: 'v1', metadata: { name: 'reef', namespace: 'sea', labels }, ...content }, '');
  reading.finish();
  return sink;
}

function stateOf(kind: string, content: object, labels?: Readonly<Record<string, string>>) {
  return read(kind, content, labels)
    .all('object.status')
    .map(({ status, detail }) => ({ status, detail }));
}

describe('what objects say of their state', () => {
  it('a quota names the limits that are used up', () => {
    const hard = { pods: '10', 'requests.cpu': '2', 'requests.memory': '1Gi', secrets: '5' };
    const used = { pods: '10', 'requests.cpu': '1999m', 'requests.memory': '1024Mi', configmaps: '3' };
    expect(stateOf('ResourceQuota', { status: { hard, used } })).toEqual([
      { status: 'full', detail: 'pods 10/10, requests.memory 1024Mi/1Gi' },
    ]);
    expect(stateOf('ResourceQuota', { status: { hard, used: { pods: '9' } } })).toEqual([]);
  });

  it('a lease that was not renewed in time has expired', () => {
    const lease = (renewTime: string) => ({ spec: { holderIdentity: 'kelp-1', leaseDurationSeconds: 40, renewTime } });
    expect(stateOf('Lease', lease('2026-04-04T11:58:30.250000Z'))).toEqual([
      { status: 'expired', detail: 'HOLDER kelp-1, renewed 90 s ago, lasts 40 s' },
    ]);
    expect(stateOf('Lease', lease('2026-04-04T11:59:30.000000Z'))).toEqual([]);
    expect(stateOf('Lease', { spec: { holderIdentity: 'kelp-1' } })).toEqual([]);
  });

  it('an endpoint slice tells when nobody answers', () => {
    const name = { 'kubernetes.io/service-name': 'tide' };
    expect(stateOf('EndpointSlice', { endpoints: [] }, name)).toEqual([{ status: '<none>', detail: 'SERVICE tide' }]);
    expect(stateOf('EndpointSlice', { endpoints: [{ conditions: { ready: false } }] }, name)).toEqual([
      { status: '<none>', detail: 'SERVICE tide, 0 of 1 ready' },
    ]);
    expect(stateOf('EndpointSlice', { endpoints: [{ conditions: {} }, { conditions: { ready: false } }] }, name)).toEqual([]);
  });

  it('a disruption budget tells when it lets nothing be evicted', () => {
    const status = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3 };
    expect(stateOf('PodDisruptionBudget', { status })).toEqual([
      { status: 'blocked', detail: 'ALLOWED DISRUPTIONS 0, healthy 2, wanted 2' },
    ]);
    expect(stateOf('PodDisruptionBudget', { status: { ...status, expectedPods: 0 } })).toEqual([]);
    expect(stateOf('PodDisruptionBudget', { status: { ...status, disruptionsAllowed: 1 } })).toEqual([]);
  });

  it('an attachment hands on why it failed', () => {
    const attachError = { time: '2026-04-04T11:00:00Z', message: 'rpc error: the disk is held elsewhere' };
    const [saying] = read('VolumeAttachment', { status: { attached: false, attachError } }).sayings;
    expect(saying).toMatchObject({ channel: 'objects', level: 'error', text: attachError.message, when: Date.UTC(2026, 3, 4, 11) });
  });

  it('names the drivers of a node and the keys of an object as parts of it', () => {
    const drivers = [{ name: 'csi.example.com' }, { name: 'no\u001bname' }];
    const parts = (sink: TestSink) => sink.all('object.exists').map(({ about, type }) => [type, about]);
    expect(parts(read('CSINode', { spec: { drivers } }))).toEqual([
      ['CSINode', 'Object/CSINode/?/reef'],
      ['CSINodeDriver', 'Object/CSINodeDriver/?/reef/csi.example.com'],
    ]);
    expect(parts(read('Secret', { data: { 'tls.crt': 'eA==' } }))).toEqual([
      ['Secret', 'Object/Secret/sea/reef'],
      ['SecretKey', 'Object/SecretKey/sea/reef/tls.crt'],
    ]);
  });

  it('takes stamps that are a little newer than the given time for the present', () => {
    const lease = (renewTime: string) => ({ spec: { holderIdentity: 'kelp-1', leaseDurationSeconds: 1, renewTime } });
    const sink = new TestSink();
    const reading = new ObjectReading('leases.json', sink, { now: NOON });
    for (const [name, time] of [
      ['old', '2026-04-04T11:59:50.000000Z'],
      ['new', '2026-04-04T12:00:10.000000Z'],
    ] as const)
      readObject(reading, { kind: 'Lease', apiVersion: 'v1', metadata: { name, namespace: 'sea' }, ...lease(time) }, '');
    reading.finish();
    expect(sink.all('object.status').map(({ detail }) => detail)).toEqual(['HOLDER kelp-1, renewed 20 s ago, lasts 1 s']);
  });
});
