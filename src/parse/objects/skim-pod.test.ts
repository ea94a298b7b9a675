import { describe, expect, it } from 'vitest';
import { skimPod } from './skim-pod.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'buoy', namespace: 'bay', annotations: { copy: '{"spec":{},"status":{"phase":"Failed"}}' } },
  spec: { containers: [{ name: 'bell', image: 'x' }], nodeName: 'pier-4', restartPolicy: 'Always' },
  status: { phase: 'Running', containerStatuses: [{ name: 'bell', ready: true, restartCount: 0, state: { running: {} } }] },
};

describe('skimPod', () => {
  it.each([0, 2, 4])('reads metadata, status and node without the spec (indent %i)', (indent) => {
    expect(skimPod(JSON.stringify(POD, null, indent), 'List')).toEqual({
      metadata: POD.metadata,
      status: POD.status,
      spec: { nodeName: 'pier-4', containers: [undefined] },
    });
  });

  it('knows the kind from the list', () => {
    const { kind, apiVersion, ...bare } = POD;
    expect(skimPod(JSON.stringify(bare), `${kind}List`)).toBeDefined();
    expect(skimPod(JSON.stringify(bare), 'List')).toBeUndefined();
    expect(skimPod(JSON.stringify({ ...POD, kind: 'Node' }), 'PodList')).toBeUndefined();
    expect(apiVersion).toBe('v1');
  });

  it.each([
    ['two objects', `${JSON.stringify(POD)},${JSON.stringify(POD)}`],
    ['another order', JSON.stringify({ apiVersion: 'v1', kind: 'Pod', status: POD.status, spec: POD.spec, metadata: POD.metadata })],
    ['no node', JSON.stringify({ ...POD, spec: { containers: [], restartPolicy: 'Always' } })],
    ['something after the status', JSON.stringify({ ...POD, zebra: {} })],
    ['a cut end', JSON.stringify(POD).slice(0, -30)],
    ['a waiting container', JSON.stringify({ ...POD, status: { ...POD.status, containerStatuses: [{ state: { waiting: {} } }] } })],
    [
      'a sidecar',
      JSON.stringify({
        ...POD,
        spec: { initContainers: [{ name: 's', restartPolicy: 'Always' }], ...POD.spec },
        status: { ...POD.status, initContainerStatuses: [{ name: 's' }] },
      }),
    ],
    ['nothing', ''],
  ])('leaves %s to the parser', (_, text) => {
    expect(skimPod(text, 'List')).toBeUndefined();
  });
});
