import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const WHOLE = `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
2: ens192: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
    link/ether 00:50:56:9a:11:22 brd ff:ff:ff:ff:ff:ff
    inet 10.20.0.12/24 brd 10.20.0.255 scope global noprefixroute ens192
       valid_lft forever preferred_lft forever
    inet6 fe80::250:56ff:fe9a:1122/64 scope link
3: cni0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1450 qdisc noqueue state DOWN group default qlen 1000
    inet 10.244.3.1/24 brd 10.244.3.255 scope global cni0
9: veth0a1b@if3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 qdisc noqueue master cni0 state UP group default`;

describe('ip addr', () => {
  it('tells each interface, and that flannel has none', () => {
    const heard = hear(WHOLE, { node: 'Node/worker-2', command: 'ip a' });
    expect(told(heard, 'host.interface')).toEqual([
      {
        about: 'Node/worker-2',
        name: 'ens192',
        present: true,
        state: 'up',
        carrier: true,
        mtu: 1500,
        addresses: ['10.20.0.12/24', 'fe80::250:56ff:fe9a:1122/64'],
      },
      { about: 'Node/worker-2', name: 'cni0', present: true, state: 'down', carrier: false, mtu: 1450, addresses: ['10.244.3.1/24'] },
      { about: 'Node/worker-2', name: 'flannel.1', present: false },
    ]);
    expect(heard.sayings.map(({ text }) => text)).toContain('inet 10.244.3.1/24 brd 10.244.3.255 scope global cni0');
  });

  it('says nothing about what is not there when not all was shown', () => {
    const absent = (text: string, command: string) => told(hear(text, { command }), 'host.interface').filter(({ present }) => !present);
    expect(absent(WHOLE.slice(WHOLE.indexOf('2: ')), 'ip a')).toEqual([]);
    expect(absent(WHOLE, 'ip a | head -20')).toEqual([]);
    expect(absent(WHOLE.replace('3: cni0', '...\n3: cni0'), 'ip a')).toEqual([]);
  });

  it('reads details pasted without their indent', () => {
    const text =
      '5: docker0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state DOWN group default\nlink/ether 02:42:67:d2:8a:52 brd ff:ff:ff:ff:ff:ff\ninet 172.17.0.1/16 brd 172.17.255.255 scope global docker0\nvalid_lft forever';
    expect(told(hear(text), 'host.interface')).toMatchObject([{ name: 'docker0', addresses: ['172.17.0.1/16'] }]);
  });

  it.each([
    ['Device "flannel.1" does not exist.', 'flannel.1'],
    ['Cannot find device "cni0"', 'cni0'],
    ['cni0: error fetching interface information: Device not found', 'cni0'],
    ['bridge cni0 does not exist!', 'cni0'],
  ])('knows one that is missing: %s', (text, name) => {
    expect(told(hear(text), 'host.interface')).toEqual([{ about: 'Node/?', name, present: false }]);
  });

  it('reads the short forms', () => {
    expect(
      told(hear('eth0             UP             10.0.0.5/24 fe80::1/64\ncni0             DOWN           10.244.0.1/24'), 'host.interface'),
    ).toEqual([
      { about: 'Node/?', name: 'eth0', present: true, state: 'up', addresses: ['10.0.0.5/24', 'fe80::1/64'] },
      { about: 'Node/?', name: 'cni0', present: true, state: 'down', addresses: ['10.244.0.1/24'] },
    ]);
    const lines =
      '2: eth0    inet 10.0.0.5/24 brd 10.0.0.255 scope global eth0\\       valid_lft forever\n2: eth0    inet6 fe80::1/64 scope link';
    expect(told(hear(lines), 'host.interface')).toMatchObject([{ name: 'eth0', addresses: ['10.0.0.5/24', 'fe80::1/64'] }]);
  });
});

describe('ifconfig', () => {
  it('is read in both its forms', () => {
    const text = `cni0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1450
        inet 10.244.1.1  netmask 255.255.255.0  broadcast 10.244.1.255
        ether 0a:58:0a:f4:01:01  txqueuelen 1000  (Ethernet)`;
    const old = `eth0      Link encap:Ethernet  HWaddr 00:50:56:00:00:01
          inet addr:10.0.0.5  Bcast:10.0.0.255  Mask:255.255.254.0
          UP BROADCAST RUNNING MULTICAST  MTU:9000  Metric:1`;
    const long = `flannel.1 Link encap:Ethernet  HWaddr 2e:e3:38:5b:d5:69
          inet addr:10.4.78.0  Bcast:0.0.0.0  Mask:255.255.255.255
          UP BROADCAST RUNNING MULTICAST  MTU:1450  Metric:1`;
    expect(told(hear(long), 'host.interface')).toMatchObject([{ name: 'flannel.1', addresses: ['10.4.78.0/32'], mtu: 1450 }]);
    expect(told(hear(text), 'host.interface')).toEqual([
      { about: 'Node/?', name: 'cni0', present: true, state: 'up', carrier: true, mtu: 1450, addresses: ['10.244.1.1/24'] },
    ]);
    expect(told(hear(old), 'host.interface')).toEqual([
      { about: 'Node/?', name: 'eth0', present: true, state: 'up', carrier: true, mtu: 9000, addresses: ['10.0.0.5/23'] },
    ]);
  });
});

describe('brctl show', () => {
  it('tells what is plugged into a bridge', () => {
    const text =
      'bridge name\tbridge id\t\tSTP enabled\tinterfaces\ncni0\t\t8000.0a580af40001\tno\t\tveth0a1b\n\t\t\t\t\t\t\tveth77aa\ndocker0\t\t8000.0242aabbccdd\tno\t\t';
    expect(told(hear(text), 'host.interface')).toEqual([
      { about: 'Node/?', name: 'cni0', present: true, members: ['veth0a1b', 'veth77aa'] },
      { about: 'Node/?', name: 'docker0', present: true, members: [] },
    ]);
  });
});
