import { describe, expect, it } from 'vitest';
import type { Edited } from './edit.ts';
import { dropIn, modulesFile, sysctlFile } from './lines.ts';
import { applySplices } from './splices.ts';

function outcome(before: string, edited: Edited): string {
  if (!edited.ok) return `refused: ${edited.why}`;
  expect(applySplices(before, edited.splices)).toBe(edited.after);
  return edited.after;
}

function sysctl(text: string | undefined, key = 'fs.inotify.max_user_watches', value = '524288'): string {
  const after = outcome(text ?? '', sysctlFile(text, key, value));
  if (!after.startsWith('refused')) expect(sysctlFile(after, key, value)).toEqual({ ok: true, after, splices: [] });
  return after;
}

describe('a file of sysctl.d', () => {
  it.each([
    [undefined, 'fs.inotify.max_user_watches = 524288\n'],
    ['\uFEFF', '\uFEFFfs.inotify.max_user_watches = 524288\n'],
    ['a.b = 1', 'a.b = 1\nfs.inotify.max_user_watches = 524288\n'],
    ['a.b = 1\r\n', 'a.b = 1\r\nfs.inotify.max_user_watches = 524288\r\n'],
    ['fs.inotify.max_user_watches=8192\r\n# x\r\n', 'fs.inotify.max_user_watches=524288\r\n# x\r\n'],
    ['-fs/inotify/max_user_watches\t=\t8192  \n', '-fs/inotify/max_user_watches\t=\t524288  \n'],
    ['#fs.inotify.max_user_watches = 1\n', '#fs.inotify.max_user_watches = 1\nfs.inotify.max_user_watches = 524288\n'],
    [
      'fs.inotify.max_user_watches = 1\nx.y = 2\nfs.inotify.max_user_watches = 3\n',
      'fs.inotify.max_user_watches = 1\nx.y = 2\nfs.inotify.max_user_watches = 524288\n',
    ],
    ['fs.inotify.max_user_watches = 524288\n', 'fs.inotify.max_user_watches = 524288\n'],
  ])('%j', (text, after) => {
    expect(sysctl(text)).toBe(after);
  });

  it('knows a key with a dot in a name by its slashes', () => {
    const text = 'net/ipv4/conf/eth0.10/rp_filter = 1\n';
    expect(sysctl(text, 'net.ipv4.conf.eth0/10.rp_filter', '0')).toBe('net/ipv4/conf/eth0.10/rp_filter = 0\n');
  });

  it('takes blanks between words for the same', () => {
    const text = 'net.ipv4.ip_local_port_range = 1024\t65000\n';
    expect(sysctl(text, 'net.ipv4.ip_local_port_range', '1024 65000')).toBe(text);
  });

  it.each([
    ['a.b\nc.d = 1', '1'],
    ['a.b=c', '1'],
    ['#a.b', '1'],
    ['', '1'],
    ['a.b', '1\nkernel.core_pattern = |/tmp/x'],
    ['a.b', ' '],
    ['a.b', '\u001b[2J'],
  ])('refuses %j %j', (key, value) => {
    expect(sysctl('', key, value)).toMatch(/^refused: /);
  });

  it('reads a line of blanks in time', () => {
    const started = Date.now();
    sysctl(`${' '.repeat(200_000)}x\n`);
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});

describe('a file of modules-load.d', () => {
  it.each([
    [undefined, 'br_netfilter\n'],
    ['overlay', 'overlay\nbr_netfilter\n'],
    ['# br_netfilter\r\n', '# br_netfilter\r\nbr_netfilter\r\n'],
    [' br-netfilter \n', ' br-netfilter \n'],
    ['br_netfilter_more\n', 'br_netfilter_more\nbr_netfilter\n'],
  ])('%j', (text, after) => {
    expect(outcome(text ?? '', modulesFile(text, 'br_netfilter'))).toBe(after);
    expect(modulesFile(after, 'br_netfilter')).toEqual({ ok: true, after, splices: [] });
  });

  it.each(['', 'a b', '../x', 'a\nb', '$(x)'])('refuses %j', (name) => {
    expect(modulesFile('', name)).toMatchObject({ ok: false });
  });
});

describe('a drop-in', () => {
  it('stands in the section of services unless it says otherwise', () => {
    expect(outcome('', dropIn(['LimitNOFILE=1048576']))).toBe('[Service]\nLimitNOFILE=1048576\n');
    expect(outcome('', dropIn(['[Unit]', 'After=x']))).toBe('[Unit]\nAfter=x\n');
    expect(outcome('', dropIn(['A=b'], 'Unit'))).toBe('[Unit]\nA=b\n');
  });

  it.each([[[]], [['a\nExecStart=/x']], [['a\u001b']], [['a\r']]])('refuses %j', (lines) => {
    expect(dropIn(lines)).toMatchObject({ ok: false });
  });
});
