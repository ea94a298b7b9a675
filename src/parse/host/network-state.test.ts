import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('routes', () => {
  const TABLE = `10.20.0.0/24 dev ens192 proto kernel scope link src 10.20.0.12 metric 100
10.244.1.0/24 via 10.244.1.0 dev flannel.1 onlink
10.244.3.17 dev cali0a1b2c scope link
blackhole 10.244.9.0/26 proto bird`;

  it('are told, those of single pods left out', () => {
    expect(told(hear(TABLE), 'host.route')).toEqual([
      { about: 'Node/?', destination: '10.20.0.0/24', present: true, device: 'ens192' },
      { about: 'Node/?', destination: '10.244.1.0/24', present: true, via: '10.244.1.0', device: 'flannel.1' },
      { about: 'Node/?', destination: '10.244.9.0/26', present: true, type: 'blackhole' },
    ]);
  });

  it('lack a default only when the whole table was shown', () => {
    const lacking = (text: string, command?: string) =>
      told(hear(text, command === undefined ? {} : { command }), 'host.route').some(
        ({ destination, present }) => destination === 'default' && !present,
      );
    expect(lacking(TABLE, 'ip route')).toBe(true);
    expect(lacking(TABLE, 'ip r')).toBe(true);
    expect(lacking(TABLE)).toBe(false);
    expect(lacking(TABLE, 'ip route | grep 10.')).toBe(false);
    expect(lacking(`default via 10.20.0.1 dev ens192\n${TABLE}`, 'ip route')).toBe(false);
  });

  it('are not neighbours', () => {
    expect(told(hear('10.0.0.1 dev eth0 lladdr 00:00:00:00:00:01 REACHABLE\n10.0.0.9 dev eth0  FAILED'), 'host.route')).toEqual([]);
  });

  it('are read from route -n and netstat -nr', () => {
    const text = `Kernel IP routing table
Destination     Gateway         Genmask         Flags   MSS Window  irtt Iface
0.0.0.0         10.31.7.1       0.0.0.0         UG        0 0          0 eth0
192.168.44.128  0.0.0.0         255.255.255.192 U         0 0          0 *
10.244.2.0      10.20.1.7       255.255.255.0   UG    0      0        0 tunl0`;
    expect(told(hear(text), 'host.route')).toEqual([
      { about: 'Node/?', destination: 'default', present: true, via: '10.31.7.1', device: 'eth0' },
      { about: 'Node/?', destination: '192.168.44.128/26', present: true },
      { about: 'Node/?', destination: '10.244.2.0/24', present: true, via: '10.20.1.7', device: 'tunl0' },
    ]);
  });
});

describe('sockets', () => {
  it.each([
    [
      'ss',
      'State    Recv-Q   Send-Q     Local Address:Port      Peer Address:Port  Process\nLISTEN   0        4096                   *:10250                *:*      users:(("kubelet",pid=1023,fd=13))',
    ],
    [
      'ss with protocols',
      'Netid State  Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess\ntcp   LISTEN 0      4096       *:10250      *:*    users:(("kubelet",pid=1023,fd=21))',
    ],
    ['an old ss', 'LISTEN     0      128       :::10250     :::*      users:(("kubelet",1023,13))'],
    ['netstat', 'tcp6       0      0 :::10250                :::*                    LISTEN      1023/kubelet'],
    [
      'lsof',
      'COMMAND  PID USER   FD   TYPE DEVICE SIZE/OFF NODE NAME\nkubelet 1023 root   21u  IPv6  29993      0t0  TCP *:10250 (LISTEN)',
    ],
  ])('tell who listens: %s', (_tool, text) => {
    expect(told(hear(text), 'host.listener')).toMatchObject([{ protocol: 'tcp', port: 10250, process: 'kubelet', pid: 1023 }]);
  });

  it('do not mistake a connection for a listener, and know one without its owner', () => {
    const text = `tcp        0      0 127.0.0.1:10250         127.0.0.1:4001          ESTABLISHED 1104/kube-apiserver
tcp        0      0 0.0.0.0:2379            0.0.0.0:*               LISTEN      -
udp        0      0 0.0.0.0:8472            0.0.0.0:*                           -`;
    expect(told(hear(text), 'host.listener')).toEqual([
      { about: 'Node/?', protocol: 'tcp', address: '0.0.0.0', port: 2379 },
      { about: 'Node/?', protocol: 'udp', address: '0.0.0.0', port: 8472 },
    ]);
  });
});

describe('ipvsadm', () => {
  const TEXT = `IP Virtual Server version 1.2.1 (size=4096)
Prot LocalAddress:Port Scheduler Flags
  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
TCP  10.96.0.1:443 rr
  -> 10.20.0.10:6443              Masq    1      3          0
UDP  10.96.0.10:53 rr`;

  it('tells services without backends', () => {
    const heard = hear(TEXT);
    expect(told(heard, 'host.virtual-service')).toEqual([
      { about: 'Node/?', protocol: 'tcp', address: '10.96.0.1', port: 443, backends: 1 },
      { about: 'Node/?', protocol: 'udp', address: '10.96.0.10', port: 53, backends: 0 },
    ]);
    expect(told(heard, 'host.service-rules')).toEqual([{ about: 'Node/?', mode: 'ipvs', services: 2 }]);
  });

  it('does not miss backends that grep took away', () => {
    expect(
      told(hear('TCP  10.96.0.1:443 rr\nTCP  10.96.7.7:80 rr', { command: 'ipvsadm -Ln | grep TCP' }), 'host.virtual-service'),
    ).toEqual([]);
  });
});

describe('ethtool', () => {
  it('tells the link and the offloads', () => {
    expect(told(hear('Settings for ens192:\n\tSupported ports: [ TP ]\n\tSpeed: Unknown!\n\tLink detected: no'), 'host.interface')).toEqual(
      [{ about: 'Node/?', name: 'ens192', present: true, carrier: false }],
    );
    const heard = hear(
      'Features for flannel.1:\nrx-checksumming: on\ntx-checksumming: on\n\ttx-checksum-ip-generic: on\n\ttx-checksum-sctp: off [fixed]',
    );
    expect(told(heard, 'host.offload')).toContainEqual({
      about: 'Node/?',
      device: 'flannel.1',
      feature: 'tx-checksum-ip-generic',
      on: true,
    });
  });
});

describe('resolv.conf', () => {
  it('is told of the host, and of a pod', () => {
    const text = '# Generated by NetworkManager\nsearch example.org\nnameserver 127.0.0.53\noptions edns0';
    expect(told(hear(text, { command: 'cat /etc/resolv.conf', node: 'Node/n1' }), 'host.resolver')).toEqual([
      { about: 'Node/n1', servers: ['127.0.0.53'], search: ['example.org'], options: 'edns0' },
    ]);
    expect(told(hear('nameserver 10.96.0.10', { command: 'kubectl exec -n shop web-0 -- cat /etc/resolv.conf' }), 'host.resolver')).toEqual(
      [{ about: 'Pod/shop/web-0', servers: ['10.96.0.10'] }],
    );
    expect(hear('search for the error in the logs').taken).toEqual([]);
  });
});
