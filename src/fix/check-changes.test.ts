import { describe, expect, it } from 'vitest';
import { catalogue } from '../causes/catalogue.ts';
import type { Change } from '../model/change.ts';
import { checkChanges } from './check-changes.ts';
import { fieldOf, objectFieldOf } from './cluster/fields.ts';
import { valid } from './host/valid.ts';

describe('changes from a file', () => {
  it.each<readonly [string, unknown]>([
    ['no list', {}],
    ['an empty list', []],
    ['a change nobody knows', [{ do: 'run', command: 'rm -rf /' }]],
    ['a field nobody knows', [{ do: 'units', action: 'restart', units: ['kubelet'], afterwards: 'reboot' }]],
    ['an action nobody knows', [{ do: 'units', action: 'mask', units: ['kubelet'] }]],
    ['a unit that is a command', [{ do: 'units', action: 'restart', units: ['kubelet; reboot'] }]],
    ['a unit that is an option', [{ do: 'units', action: 'restart', units: ['--force'] }]],
    ['a file elsewhere', [{ do: 'remove-file', path: '/etc/../home/someone/.ssh/authorized_keys' }]],
    ['a file of users', [{ do: 'remove-file', path: '/home/a/b' }]],
    ['a package with an option', [{ do: 'package', names: { debian: '-o=x' } }]],
    ['a sysctl that is a path', [{ do: 'sysctl', key: '../../etc/passwd', value: '1' }]],
    ['a value with a line break', [{ do: 'kubelet-set', key: 'cgroupDriver', value: 'systemd\nfoo: bar' }]],
    ['a drop-in with a line break', [{ do: 'drop-in', unit: 'kubelet', lines: ['a\nb'] }]],
    ['an object that is a path', [{ do: 'object-set', object: '../secrets', field: 'data', value: 'x' }]],
    ['inherited names', [{ do: 'constructor' }]],
  ])('are refused: %s', (_name, given) => {
    expect(() => checkChanges(given)).toThrow();
  });

  it('are taken where they are of the vocabulary', () => {
    const changes: readonly Change[] = [
      { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
      { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
      { do: 'workload-set', container: 'web', field: 'image', value: { ask: 'image', says: 'an image that exists' } },
      { do: 'restart-pods' },
    ];
    expect(checkChanges(changes)).toEqual(changes);
  });
});

describe('the catalogue', () => {
  const withChanges = catalogue.flatMap(({ id, fixes }) => fixes.flatMap(({ changes }) => (changes ? [{ id, changes }] : [])));

  it('offers changes for a good part of its causes', () => {
    expect(new Set(withChanges.map(({ id }) => id)).size).toBeGreaterThan(140);
  });

  it.each(withChanges)('keeps to the vocabulary: $id', ({ changes }) => {
    const text = JSON.stringify(changes, (key, value: unknown) => (typeof value === 'string' ? filled(key, value) : value));
    expect(() => checkChanges(JSON.parse(text))).not.toThrow();
  });

  it.each(withChanges)('asks only for what the planners do: $id', ({ changes }) => {
    expect(changes.filter((change) => !JSON.stringify(change).includes('{{') && !isPlanned(change))).toEqual([]);
  });
});

/** A slot filled with something of the shape it will have. */
function filled(key: string, value: string): string {
  const sample = key === 'object' ? 'Kind/shop/web' : key === 'path' ? '/etc/x' : key === 'key' ? 'net.core.x' : 'web';
  return /^\{\{\w+\}\}$/.test(value) ? sample : value.replaceAll(/\{\{\w+\}\}/g, 'web');
}

function isPlanned(change: Change): boolean {
  switch (change.do) {
    case 'workload-set':
      return fieldOf(change.field, change.container !== undefined)?.onlyUnset === false;
    case 'workload-unset':
      return fieldOf(change.field, change.container !== undefined) !== undefined;
    case 'object-set':
      return objectFieldOf(change.object.split('/')[0] ?? '', change.field) !== undefined;
    case 'kubelet-set':
      return valid.kubeletKey(change.key) && valid.scalar(change.value);
    case 'docker-set':
      return valid.dockerOption(change.option) && valid.scalar(change.value);
    case 'drop-in':
      return valid.unit(change.unit) && change.lines.every(valid.dropInLine);
    case 'sysctl':
      return valid.sysctl(change.key) && valid.sysctlValue(change.value);
    case 'package':
      return Object.values(change.names).every(valid.name);
    case 'units':
      return change.units.every(valid.unit);
    case 'remove-file':
      return valid.removable(change.path);
    case 'kubeadm-renew':
      return change.names.every(valid.certificate);
    default:
      return true;
  }
}
