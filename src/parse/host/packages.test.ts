import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

function tools(text: string) {
  return told(hear(text), 'host.tool').map(({ name, present }) => `${name} ${present}`);
}

describe('packages', () => {
  it('reads dpkg -l', () => {
    const heard = hear(`ii  containerd.io                   1.6.24-1                 amd64        An open and reliable container runtime
ii  docker-ce                       5:24.0.7-1~ubuntu.22.04~jammy amd64   Docker: the open-source application container engine
rc  open-iscsi                      2.1.5-1ubuntu1           amd64        iSCSI initiator tools
un  nfs-common                      <none>                   <none>       (no description available)
ii  zlib1g:amd64                    1:1.2.11                 amd64        compression library`);
    expect(told(heard, 'host.tool').map(({ name, present }) => [name, present])).toEqual([
      ['containerd.io', true],
      ['docker-ce', true],
      ['open-iscsi', false],
      ['nfs-common', false],
    ]);
    expect(told(heard, 'host.version').map(({ component, version }) => [component, version])).toEqual([
      ['containerd', '1.6.24-1'],
      ['docker', '24.0.7-1~ubuntu.22.04~jammy'],
    ]);
    expect(heard.taken).toEqual([{ what: 'package list', lines: [1, 5] }]);
  });

  it('reads rpm, apt, yum and apt-cache', () => {
    expect(tools('containerd.io-1.6.24-3.1.el8.x86_64\niscsi-initiator-utils-6.2.1.4-4.git095f59c.el8.x86_64')).toEqual([
      'containerd.io true',
      'iscsi-initiator-utils true',
      'iscsiadm true',
    ]);
    expect(tools('runc/jammy-updates,now 1.1.12-0ubuntu2~22.04.1 amd64 [installed,automatic]')).toEqual(['runc true']);
    expect(tools('nfs-common/jammy 1:2.6.1-1ubuntu1 amd64')).toEqual(['nfs-common false']);
    expect(tools('nfs-utils.x86_64    1:2.3.3-59.el8    @baseos')).toEqual(['nfs-utils true', 'mount.nfs true']);
    expect(tools('open-iscsi:\n  Installed: (none)\n  Candidate: 2.1.5-1ubuntu1\n  Version table:')).toEqual(['open-iscsi false']);
  });

  it('reads that a package is not there', () => {
    expect(tools('package iscsi-initiator-utils is not installed')).toEqual(['iscsi-initiator-utils false']);
    expect(tools('dpkg-query: no packages found matching open-iscsi')).toEqual(['open-iscsi false']);
    expect(hear('package iscsi-initiator-utils is not installed').sayings).toHaveLength(1);
  });

  it('takes no prose', () => {
    for (const text of ['containerd is installed', 'package managers: apt', 'constructor-1.0-1.x86_64 or so', 'ii is an IRC client'])
      expect(tools(text)).toEqual([]);
    expect(tools('constructor-1.0-1.x86_64')).toEqual([]);
  });
});
