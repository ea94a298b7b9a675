import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

function tools(text: string, context = {}) {
  return told(hear(text, context), 'host.tool').map(({ name, present }) => `${name} ${present}`);
}

describe('tools', () => {
  it.each([
    ['/usr/sbin/iscsiadm', 'iscsiadm true'],
    ['iscsiadm is /usr/sbin/iscsiadm', 'iscsiadm true'],
    ['/usr/bin/which: no iscsiadm in (/usr/local/sbin:/usr/local/bin:/usr/sbin)', 'iscsiadm false'],
    ['-bash: iscsiadm: command not found', 'iscsiadm false'],
    ['bash: line 1: iscsiadm: command not found', 'iscsiadm false'],
    ['sh: 1: iscsiadm: not found', 'iscsiadm false'],
    ['sudo: crictl: command not found', 'crictl false'],
    ['zsh: command not found: mount.nfs', 'mount.nfs false'],
    ["Command 'iscsiadm' not found, but can be installed with:", 'iscsiadm false'],
    ['iscsiadm not found', 'iscsiadm false'],
  ])('%s', (text, expected) => {
    expect(tools(text)).toEqual([expected]);
    expect(hear(text).sayings).toHaveLength(expected.endsWith('false') ? 1 : 0);
  });

  it('knows other programs when they were asked for', () => {
    expect(tools('/usr/bin/perl', { command: 'which perl' })).toEqual(['perl true']);
    expect(tools('/usr/bin/perl')).toEqual([]);
  });

  it('does not speak of the host for a container', () => {
    expect(tools('sh: iscsiadm: not found', { channel: 'container-log' })).toEqual([]);
    expect(tools('sh: iscsiadm: not found', { command: 'kubectl exec web-0 -- iscsiadm' })).toEqual([]);
  });

  it.each([
    'The page was not found',
    'iscsiadm was not found on this host',
    'Use /usr/sbin/iscsiadm to log in',
    'hello: world: command not found here',
  ])('takes no prose: %s', (text) => {
    expect(tools(text)).toEqual([]);
  });
});

describe('kernel modules', () => {
  it('reads lsmod', () => {
    expect(
      tools(
        'Module                  Size  Used by\niscsi_tcp              24576  0\nlibiscsi_tcp           32768  1 iscsi_tcp\nsnd                    99999  3 a,b,c',
      ),
    ).toEqual(['iscsi_tcp true']);
    expect(tools('overlay               151552  33', { command: 'lsmod | grep overlay' })).toEqual(['overlay true']);
    expect(tools('overlay               151552  33')).toEqual([]);
  });

  it('reads what modprobe could not load', () => {
    const heard = hear('modprobe: FATAL: Module iscsi_tcp not found in directory /lib/modules/5.15.0-91-generic');
    expect(told(heard, 'host.tool')).toMatchObject([{ name: 'iscsi_tcp', present: false }]);
    expect(heard.sayings).toMatchObject([{ level: 'error', component: 'modprobe' }]);
  });
});

describe('aa-status', () => {
  it('tells the profiles of runtimes', () => {
    const heard = hear(`apparmor module is loaded.
120 profiles are loaded.
58 profiles are in enforce mode.
   /usr/bin/man
   cri-containerd.apparmor.d
   docker-default
62 profiles are in unconfined mode.
   runc
3 processes have profiles defined.
3 processes are in enforce mode.
   /usr/sbin/runc (4711) runc`);
    expect(told(heard, 'host.tool').map(({ name }) => name)).toEqual([
      'apparmor',
      'apparmor profile cri-containerd.apparmor.d',
      'apparmor profile docker-default',
      'apparmor profile runc',
    ]);
    expect(heard.coverage).toMatchObject([{ channel: 'apparmor-state', extent: 'whole' }]);
    expect(heard.taken).toMatchObject([{ lines: [1, 11] }]);
  });

  it('tells that it is off', () => {
    expect(tools('apparmor module is not loaded.')).toEqual(['apparmor false']);
  });
});
