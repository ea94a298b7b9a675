import { describe, expect, it } from 'vitest';
import type { Fact, FactKind } from '../../model/facts.ts';
import { readDocuments } from '../read-documents.ts';

/** Reads files of an archive as they come out of it. */
async function facts(files: Readonly<Record<string, string>>): Promise<readonly Fact[]> {
  const documents = Object.entries(files).map(([name, text]) => ({ name, size: text.length, bytes: Buffer.from(text) }));
  return (await readDocuments(documents, [], {})).evidence.facts;
}

function told(list: readonly Fact[], kind: FactKind): object[] {
  return list.filter((fact) => fact.kind === kind).map(({ cited: _cited, kind: _kind, ...rest }) => rest);
}

const POD = {
  apiVersion: 'v1',
  kind: 'PodList',
  items: [
    {
      metadata: { name: 'web-0', namespace: 'shop' },
      spec: { nodeName: 'worker-2', containers: [{ name: 'app', image: 'registry.example/web:1' }] },
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'app', ready: false, restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
      },
    },
  ],
};

describe("Rancher's collector", () => {
  it('gives the state of the node it ran on', async () => {
    const root = 'worker-2-2024-05-01_10_20_30';
    const found = await facts({
      [`${root}/systeminfo/freem`]: `              total        used        free      shared  buff/cache   available
Mem:           7961        5120         220          12        2620        2540
Swap:          2047           0        2047
`,
      [`${root}/systeminfo/file-max`]: '9223372036854775807\n',
      [`${root}/systeminfo/rhel-getenforce`]: 'Enforcing\n',
      [`${root}/networking/iptables`]: `Chain FORWARD (policy DROP 12 packets, 720 bytes)
 pkts bytes target     prot opt in     out     source               destination
`,
      [`${root}/networking/sstunlp4`]: `Netid State  Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
tcp   LISTEN 0      4096       127.0.0.1:10248      0.0.0.0:*    users:(("kubelet",pid=1021,fd=21))
`,
      [`${root}/journald/rke2-agent`]:
        'May 01 10:00:00 worker-2 rke2[800]: time="2024-05-01T10:00:00Z" level=fatal msg="starting kubernetes: preparing server: CA cert validation failed"\n',
      [`${root}/rke2/kubectl/pods`]: `NAMESPACE   NAME    READY   STATUS             RESTARTS   AGE   IP          NODE       NOMINATED NODE   READINESS GATES
shop        web-0   0/1     CrashLoopBackOff   4          3h    10.42.1.9   worker-2   <none>           <none>
`,
      [`${root}/rke2/podlogs/kube-system-rke2-canal-x7k2p`]: '2024-05-01 10:00:00.000 [ERROR][1] felix/main.go 10: out of luck\n',
    });
    expect(told(found, 'host.memory')).toEqual([{ about: 'Node/worker-2', totalBytes: 8347713536, availableBytes: 2663383040 }]);
    expect(told(found, 'host.swap')).toEqual([{ about: 'Node/worker-2', active: true }]);
    expect(told(found, 'host.sysctl')).toEqual([{ about: 'Node/worker-2', key: 'fs.file-max', value: '9223372036854775807' }]);
    expect(told(found, 'host.lsm')).toEqual([{ about: 'Node/worker-2', module: 'selinux', state: 'enforcing' }]);
    expect(told(found, 'host.firewall')).toEqual([{ about: 'Node/worker-2', chain: 'FORWARD', action: 'DROP', by: 'policy', packets: 12 }]);
    expect(told(found, 'host.listener')).toMatchObject([{ about: 'Node/worker-2', port: 10248, process: 'kubelet' }]);
    expect(told(found, 'pod.status')).toMatchObject([{ about: 'Pod/shop/web-0', status: 'CrashLoopBackOff' }]);
    const errors = told(found, 'log.error') as { about: string; message: string }[];
    expect(errors.find(({ message }) => message.includes('CA cert validation failed'))?.about).toBe('Node/worker-2');
    expect(errors.find(({ message }) => message.includes('out of luck'))?.about).toMatch(/kube-system\/rke2-canal-x7k2p/);
  });
});

