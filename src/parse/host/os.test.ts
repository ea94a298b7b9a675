import { describe, expect, it } from 'vitest';
import { familyOf } from './os-family.ts';
import { hear, told } from './testing.ts';

function os(text: string, context = {}) {
  return told(hear(text, context), 'host.os');
}

describe('the system of a host', () => {
  it('reads os-release', () => {
    const text =
      'PRETTY_NAME="Ubuntu 24.04.1 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\nVERSION="24.04.1 LTS (Noble Numbat)"\nID=ubuntu\nID_LIKE=debian\nHOME_URL="https://www.ubuntu.com/"';
    const heard = hear(text, { node: 'Node/elm-1' });
    expect(told(heard, 'host.os')).toEqual([
      { about: 'Node/elm-1', name: 'Ubuntu 24.04.1 LTS', family: 'debian', id: 'ubuntu', versionId: '24.04' },
    ]);
    expect(heard.taken).toEqual([{ what: 'os-release', lines: [1, 7] }]);
  });

  it.each([
    ['NAME="Rocky Linux"\nVERSION="9.3 (Blue Onyx)"\nID="rocky"\nID_LIKE="rhel centos fedora"', 'rhel'],
    ['NAME="openSUSE Leap"\nID="opensuse-leap"\nID_LIKE="suse opensuse"', 'suse'],
    ['NAME="Alpine Linux"\nID=alpine', 'alpine'],
    ['NAME="Flatcar"\nID=flatcar\nID_LIKE=coreos', 'other'],
    ['DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=20.04\nDISTRIB_DESCRIPTION="Ubuntu 20.04 LTS"', 'debian'],
    ['CentOS Linux release 7.9.2009 (Core)', 'rhel'],
    [
      'No LSB modules are available.\nDistributor ID:\tDebian\nDescription:\tDebian GNU/Linux 12 (bookworm)\nRelease:\t12\nCodename:\tbookworm',
      'debian',
    ],
  ])('%j', (text, family) => {
    expect(os(text)).toMatchObject([{ family }]);
  });

  it('reads the family of a name', () => {
    expect(familyOf('Amazon Linux 2')).toBe('rhel');
    expect(familyOf('Arch Linux')).toBe('arch');
    expect(familyOf(undefined, 'SLES')).toBe('suse');
    expect(familyOf('Talos')).toBe('other');
  });

  it('leaves variables and containers alone', () => {
    expect(hear('NAME="worker"').taken).toEqual([]);
    expect(hear('ID=7\nID=8').taken).toEqual([]);
    expect(os('PRETTY_NAME="Alpine Linux v3.19"\nID=alpine', { command: 'kubectl exec -it web-0 -- cat /etc/os-release' })).toEqual([]);
  });
});

describe('uname and hostnamectl', () => {
  it('name the host', () => {
    const heard = hear('Linux elm-1 5.15.0-91-generic #101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023 x86_64 x86_64 x86_64 GNU/Linux');
    expect(told(heard, 'host.version')).toEqual([{ about: 'Node/elm-1', component: 'kernel', version: '5.15.0-91-generic' }]);
    const host = hear(
      '   Static hostname: oak-2.example.test\n         Icon name: computer-vm\n        Machine ID: 0123\n  Operating System: AlmaLinux 9.3\n            Kernel: Linux 5.14.0-362.el9.x86_64\n      Architecture: x86-64',
      {
        node: 'Node/oak-2',
      },
    );
    expect(told(host, 'host.os')).toEqual([{ about: 'Node/oak-2', name: 'AlmaLinux 9.3', family: 'rhel' }]);
    expect(told(host, 'host.version')).toMatchObject([{ version: '5.14.0-362.el9.x86_64' }]);
    expect(host.taken).toMatchObject([{ lines: [1, 6] }]);
  });

  it('read the release alone only when asked for it', () => {
    expect(told(hear('6.1.0-18-amd64', { command: 'uname -r' }), 'host.version')).toMatchObject([{ version: '6.1.0-18-amd64' }]);
    expect(hear('6.1.0-18-amd64').facts).toEqual([]);
    expect(hear('Linux is a kernel #1 for x86_64').facts).toEqual([]);
  });
});
