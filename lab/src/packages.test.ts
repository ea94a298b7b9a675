import { describe, expect, it } from 'vitest';
import { lacks, missingPackages, onPath } from './packages.ts';

describe('missingPackages', () => {
  it('names the packages whose file is not there', () => {
    expect(missingPackages((file) => file !== 'runc' && file !== '/usr/lib/cni/bridge')).toEqual(['runc', 'containernetworking-plugins']);
  });
});

describe('onPath', () => {
  it('finds programs in folders and files by their full path', () => {
    expect(onPath('sh')).toBe(true);
    expect(onPath('/bin/sh')).toBe(true);
    expect(onPath('no-such-program-here')).toBe(false);
    expect(onPath('/no/such/file')).toBe(false);
  });
});

describe('lacks', () => {
  it('says nothing where all is there', () => {
    expect(lacks({ root: true, go: false, built: true, packages: [] })).toEqual([]);
  });

  it('says each thing that is missing, with what to do', () => {
    const lines = lacks({ root: false, go: false, built: false, packages: ['runc', 'dbus'] });
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('apt-get install runc dbus');
    expect(lines[2]).toContain('Go');
  });
});
