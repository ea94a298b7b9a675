import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostReaders } from './index.ts';
import { hear } from './testing.ts';

const ID = 'fa11ed'.padEnd(64, '7');
const UID = '3d2c1b0a-9f8e-4d7c-8b6a-5f4e3d2c1b0a';

const SAMPLES: readonly string[] = [
  'version = 2\n[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\n  SystemdCgroup = false\n  list = [\n    "a",\n  ]',
  '[crio.runtime]\ncgroup_manager = "systemd"',
  '{\n  "exec-opts": ["native.cgroupdriver=systemd"],\n  "live-restore": true\n}',
  'Client:\n Context:    default\n\nServer:\n Containers: 1\n Cgroup Driver: systemd\n Cgroup Version: 2\n Docker Root Dir: /var/lib/docker',
  `3fa1b2c4d5e6   7d8e9f0a1b2c   "/run.sh"   2 hours ago   Exited (1) 2 minutes ago   k8s_web_store-1_shop_${UID}_3`,
  '8c1d2e3f4a5b6  9a8b7c6d5e4f3  About an hour ago  Running  web  0  1a2b3c4d5e6f7',
  `{"status":{"id":"${ID}","state":"CONTAINER_EXITED","exitCode":1,"labels":{"io.kubernetes.pod.name":"store-1"}},"info":{"sandboxID":"x"}}`,
  'apiVersion: kubelet.config.k8s.io/v1beta1\ncgroupDriver: systemd\nclusterDNS:\n- 10.96.0.10\nkind: KubeletConfiguration',
  'apiVersion: v1\ndata:\n  kubelet: |\n    cgroupDriver: systemd\nkind: ConfigMap\nmetadata:\n  name: kubelet-config',
  '{"kubeletconfig":{"cgroupDriver":"systemd","evictionHard":{"memory.available":"1Gi"}}}',
  '# /etc/systemd/system/kubelet.service.d/10-kubeadm.conf\n[Service]\nEnvironment="KUBELET_ARGS=--cgroup-driver=systemd"\nExecStart=/usr/bin/kubelet $KUBELET_ARGS',
  `0::/system.slice/kubepods-burstable-pod${UID.replaceAll('-', '_')}.slice:cri-containerd:${ID}`,
  `├─kubepods.slice\n│ └─kubepods-pod${UID.replaceAll('-', '_')}.slice\n│   └─cri-containerd-${ID}.scope`,
  'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian',
  'Linux elm-1 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 x86_64 GNU/Linux',
  'ii  containerd.io  1.6.24-1  amd64  runtime\npackage nfs-utils is not installed',
  '● kubelet.service - kubelet\n   Loaded: loaded (/lib/x; enabled)\n   Active: failed (Result: exit-code) since Tue; 1s ago\n Main PID: 1 (code=exited, status=1/FAILURE)',
  'ActiveState=failed\nId=kubelet.service\nNRestarts=4',
  'Module                  Size  Used by\niscsi_tcp              24576  0',
  'apparmor module is loaded.\n58 profiles are in enforce mode.\n   docker-default',
  '1: lo: <LOOPBACK,UP> mtu 65536 state UNKNOWN\n2: eth0: <UP,LOWER_UP> mtu 1500 state UP\n    inet 10.0.0.5/24 scope global eth0',
  'bridge name\tbridge id\t\tSTP enabled\tinterfaces\ncni0\t\t8000.0a580af40001\tno\t\tveth0',
  'default via 10.0.0.1 dev eth0\n10.244.1.0/24 via 10.244.1.0 dev flannel.1 onlink',
  '*filter\n:FORWARD DROP [1:60]\n-A INPUT -j REJECT --reject-with icmp-host-prohibited\nCOMMIT',
  'Chain FORWARD (policy DROP)\ntarget     prot opt source   destination\nDROP       tcp  --  anywhere anywhere',
  'table ip filter {\n\tchain FORWARD {\n\t\ttype filter hook forward priority filter; policy drop;\n\t}\n}',
  'Prot LocalAddress:Port Scheduler Flags\nTCP  10.96.0.1:443 rr\n  -> 10.0.0.1:6443   Masq    1      3          0',
  'State Recv-Q Send-Q Local Address:Port Peer Address:Port\nLISTEN 0 128 *:10250 *:* users:(("kubelet",pid=1,fd=2))',
  'Filesystem Size Used Avail Use% Mounted on\n/dev/vda1 40G 40G 0 100% /',
  'TARGET SOURCE FSTYPE OPTIONS\n/ /dev/vda1 ext4 ro\n└─/var /dev/vdb xfs rw',
  'NAME MAJ:MIN RM SIZE RO TYPE MOUNTPOINT\nsdc 8:32 0 10G 0 disk\n└─mpatha 253:1 0 10G 0 mpath',
  "mpatha (36000) dm-1 IET,VIRTUAL-DISK\nsize=10G features='0' hwhandler='0' wp=rw\n  `- 3:0:0:1 sdc 8:32 failed faulty running",
  'Target: iqn.2019-10.io.x:a\n\tCurrent Portal: 10.0.0.1:3260,1\n\t\tiSCSI Session State: FREE',
  'Export list for nfs.example:\n/srv 10.0.0.0/8',
  '    total used free shared buff/cache available\nMem: 15Gi 8Gi 1Gi 1Gi 6Gi 5Gi\nSwap: 2Gi 0B 2Gi',
  'Limit Soft Limit Hard Limit Units\nMax open files            1024                 524288               files',
  'Certificate:\n    Data:\n        Validity\n            Not After : Jan  5 10:00:00 2024 GMT\n            X509v3 Subject Alternative Name:\n                DNS:a',
  'Reference ID    : 0A000001 (x)\nSystem time     : 3.5 seconds slow of NTP time\nLeap status     : Normal',
  'PING a (10.0.0.1) 56(84) bytes of data.\n\n--- a ping statistics ---\n3 packets transmitted, 0 received, 100% packet loss, time 2ms',
  "Server: 10.96.0.10\nAddress: 10.96.0.10#53\n\n** server can't find a: NXDOMAIN",
  '; <<>> DiG 9 <<>> a.b\n;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 1',
  'curl: (7) Failed to connect to 10.96.0.1 port 443: Connection refused',
  '[pid 1] open("/x", O_RDONLY) = -1 EACCES (Permission denied)',
  'search a.b\nnameserver 10.96.0.10',
];

