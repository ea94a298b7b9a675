import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostChange } from '../../model/change.ts';
import { planHost } from './plan-host.ts';
import { hostScript } from './script.ts';
import { endOf, TestHost } from './testing-host.ts';
import { stateOf } from './testing-state.ts';

const ABOUT = { id: 'fix-1', title: 'A fix', report: 'r1', who: 'someone@here', healthSeconds: 5 };
const LONG = 60_000;

const hosts: TestHost[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.remove();
});

function hostWith(files: Readonly<Record<string, string>>, units: readonly string[] = ['kubelet']): TestHost {
  const host = new TestHost(units);
  for (const [path, text] of Object.entries(files)) host.write(path, text);
  hosts.push(host);
  return host;
}

function scriptFor(changes: readonly HostChange[], given: Parameters<typeof stateOf>[0] = {}): string {
  const plan = planHost(changes, stateOf(given));
  expect(plan.refused).toEqual([]);
  return hostScript(plan, ABOUT);
}

describe('packages, units and modules', { timeout: LONG }, () => {
  it('are brought, loaded, started, and all taken back', async () => {
    const host = hostWith({}, []);
    host.unit('iscsid', 'inactive');
    const changes: HostChange[] = [
      { do: 'package', names: { debian: 'open-iscsi' }, command: 'iscsiadm' },
      { do: 'module', name: 'iscsi_tcp' },
      { do: 'units', action: 'enable', units: ['iscsid'] },
      { do: 'units', action: 'start', units: ['iscsid'] },
    ];
    const script = scriptFor(changes, { units: new Map([['iscsid', 'inactive']]) });
    expect(endOf(await host.run(script, ['apply']))).toBe('done');
    expect(host.list('fake/packages')).toEqual(['open-iscsi']);
    expect(host.list('sys/module')).toContain('iscsi_tcp');
    expect(host.read('etc/modules-load.d/podcause.conf')).toBe('iscsi_tcp\n');
    expect(endOf(await host.run(script, ['undo']))).toBe('undone');
    expect(host.list('fake/packages')).toEqual([]);
    expect(host.list('etc')).not.toContain('modules-load.d');
    expect(host.list('sys/module')).not.toContain('iscsi_tcp');
    expect(host.calls()).toEqual(['enable iscsid', 'start iscsid', 'stop iscsid', 'disable iscsid']);
  });

  it('bring settings of the kernel; one that the kernel has not is refused', async () => {
    const host = hostWith({});
    const changes: HostChange[] = [
      { do: 'module', name: 'br_netfilter' },
      { do: 'sysctl', key: 'net.bridge.bridge-nf-call-iptables', value: '1' },
    ];
    expect(endOf(await host.run(scriptFor(changes), ['apply']))).toBe('done');
    expect(host.read('proc/sys/net/bridge/bridge-nf-call-iptables')).toBe('1\n');
    expect(endOf(await hostWith({}).run(scriptFor([{ do: 'module', name: 'nowhere' }]), ['apply']))).toBe('refused');
  });

  it('are taken back when the run is told to stop', async () => {
    const host = hostWith({ 'proc/sys/vm/max_map_count': '65530\n' });
    const modprobe = host.read('fake/bin/modprobe') ?? '';
    host.program('modprobe', `${modprobe}read -r pid rest <"$PODCAUSE_ROOT/var/lib/podcause/lock"\n[ "$1" = -r ] || kill -TERM "$pid"\n`);
    const changes: HostChange[] = [
      { do: 'module', name: 'nbd' },
      { do: 'sysctl', key: 'vm.max_map_count', value: '262144' },
    ];
    const ran = await host.run(scriptFor(changes), ['apply']);
    expect(endOf(ran)).toBe('rolled-back');
    expect(ran.out).toContain('it was told to stop');
    expect(host.list('sys/module')).toEqual(['overlay']);
    expect(host.read('proc/sys/vm/max_map_count')).toBe('65530\n');
  });

  it('that were set anew by somebody else are left so by undo, unless forced', async () => {
    const host = hostWith({ 'proc/sys/vm/max_map_count': '65530\n' });
    const script = scriptFor([{ do: 'sysctl', key: 'vm.max_map_count', value: '262144' }]);
    await host.run(script, ['apply']);
    host.write('proc/sys/vm/max_map_count', '300000\n');
    const stuck = await host.run(script, ['undo']);
    expect(endOf(stuck)).toBe('stuck');
    expect(stuck.out).toContain('vm.max_map_count was set to 300000 by someone else');
    expect(endOf(await host.run(script, ['undo', 'force']))).toBe('undone');
    expect(host.read('proc/sys/vm/max_map_count')).toBe('65530\n');
  });
});

