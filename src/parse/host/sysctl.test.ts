import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('sysctl', () => {
  it('tells settings, and those the kernel does not have', () => {
    const heard = hear(
      'net.ipv4.ip_forward = 0\nsysctl: cannot stat /proc/sys/net/bridge/bridge-nf-call-iptables: No such file or directory\nkernel.printk = 4 4 1 7\nfs.file-nr = 1545\t0\t100\n',
      { command: 'sysctl net.ipv4.ip_forward …', node: 'Node/heron-1' },
    );
    expect(told(heard, 'host.sysctl')).toEqual([
      { about: 'Node/heron-1', key: 'net.ipv4.ip_forward', value: '0' },
      { about: 'Node/heron-1', key: 'net.bridge.bridge-nf-call-iptables' },
      { about: 'Node/heron-1', key: 'fs.file-nr', value: '1545 0 100' },
    ]);
    expect(heard.taken).toEqual([{ what: 'sysctl', lines: [1, 4] }]);
  });

  it('reads one setting with its command, and busybox', () => {
    expect(told(hear('vm.max_map_count = 65530', { command: 'sysctl vm.max_map_count' }), 'host.sysctl')).toHaveLength(1);
    expect(told(hear("sysctl: error: 'net.bridge.bridge-nf-call-iptables' is an unknown key"), 'host.sysctl')).toEqual([
      { about: 'Node/?', key: 'net.bridge.bridge-nf-call-iptables' },
    ]);
  });

  it('takes no lone setting out of other text, nor what a container printed', () => {
    expect(hear('vm.max_map_count = 65530').taken).toEqual([]);
    expect(hear('vm.max_map_count = 1\nkernel.pid_max = 2', { command: 'kubectl exec web -- sysctl -a' }).taken).toEqual([]);
  });
});
