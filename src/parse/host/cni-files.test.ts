import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const names = (text: string, command: string) => told(hear(text, { command }), 'host.tool').map(({ name, present }) => [name, present]);

describe('files of the pod network', () => {
  it('tell configurations, not what stands beside them', () => {
    expect(names('10-calico.conflist\ncalico-kubeconfig\nmultus.d', 'ls /etc/cni/net.d')).toEqual([
      ['cni config 10-calico.conflist', true],
    ]);
    const long = 'total 8\n-rw-r--r-- 1 root root 604 Nov 15 23:38 10-flannel.conflist';
    expect(names(long, 'ls -l /etc/cni/net.d')).toEqual([['cni config 10-flannel.conflist', true]]);
  });

  it('tell plugins', () => {
    expect(names('bridge\nhost-local', 'ls /opt/cni/bin')).toEqual([
      ['cni plugin bridge', true],
      ['cni plugin host-local', true],
    ]);
  });

  it.each(["ls: cannot access '/etc/cni/net.d': No such file or directory", 'ls: /etc/cni/net.d: No such file or directory'])(
    'tell that there are none: %s',
    (text) => {
      expect(names(text, 'ls /etc/cni/net.d')).toEqual([['cni config', false]]);
    },
  );

  it('are no other folder’s', () => {
    expect(hear('bridge', { command: 'ls /home' }).taken).toEqual([]);
  });
});