describe('all host readers', () => {
  it('take every sample', () => {
    for (const sample of SAMPLES) expect(hear(sample).taken, sample).not.toEqual([]);
  });

  it('never throw, never go back, and cite lines that exist, however the text is broken', () => {
    const cut = fc.record({
      sample: fc.constantFrom(...SAMPLES),
      at: fc.nat(400),
      length: fc.nat(60),
      put: fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('\n', '"', '[', '{', '}', '...', '\t', '\u0000', '=', ':', '`')),
    });
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), (cuts) => {
        const text = cuts.map(({ sample, at, length, put }) => sample.slice(0, at) + put + sample.slice(at + length)).join('\n');
        const count = text.split('\n').length;
        const { facts, coverage } = hear(text, { command: 'cat /etc/containerd/config.toml' });
        for (const [first, last] of [
          ...facts.map(({ cited }) => cited[0]?.at.lines ?? [1, 1]),
          ...coverage.map(({ lines }) => lines ?? [1, 1]),
        ]) {
          expect(first).toBeGreaterThanOrEqual(1);
          expect(last).toBeGreaterThanOrEqual(first);
          expect(last).toBeLessThanOrEqual(count);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('never throw on any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 20 }), (lines) => {
        hear(lines.join('\n'));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    'All the pods on the worker restart again and again, and nothing in the logs tells why.',
    'I changed the value to true and restarted the service: now everything works.',
    '# Getting the logs',
    '- check the configuration, kubelet, subnet.env etc.',
    '> quoted: text = "something"',
    '| column | value |',
    'Note: this is important',
    'Name:         web-0',
    'Jul 19 20:54:58 elm-1 kubelet[914]: I0719 20:54:58.445104     914 scope.go:117] "RemoveContainer" containerID="abc"',
    'NAME    READY   STATUS    RESTARTS   AGE',
    'web-0   1/1     Running   0          5m',
    'time="2024-11-24T12:42:14Z" level=error msg="failed"',
    '{"ts":1.5,"level":"error","msg":"SystemdCgroup = true"}',
    'kind: Deployment',
    'export KUBECONFIG=/etc/kubernetes/admin.conf',
  ])('take no other text: %s', (text) => {
    expect(hear(text).taken).toEqual([]);
  });

  it('stay linear on long and repeated text', () => {
    const evil = [
      'version = 2',
      '[grpc]',
      '{',
      '[',
      '"State": {',
      'cgroupDriver: systemd',
      'data:',
      'kubelet: |',
      'apiVersion: v1',
      'ID=x',
      'SubState=dead',
      'Client:',
      ' API version: 1',
      '#disabled_plugins = [',
      '[Service]',
      '  /sys/fs/cgroup/kubepods.slice/x',
      '├─kubepods.slice',
      'a = [',
      'kind: Other',
      'x.service - y',
      'Static hostname: a',
      '{"sandboxID": [',
      '1: eth0: <UP> mtu 1500',
      'default via 10.0.0.1 dev eth0',
      'Chain FORWARD (policy DROP)',
      ':FORWARD DROP [1:1]',
      'table ip filter {',
      'TCP  10.96.0.1:443 rr',
      'CONNECTED(00000003)',
      'PING a (10.0.0.1)',
      ';; connection timed out; no servers could be reached',
      'nameserver 10.0.0.1',
      'Certificate:',
      'UNIT FILE STATE',
    ];
    const readAll = (times: number) => {
      const began = performance.now();
      for (const line of evil) hear(`${line}\n`.repeat(times));
      hear(
        evil
          .join('\n')
          .concat('\n')
          .repeat(times / 10),
      );
      for (const unit of [' ', '[', '{', '"', 'a', '- ', '=', '--a ', 'a.', '\\']) hear(unit.repeat(times * 40));
      return performance.now() - began;
    };
    const fastest = (times: number) => Math.min(readAll(times), readAll(times), readAll(times));
    readAll(200);
    // Growth, not time, so that a busy machine does not matter: what is not linear grows 64 times.
    expect(fastest(1600) / fastest(200)).toBeLessThan(24);
  });

  it('say what they read in a user’s words', () => {
    for (const { what } of hostReaders) expect(what).toMatch(/^[\w/.\- ]{3,60}$/);
  });
});
