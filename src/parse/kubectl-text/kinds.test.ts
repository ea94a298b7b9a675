import { describe, expect, it } from 'vitest';
import { entityId, kindOf, splitName } from './kinds.ts';

describe('kindOf', () => {
  it('knows short names, plurals and groups', () => {
    expect(['po', 'deploy', 'statefulsets', 'deployment.apps', 'ingresses.networking.k8s.io', 'Pod'].map(kindOf)).toEqual([
      'Pod',
      'Deployment',
      'StatefulSet',
      'Deployment',
      'Ingress',
      'Pod',
    ]);
  });

  it('does not take another group for its own', () => {
    expect(kindOf('services.serving.example.dev')).toBeUndefined();
    expect(kindOf('widgets')).toBeUndefined();
    expect(kindOf('constructor')).toBeUndefined();
  });
});

describe('entityId', () => {
  it('gives each kind its own sort of id', () => {
    expect(entityId('Pod', 'shop', 'web-0')).toBe('Pod/shop/web-0');
    expect(entityId('Node', 'shop', 'worker-1')).toBe('Node/worker-1');
    expect(entityId('DaemonSet', undefined, 'agent')).toBe('Workload/DaemonSet/?/agent');
    expect(entityId('PersistentVolume', 'shop', 'pv-1')).toBe('Object/PersistentVolume/?/pv-1');
    expect(entityId('ConfigMap', 'shop', 'settings')).toBe('Object/ConfigMap/shop/settings');
  });
});

describe('splitName', () => {
  it('splits kind and name', () => {
    expect(splitName('deployment.apps/web')).toEqual({ kind: 'Deployment', printed: 'deployment.apps', name: 'web' });
    expect(splitName('widget.example.dev/web')).toEqual({ printed: 'widget.example.dev', name: 'web' });
    expect(splitName('web')).toEqual({ name: 'web' });
  });
});