describe('sosreport', () => {
  it('is the one host it was taken on', async () => {
    const root = 'sosreport-worker-2-2024-05-01-abcdefg';
    const found = await facts({
      [`${root}/sos_commands/filesys/df_-al_-x_autofs`]: `Filesystem     1K-blocks     Used Available Use% Mounted on
/dev/vda2       41931756 41931756         0 100% /
`,
      [`${root}/sos_commands/kernel/sysctl_-a`]: 'net.ipv4.ip_forward = 0\nnet.ipv4.conf.all.rp_filter = 1\n',
      [`${root}/sos_commands/chrony/chronyc_tracking`]: `Reference ID    : 7F7F0101 ()
Stratum         : 10
System time     : 12.500000000 seconds slow of NTP time
Leap status     : Normal
`,
      [`${root}/proc/sys/net/ipv4/ip_forward`]: '0\n',
      [`${root}/sos_commands/crio/journalctl_--no-pager_--unit_crio`]:
        'May 01 10:00:00 worker-2 crio[900]: time="2024-05-01T10:00:00Z" level=error msg="no room for a new sandbox"\n',
      [`${root}/var/log/messages`]:
        'May  1 10:00:00 worker-2 kernel: Out of memory: Killed process 4312 (java) total-vm:1kB, anon-rss:1kB\n',
    });
    expect(told(found, 'host.filesystem')).toEqual([{ about: 'Node/worker-2', path: '/', usedShare: 1 }]);
    expect(told(found, 'host.sysctl')).toContainEqual({ about: 'Node/worker-2', key: 'net.ipv4.ip_forward', value: '0' });
    expect(told(found, 'host.clock')).toEqual([{ about: 'Node/worker-2', synchronized: true, offsetSeconds: -12.5 }]);
    expect(told(found, 'kernel.oom')).toMatchObject([{ about: 'Node/worker-2', process: 'java' }]);
    expect(told(found, 'log.error')).toContainEqual(
      expect.objectContaining({ about: 'Node/worker-2', component: 'crio', message: 'no room for a new sandbox' }),
    );
  });
});

describe("Longhorn's bundle", () => {
  it('keeps pods, their earlier runs and nodes apart', async () => {
    const root = 'supportbundle_7c_2024-05-01T10-00-00Z';
    const found = await facts({
      [`${root}/logs/longhorn-system/longhorn-manager-ab1/longhorn-manager.log`]:
        'time="2024-05-01T10:00:00Z" level=fatal msg="Error starting manager: the webhook is away"\n',
      [`${root}/yamls/namespaced/shop/v1/pods.yaml`]: JSON.stringify({ ...POD, kind: 'List' }, null, 1),
      [`${root}/nodes/worker-2.zip/worker-2/logs/kubelet.log`]:
        'May 01 10:00:00 worker-2 kubelet[900]: E0501 10:00:00.000001     900 kubelet.go:1] "the kubelet is unhappy"\n',
      [`${root}/nodes/worker-2.zip/worker-2/hostinfos/proc_mounts`]: '/dev/vda1 / ext4 ro,relatime 0 0\n',
    });
    expect(told(found, 'container.last-words')).toMatchObject([
      { about: 'Container/longhorn-system/longhorn-manager-ab1/longhorn-manager' },
    ]);
    expect(told(found, 'container.waiting')).toMatchObject([{ about: 'Container/shop/web-0/app' }]);
    expect(told(found, 'host.filesystem')).toEqual([{ about: 'Node/worker-2', path: '/', readOnly: true }]);
    expect(told(found, 'log.error')).toContainEqual(expect.objectContaining({ about: 'Node/worker-2', component: 'kubelet' }));
  });
});

