import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('security modules', () => {
  it('are listed by the kernel', () => {
    const heard = hear('lockdown,capability,landlock,yama,apparmor,bpf', { command: 'cat /sys/kernel/security/lsm' });
    expect(told(heard, 'host.lsm')).toEqual([{ about: 'Node/?', module: 'apparmor', state: 'enabled' }]);
    expect(hear('red,green,blue').taken).toEqual([]);
  });

  it('show which profiles of runtimes AppArmor has', () => {
    const heard = hear('cri-containerd.apparmor.d (enforce)\nrunc (unconfined)\n/usr/bin/man (enforce)', {
      command: 'cat /sys/kernel/security/apparmor/profiles',
    });
    expect(told(heard, 'host.tool').map(({ name }) => name)).toEqual([
      'apparmor profile cri-containerd.apparmor.d',
      'apparmor profile runc',
    ]);
    expect(heard.taken).toEqual([{ what: 'AppArmor profiles', lines: [1, 3] }]);
  });

  it.each([
    ['Enforcing', 'getenforce', 'enforcing'],
    ['Disabled', 'getenforce', 'disabled'],
    ['SELinux status:                 disabled', 'sestatus', 'disabled'],
    [
      'SELinux status:                 enabled\nSELinuxfs mount:                /sys/fs/selinux\nCurrent mode:                   permissive',
      'sestatus',
      'permissive',
    ],
  ])('tell the state of SELinux: %s', (text, command, state) => {
    expect(told(hear(text, { command }), 'host.lsm')).toEqual([{ about: 'Node/?', module: 'selinux', state }]);
  });
});
