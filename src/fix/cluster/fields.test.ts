import { describe, expect, it } from 'vitest';
import { catalogue } from '../../causes/catalogue.ts';
import { type ClusterChange, isHostChange } from '../../model/change.ts';
import { fieldOf, objectFieldOf } from './fields.ts';

const ofCauses = catalogue.flatMap(({ id, fixes }) =>
  fixes.flatMap(({ changes = [] }) =>
    changes.filter((change): change is ClusterChange => !isHostChange(change)).map((change) => ({ id, change })),
  ),
);

describe('fields of the catalogue', () => {
  it('are found at all', () => {
    expect(ofCauses.length).toBeGreaterThan(30);
  });

  it('of workloads can all be changed', () => {
    const wrong = ofCauses.flatMap(({ id, change }) => {
      if (change.do !== 'workload-set' && change.do !== 'workload-unset') return [];
      // A slot in the middle of a field is a name or a probe; one that is the whole field is for the cause's own tests.
      if (/^\{\{\w+\}\}$/.test(change.field)) return [];
      const field = change.field
        .replace(/^\{\{\w+\}\}\./, 'livenessProbe.')
        .replace(/^lifecycle\.\{\{\w+\}\}/, 'lifecycle.preStop')
        .replace(/httpGet\.\{\{\w+\}\}/, 'httpGet.path')
        .replace(/\{\{\w+\}\}/g, 'memory');
      return fieldOf(field, change.container !== undefined) ? [] : [`${id}: ${change.field}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('fields', () => {
  it('keep a key with dots whole', () => {
    expect(fieldOf('nodeSelector.kubernetes.io/arch', false)?.parts).toEqual(['nodeSelector', 'kubernetes.io/arch']);
    expect(fieldOf('resources.limits.nvidia.com/gpu', true)?.parts).toEqual(['resources', 'limits', 'nvidia.com/gpu']);
    expect(objectFieldOf('ResourceQuota', 'spec.hard.requests.storage')?.parts).toEqual(['spec', 'hard', 'requests.storage']);
  });

  it('of a pod come before those of a container, unless one is named', () => {
    expect(fieldOf('securityContext.runAsUser', false)?.of).toBe('pod');
    expect(fieldOf('securityContext.runAsUser', true)?.of).toBe('container');
    expect(fieldOf('serviceAccountName', true)).toBeUndefined();
  });

  it.each([
    '',
    '.',
    'image.',
    'env.A.valueFrom',
    'securityContext.capabilities.add',
    'volumeMounts.0.mountPath',
    `nodeSelector.${'a'.repeat(600)}`,
  ])('are not %j', (text) => {
    expect(fieldOf(text, true)).toBeUndefined();
    expect(fieldOf(text, false)).toBeUndefined();
  });

  it.each([
    ['constructor', 'name'],
    ['Secret', 'data.x'],
    ['Deployment', 'spec.template'],
    ['ConfigMap', 'data.__proto__'],
  ])('of a %s are not %s', (kind, text) => {
    expect(objectFieldOf(kind, text)).toBeUndefined();
  });
});