describe('a troubleshoot bundle', () => {
  it('gives objects, logs and what its host collectors found', async () => {
    const root = 'support-bundle-2024-05-01T10_00_00';
    const found = await facts({
      [`${root}/cluster-resources/pods/shop.json`]: JSON.stringify(POD, null, 2),
      [`${root}/cluster-resources/pods/logs/shop/web-0/app-previous.log`]: 'panic: nothing to serve\n',
      [`${root}/host-collectors/system/memory.json`]: '{"total":8347713536}',
      [`${root}/host-collectors/system/time.json`]: '{"timezone":"UTC","ntp_synchronized":false,"ntp_active":false}',
      [`${root}/host-collectors/system/kernel_modules.json`]:
        '{"br_netfilter":{"size":0,"instances":0,"status":"loadable"},"overlay":{"size":1,"instances":2,"status":"loaded"},"zzz":{"status":"loaded"}}',
      [`${root}/host-collectors/system/sysctl.json`]: '{"net.ipv4.ip_forward":"0","dev.cdrom.info":"x"}',
      [`${root}/host-collectors/system/systemctl_services.json`]:
        '[{"Unit":"kubelet.service","Load":"loaded","Active":"failed","Sub":"failed"},{"Unit":"cups.service","Load":"loaded","Active":"active","Sub":"running"}]',
      [`${root}/host-collectors/system/block_devices.json`]:
        '[{"name":"mpatha","kernel_name":"dm-0","parent_kernel_name":"sdc","type":"mpath","filesystem_type":"","mountpoint":""}]',
      [`${root}/host-collectors/tcpPortStatus/api.json`]: '{"status":"connection-refused","message":""}',
      [`${root}/host-collectors/run-host/routes.txt`]: 'default via 10.0.0.1 dev eth0\n',
    });
    expect(told(found, 'container.waiting')).toMatchObject([{ about: 'Container/shop/web-0/app', reason: 'CrashLoopBackOff' }]);
    expect(told(found, 'container.last-words')).toMatchObject([{ about: 'Container/shop/web-0/app' }]);
    expect(told(found, 'host.memory')).toEqual([{ about: 'Node/?', totalBytes: 8347713536 }]);
    expect(told(found, 'host.clock')).toEqual([{ about: 'Node/?', synchronized: false }]);
    expect(told(found, 'host.tool')).toEqual([
      { about: 'Node/?', name: 'br_netfilter', present: false },
      { about: 'Node/?', name: 'overlay', present: true },
    ]);
    expect(told(found, 'host.sysctl')).toEqual([{ about: 'Node/?', key: 'net.ipv4.ip_forward', value: '0' }]);
    expect(told(found, 'unit.state')).toEqual([{ about: 'Node/?', unit: 'kubelet', active: 'failed', sub: 'failed' }]);
    expect(told(found, 'host.block-device')).toEqual([{ about: 'Node/?', name: 'mpatha', type: 'mpath', under: 'sdc' }]);
    expect(told(found, 'net.attempt')).toEqual([{ about: 'Node/?', tool: 'tcp', target: 'api', result: 'refused' }]);
    expect(told(found, 'host.route')).toEqual([
      { about: 'Node/?', destination: 'default', present: true, via: '10.0.0.1', device: 'eth0' },
    ]);
  });
});

describe('must-gather', () => {
  it('tells the nodes of one journal apart, and the runs of a container', async () => {
    const root = 'must-gather.local.1/quay-io-release-x';
    const line = (node: string, words: string) =>
      `${node}.example.org May 01 10:00:00.123456 ${node}.example.org hyperkube[2112]: E0501 10:00:00.000001    2112 kubelet.go:1] "${words}"`;
    const found = await facts({
      [`${root}/host_service_logs/masters/kubelet_service.log`]: `${line('master-0', 'first is unhappy')}
${line('master-0', 'first is still unhappy')}
${line('master-1', 'second is unhappy')}
`,
      [`${root}/namespaces/shop/pods/web-0/app/app/logs/current.log`]: '2024-05-01T10:00:00.000000000Z ERROR no route to the bank\n',
      [`${root}/cluster-scoped-resources/core/nodes/worker-2.yaml`]: `apiVersion: v1
kind: Node
metadata:
  name: worker-2
status:
  conditions:
  - type: Ready
    status: "False"
    reason: KubeletNotReady
`,
    });
    const errors = told(found, 'log.error') as { about: string; message: string }[];
    const who = (words: string) => errors.find(({ message }) => message.includes(words))?.about;
    expect(who('first is still unhappy')).toBe('Node/master-0.example.org');
    expect(who('second is unhappy')).toBe('Node/master-1.example.org');
    expect(who('no route to the bank')).toBe('Container/shop/web-0/app');
    expect(told(found, 'node.condition')).toMatchObject([{ about: 'Node/worker-2', type: 'Ready', status: 'False' }]);
  });
});
