import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('chrony and ntp', () => {
  it('tell whether the clock follows anything, and how far it is off', () => {
    const text = (leap: string) => `Reference ID    : 0A000001 (ntp.example)
Stratum         : 3
Ref time (UTC)  : Wed May 01 10:00:00 2024
System time     : 301.250000000 seconds fast of NTP time
Leap status     : ${leap}`;
    expect(told(hear(text('Normal')), 'host.clock')).toEqual([{ about: 'Node/?', synchronized: true, offsetSeconds: 301.25 }]);
    expect(told(hear(text('Not synchronised')), 'host.clock')).toEqual([{ about: 'Node/?', synchronized: false }]);
    const sources = (mark: string) => `MS Name/IP address         Stratum Poll Reach LastRx Last sample
===============================================================================
^${mark} ntp.example                   2   6   377    34    +12us[  +15us] +/-   12ms`;
    expect(told(hear(sources('*')), 'host.clock')).toEqual([{ about: 'Node/?', synchronized: true }]);
    expect(told(hear(sources('?')), 'host.clock')).toEqual([{ about: 'Node/?', synchronized: false }]);
    expect(told(hear('unsynchronised', { command: 'ntpstat' }), 'host.clock')).toEqual([{ about: 'Node/?', synchronized: false }]);
  });
});

describe('openssl x509 -text', () => {
  const TEXT = `Certificate:
    Data:
        Version: 3 (0x2)
        Issuer: CN = kubernetes
        Validity
            Not Before: Jan  5 10:00:00 2023 GMT
            Not After : Jan  5 10:00:00 2024 GMT
        Subject: O = system:masters, CN = kube-apiserver
        Subject Public Key Info:
            Public Key Algorithm: rsaEncryption
        X509v3 extensions:
            X509v3 Subject Alternative Name:
                DNS:kubernetes, DNS:kubernetes.default, IP Address:10.96.0.1
    Signature Algorithm: sha256WithRSAEncryption
         8f:aa:bb`;

  it('is read whole', () => {
    const heard = hear(TEXT, { command: 'openssl x509 -in /etc/kubernetes/pki/apiserver.crt -text -noout' });
    expect(told(heard, 'host.certificate')).toEqual([
      {
        about: 'Node/?',
        path: '/etc/kubernetes/pki/apiserver.crt',
        subject: 'O=system:masters, CN=kube-apiserver',
        issuer: 'CN=kubernetes',
        names: ['kubernetes', 'kubernetes.default', '10.96.0.1'],
        notBefore: Date.UTC(2023, 0, 5, 10),
        notAfter: Date.UTC(2024, 0, 5, 10),
      },
    ]);
    expect(heard.taken).toEqual([{ what: 'certificate', lines: [1, 15] }]);
  });

  it('is read in part', () => {
    const part = '        Validity\n            Not Before: Jan  5 10:00:00 2023 GMT\n            Not After : Jan  5 10:00:00 2024 GMT';
    expect(told(hear(part), 'host.certificate')).toMatchObject([{ notAfter: Date.UTC(2024, 0, 5, 10) }]);
    expect(hear('Subject: where is my cluster').taken).toEqual([]);
  });
});

describe('cat /proc/sys', () => {
  it('tells the values in the order of the files', () => {
    const command = 'cat /proc/sys/net/ipv4/ip_forward /proc/sys/net/bridge/bridge-nf-call-iptables';
    expect(told(hear('0\n1', { command }), 'host.sysctl')).toEqual([
      { about: 'Node/?', key: 'net.ipv4.ip_forward', value: '0' },
      { about: 'Node/?', key: 'net.bridge.bridge-nf-call-iptables', value: '1' },
    ]);
  });
});

describe('systemctl list-unit-files', () => {
  it('tells what starts at boot', () => {
    const text = `UNIT FILE                 STATE           PRESET
cups.service              enabled         enabled
iscsid.service            disabled        enabled

2 unit files listed.`;
    expect(told(hear(text), 'unit.state')).toEqual([{ about: 'Node/?', unit: 'iscsid', active: 'unknown', enabled: 'disabled' }]);
  });
});
