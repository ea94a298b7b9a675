import { describe, expect, it } from 'vitest';
import { librariesOf } from './in-pod.ts';

describe('libraries of a program', () => {
  it('are the files that ldd names, with the loader', () => {
    const ldd =
      '\tlinux-vdso.so.1 (0x00007f4a4e8a6000)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f4a4e33e000)\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f4a4e8a8000)\n';
    expect(librariesOf(ldd)).toEqual(['/lib/x86_64-linux-gnu/libc.so.6', '/lib64/ld-linux-x86-64.so.2']);
  });
});
