import { describe, expect, it } from 'vitest';
import { NODE_INCIDENT } from '../../../../test/html/node-incident.ts';
import { WORKLOAD_INCIDENT } from '../../../../test/html/workload-incident.ts';
import type { Incident } from '../../../model/report.ts';
import { sceneOf } from './scene.ts';

function fault(incident: Incident): string | undefined {
  const part = sceneOf(incident).parts.find((one) => one.faulty);
  return part && `${part.kind}: ${part.name}`;
}

function frames(incident: Incident): readonly string[] {
  return sceneOf(incident).frames.map((frame) => `${frame.kind} ${frame.name}`.trim());
}

describe('sceneOf', () => {
  it('puts a fault of the runtime into the runtime of its node', () => {
    expect(frames(NODE_INCIDENT)).toEqual(['cluster', 'node heron-2']);
    expect(sceneOf(NODE_INCIDENT).parts.map((part) => part.name)).toEqual(['host', 'kubelet', 'containerd']);
    expect(fault(NODE_INCIDENT)).toBe('container runtime: containerd');
    expect(sceneOf(NODE_INCIDENT).tiles.map((tile) => tile.name)).toEqual([
      'kube-proxy-x7k2m',
      'flannel-9dkqz',
      'nfs-provisioner-6f7d9c-jm4wt',
    ]);
  });

  it.each([
    ['kubelet', 'node agent: kubelet'],
    ['node', 'operating system: host'],
    ['unknown', 'operating system: host'],
    ['storage', 'fault: volumes'],
    ['network', 'fault: network'],
  ] as const)('places the area %s on a node', (area, expected) => {
    expect(fault({ ...NODE_INCIDENT, area })).toBe(expected);
  });

  it('puts a fault of a template into its workload', () => {
    expect(frames(WORKLOAD_INCIDENT)).toEqual(['cluster', 'namespace shop', 'deployment orders']);
    expect(fault(WORKLOAD_INCIDENT)).toBe('container: worker');
    expect(sceneOf(WORKLOAD_INCIDENT).tiles[0]?.note).toBe('heron-1');
  });

  it('draws a lone pod around its container, with its trouble, and no victim twice', () => {
    const victim = NODE_INCIDENT.victims[1];
    const alone: Incident = {
      ...NODE_INCIDENT,
      placeId: 'Container/net/flannel-9dkqz/flannel',
      area: 'app',
      victims: victim ? [victim] : [],
      victimCount: 1,
    };
    expect(frames(alone)).toEqual(['cluster', 'node heron-2', 'pod net/flannel-9dkqz']);
    expect(fault(alone)).toBe('container: flannel');
    expect(sceneOf(alone)).toMatchObject({ tiles: [], count: 0 });
    expect(sceneOf(alone).frames.at(-1)?.note).toBe('keeps restarting');
  });

  it('draws no frame around victims that are not inside it', () => {
    const across: Incident = { ...NODE_INCIDENT, placeId: 'Object/Service/net/dns', area: 'network' };
    expect(frames(across)).toEqual(['cluster']);
    expect(fault(across)).toBe('Service in namespace net: dns');
  });

  it.each([
    ['Cluster/-', ['cluster']],
    ['Namespace/kube-system', ['cluster']],
    ['Node/?', ['cluster', 'this node']],
    ['', ['cluster']],
    ['///', ['cluster']],
  ])('draws the place %j', (placeId, expected) => {
    expect(frames({ ...NODE_INCIDENT, placeId })).toEqual(expected);
    expect(fault({ ...NODE_INCIDENT, placeId })).toBeDefined();
  });

  it('counts victims that are not listed', () => {
    expect(sceneOf({ ...NODE_INCIDENT, victimCount: 34 }).count).toBe(34);
  });
});
