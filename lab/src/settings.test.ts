import { describe, expect, it } from 'vitest';
import { minorOf, versionFlags } from './binaries.ts';
import { instanceNumber, labPaths } from './settings.ts';

describe('labPaths', () => {
  it('lets the cache and the state be put elsewhere', () => {
    const paths = labPaths('/checkout', { PODCAUSE_LAB_CACHE: '/fast/cache', PODCAUSE_LAB_STATE: '/fast/state' });
    expect(paths).toEqual({ root: '/checkout', cache: '/fast/cache', state: '/fast/state', kubeconfig: '/fast/state/kubeconfig' });
  });
});

describe('instanceNumber', () => {
  it('is 0 unless given', () => {
    expect(instanceNumber({})).toBe(0);
    expect(instanceNumber({ PODCAUSE_LAB_INSTANCE: '3' })).toBe(3);
  });

  it.each(['10', '-1', '1.5', 'two'])('refuses %s', (text) => {
    expect(() => instanceNumber({ PODCAUSE_LAB_INSTANCE: text })).toThrow('0 to 9');
  });
});

describe('versions', () => {
  it('are told to the linker and name the folder of the module', () => {
    expect(versionFlags('v1.31.4')).toContain('version.gitVersion=v1.31.4');
    expect(versionFlags('v1.31.4')).toContain('version.gitMinor=31');
    expect(minorOf('v1.31.4')).toBe('v1.31');
  });
});