describe('an AppArmor profile', { timeout: LONG }, () => {
  const PARSER = `#!/bin/sh
profiles=$PODCAUSE_ROOT/sys/kernel/security/apparmor/profiles
case $1 in -R) : >"$profiles" ;; -r) echo 'runc (enforce)' >"$profiles" ;; esac
`;

  it('is unloaded, and loaded again from its file', async () => {
    const host = hostWith({ 'sys/kernel/security/apparmor/profiles': 'runc (enforce)\n', 'etc/apparmor.d/runc': 'profile runc {}\n' });
    host.program('apparmor_parser', PARSER);
    const script = scriptFor([{ do: 'apparmor-unload', profile: 'runc' }], { profiles: new Map([['runc', '/etc/apparmor.d/runc']]) });
    expect(endOf(await host.run(script, ['apply']))).toBe('done');
    expect(host.read('sys/kernel/security/apparmor/profiles')).toBe('');
    expect(endOf(await host.run(script, ['undo']))).toBe('undone');
    expect(host.read('sys/kernel/security/apparmor/profiles')).toBe('runc (enforce)\n');
  });
});

describe('certificates', { timeout: LONG }, () => {
  const KUBEADM = `#!/bin/sh
[ "$4" != --help ] && [ "$3" != --help ] || exit 0
[ ! -e "$PODCAUSE_ROOT/fake/kubeadm-fails" ] || exit 1
echo new >"$PODCAUSE_ROOT/etc/kubernetes/pki/apiserver.crt"
`;
  const FILES = {
    'etc/kubernetes/pki/apiserver.crt': 'old\n',
    'etc/kubernetes/admin.conf': 'admin\n',
    'etc/kubernetes/manifests/kube-apiserver.yaml': 'pod\n',
    'etc/kubernetes/manifests/etcd.yaml': 'pod\n',
  };
  const MANIFESTS = ['etcd.yaml', 'kube-apiserver.yaml'];
  const script = () => scriptFor([{ do: 'kubeadm-renew', names: ['apiserver'] }]);

  function control(): TestHost {
    const host = hostWith(FILES);
    host.program('kubeadm', KUBEADM);
    host.program('curl', '#!/bin/sh\n');
    host.program('crictl', '#!/bin/sh\n');
    return host;
  }

  it('are renewed once, and the old ones put back', async () => {
    const host = control();
    expect(endOf(await host.run(script(), ['apply']))).toBe('done');
    expect(host.read('etc/kubernetes/pki/apiserver.crt')).toBe('new\n');
    expect(endOf(await host.run(script(), ['apply']))).toBe('already');
    expect(host.list('etc/kubernetes/manifests')).toEqual(MANIFESTS);
    expect(endOf(await host.run(script(), ['undo']))).toBe('undone');
    expect(host.read('etc/kubernetes/pki/apiserver.crt')).toBe('old\n');
    expect(host.list('etc/kubernetes/manifests')).toEqual(MANIFESTS);
  });

  it.each(['1.saved', '1.begun', '1.renewed', '1.held', '1.acted'])('never lose a manifest to a run that is killed: %s', async (point) => {
    const host = control();
    expect((await host.run(script(), ['apply'], { PODCAUSE_STOP_AT: point })).signal).toBe('SIGKILL');
    const other = host.copy();
    hosts.push(other);
    expect(endOf(await host.run(script(), ['apply']))).toBe('done');
    expect(endOf(await other.run(script(), ['undo']))).toBe('undone');
    expect([host, other].map((each) => each.read('etc/kubernetes/pki/apiserver.crt'))).toEqual(['new\n', 'old\n']);
    for (const each of [host, other]) {
      expect(each.list('etc/kubernetes/manifests')).toEqual(MANIFESTS);
      expect(each.list('etc/kubernetes').filter((path) => path.includes('podcause'))).toEqual([]);
    }
  });

  it('stay as they are when kubeadm fails', async () => {
    const host = control();
    host.write('fake/kubeadm-fails', '');
    expect(endOf(await host.run(script(), ['apply']))).toBe('rolled-back');
    expect(host.read('etc/kubernetes/pki/apiserver.crt')).toBe('old\n');
  });
});

describe('a kubelet', { timeout: LONG }, () => {
  const KUBELET = '/var/lib/kubelet/config.yaml';

  async function restartedWith(status: number): Promise<{ end: string; asked: number }> {
    let asked = 0;
    const server = createServer((request, response) => {
      asked++;
      response.writeHead(request.url === '/healthz' ? status : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const text = `kind: KubeletConfiguration\nhealthzPort: ${(server.address() as AddressInfo).port}\n`;
    const host = hostWith({ [KUBELET]: text });
    const changes: HostChange[] = [
      { do: 'kubelet-set', key: 'maxPods', value: 200 },
      { do: 'units', action: 'restart', units: ['kubelet'] },
    ];
    const end = endOf(await host.run(scriptFor(changes, { texts: { [KUBELET]: text } }), ['apply']));
    expect(host.read(KUBELET)).toBe(end === 'done' ? `${text}maxPods: 200\n` : text);
    server.close();
    return { end, asked };
  }

  it('is well when it says so where its file says it listens', async () => {
    expect(await restartedWith(200)).toEqual({ end: 'done', asked: 4 });
    expect(await restartedWith(500)).toMatchObject({ end: 'rolled-back' });
  });
});
