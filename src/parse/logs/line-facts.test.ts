import { describe, expect, it } from 'vitest';
import { readText } from './testing-sink.ts';

const UID = '0a1b2c3d-1111-2222-3333-444455556666';
const ID = 'c0'.repeat(32);
const KUBELET = 'Jan 02 03:04:05 node-a kubelet[914]: ';
const KERNEL = 'Jan 02 03:04:05 node-a kernel: ';
const SYSTEMD = 'Jan 02 03:04:05 node-a systemd[1]: ';

function facts(...lines: string[]) {
  return readText(lines.join('\n')).facts.map(({ kind, about, payload }) => [kind, about, payload]);
}

describe("the kubelet's log", () => {
  const message = `back-off 5m0s restarting failed container=app pod=api-0_shop(${UID})`;
  const waiting = [['container.waiting', 'Container/shop/api-0/app', { reason: 'CrashLoopBackOff', message }]];

  it('says what containers wait for, structured', () => {
    const err = `failed to \\"StartContainer\\" for \\"app\\" with CrashLoopBackOff: \\"${message}\\"`;
    expect(
      facts(
        `${KUBELET}E0102 03:04:05.000000     914 pod_workers.go:1298] "Error syncing pod, skipping" err="${err}" pod="shop/api-0" podUID="${UID}"`,
      ),
    ).toEqual(waiting);
  });

  it('says so in the words of older releases', () => {
    const said = `failed to "StartContainer" for "app" with CrashLoopBackOff: "${message}"`;
    expect(
      facts(
        `${KUBELET}E0102 03:04:05.000000     914 pod_workers.go:191] Error syncing pod ${UID} ("api-0_shop(${UID})"), skipping: ${said}`,
      ),
    ).toEqual(waiting);
  });

  it('says it for each container, and keeps quotes within', () => {
    const err =
      '[failed to "StartContainer" for "a" with ErrImagePull: "no \\"v9\\" here", failed to "StartContainer" for "b" with ImagePullBackOff: "Back-off"]';
    const line = `${KUBELET}E0102 03:04:05.000000 914 pod_workers.go:951] "Error syncing pod, skipping" err=${JSON.stringify(err)} pod="shop/api-0"`;
    expect(facts(line)).toEqual([
      ['container.waiting', 'Container/shop/api-0/a', { reason: 'ErrImagePull', message: 'no "v9" here' }],
      ['container.waiting', 'Container/shop/api-0/b', { reason: 'ImagePullBackOff', message: 'Back-off' }],
    ]);
  });

  it.each([
    ['"Using cgroup driver setting received from the CRI runtime" cgroupDriver="cgroupfs"', { driver: 'cgroupfs', source: 'cri' }],
    ['FLAG: --cgroup-driver="systemd"', { driver: 'systemd', source: 'log' }],
    [
      '"Creating Container Manager object based on Node Config" nodeConfig={"NodeName":"node-a","CgroupDriver":"systemd","KubeletRootDir":"/x"}',
      { driver: 'systemd', source: 'log' },
    ],
    [
      '"Creating Container Manager object based on Node Config" nodeConfig={RuntimeCgroupsName: CgroupDriver:cgroupfs KubeletRootDir:/x}',
      { driver: 'cgroupfs', source: 'log' },
    ],
    [
      'Creating Container Manager object based on Node Config: {RuntimeCgroupsName: CgroupDriver:systemd KubeletRootDir:/x}',
      { driver: 'systemd', source: 'log' },
    ],
  ])('names its cgroup driver: %s', (text, payload) => {
    expect(facts(`${KUBELET}I0102 03:04:05.000000     914 server.go:1] ${text}`)).toEqual([
      ['kubelet.cgroup-driver', 'Node/node-a', payload],
    ]);
  });

  it("does not take a flag's default for the setting", () => {
    expect(facts(`${KUBELET}I0102 03:04:05.000000     914 flags.go:64] FLAG: --cgroup-driver="cgroupfs"`)).toEqual([]);
  });

  it('names its version', () => {
    expect(facts(`${KUBELET}I0102 03:04:05.000000     914 server.go:1] "Kubelet version" kubeletVersion="v1.30.2"`)).toEqual([
      ['host.version', 'Node/node-a', { component: 'kubelet', version: 'v1.30.2' }],
    ]);
    expect(
      facts(
        'I0102 03:04:05.000000       1 server.go:872] "Version info" version="v1.30.2"',
        'I0102 03:04:05.000000       1 proxier.go:1] "x"',
      )[0],
    ).toEqual(['host.version', 'Node/?', { component: 'kube-proxy', version: 'v1.30.2' }]);
  });
});

describe("a runtime's log", () => {
  const CONTAINERD = 'Jan 02 03:04:05 node-a containerd[7]: time="2024-01-02T03:04:05.1Z" level=info ';

  it.each([
    [`${CONTAINERD}msg="starting containerd" revision=abc version=1.6.12`, { component: 'containerd', version: '1.6.12' }],
    [
      'Jan 02 03:04:05 node-a dockerd[7]: time="2024-01-02T03:04:05.1Z" level=info msg="Docker daemon" commit=5d6 graphdriver=overlay2 version=24.0.7',
      { component: 'docker', version: '24.0.7' },
    ],
    [
      'Jan 02 03:04:05 node-a crio[7]: time="2024-01-02 03:04:05.1Z" level=info msg="Starting CRI-O, version: 1.28.1, git: abc"',
      { component: 'cri-o', version: '1.28.1' },
    ],
  ])('%s', (line, payload) => {
    expect(facts(line)).toEqual([['host.version', 'Node/node-a', payload]]);
  });

  it('shows the cgroup driver of each handler, not the key of the same name further out', () => {
    const runtime = (options: string) =>
      `{Type:io.containerd.runc.v2 Path: PodAnnotations:[] Root: Options:map[${options}] BaseRuntimeSpec: NetworkPluginMaxConfNum:0}`;
    const config = `{PluginConfig:{ContainerdConfig:{Snapshotter:overlayfs DefaultRuntime:{Type: Options:map[]} Runtimes:map[gpu:${runtime('BinaryName:/usr/bin/gpu')} runc:${runtime('BinaryName: SystemdCgroup:true')} vm:{Type:io.containerd.kata.v2 Options:map[]}] NoPivot:false} SystemdCgroup:false EnableTLSStreaming:false}`;
    const base = { runtime: 'containerd', source: 'effective' };
    expect(facts(`${CONTAINERD}msg="Start cri plugin with config ${config}"`)).toEqual([
      ['runtime.cgroup-driver', 'Node/node-a', { ...base, handler: 'gpu', driver: 'cgroupfs', explicit: false }],
      ['runtime.cgroup-driver', 'Node/node-a', { ...base, handler: 'runc', driver: 'systemd', explicit: true }],
    ]);
  });

  it('shows it where the configuration is printed as JSON', () => {
    const config = JSON.stringify({
      containerd: {
        defaultRuntimeName: 'runc',
        runtimes: { runc: { runtimeType: 'io.containerd.runc.v2', options: { SystemdCgroup: false } } },
      },
    });
    expect(facts(`${CONTAINERD}msg="starting cri plugin" config=${JSON.stringify(config)}`)).toEqual([
      [
        'runtime.cgroup-driver',
        'Node/node-a',
        { runtime: 'containerd', source: 'effective', handler: 'runc', driver: 'cgroupfs', explicit: true },
      ],
    ]);
  });
});

describe('systemd', () => {
  it('tells the state a unit is left in, with the loop it was in', () => {
    expect(
      facts(
        `${SYSTEMD}kubelet.service: Main process exited, code=exited, status=1/FAILURE`,
        `${SYSTEMD}kubelet.service: Failed with result 'exit-code'.`,
        `${SYSTEMD}kubelet.service: Scheduled restart job, restart counter is at 17.`,
        `${SYSTEMD}Stopped kubelet: The Kubernetes Node Agent.`,
        `${SYSTEMD}Started kubelet: The Kubernetes Node Agent.`,
      ),
    ).toEqual([
      [
        'unit.state',
        'Node/node-a',
        { unit: 'kubelet.service', active: 'active', sub: 'running', result: 'exit-code', exitStatus: '1/FAILURE', restarts: 17 },
      ],
    ]);
  });

  it('sees no trouble in one ordered restart', () => {
    expect(
      facts(
        `${SYSTEMD}Stopping containerd container runtime...`,
        `${SYSTEMD}containerd.service: Succeeded.`,
        `${SYSTEMD}Started containerd container runtime.`,
      ),
    ).toEqual([['unit.state', 'Node/node-a', { unit: 'containerd.service', active: 'active', sub: 'running' }]]);
  });

  it.each([
    ['docker.service: Start request repeated too quickly.', { unit: 'docker.service', active: 'failed', result: 'start-limit-hit' }],
    ['Unit kubelet.service entered failed state.', { unit: 'kubelet.service', active: 'failed' }],
    [
      'kubelet.service: main process exited, code=exited, status=255/n/a',
      { unit: 'kubelet.service', active: 'failed', sub: 'exited', exitStatus: '255/n/a' },
    ],
    ['kubelet.service holdoff time over, scheduling restart.', { unit: 'kubelet.service', active: 'activating', sub: 'auto-restart' }],
    [
      'containerd.service: Main process exited, code=killed, status=9/KILL',
      { unit: 'containerd.service', active: 'failed', sub: 'killed', exitStatus: '9/KILL' },
    ],
    ['Started kubelet.service - kubelet: The Kubernetes Node Agent.', { unit: 'kubelet.service', active: 'active', sub: 'running' }],
    ['Failed to start Docker Application Container Engine.', { unit: 'docker.service', active: 'failed' }],
    ['kubelet.service: Deactivated successfully.', { unit: 'kubelet.service', active: 'inactive', sub: 'dead' }],
  ])('%s', (text, payload) => {
    expect(facts(`${SYSTEMD}${text}`)).toEqual([['unit.state', 'Node/node-a', payload]]);
  });

  it.each(['Started Session 12 of user root.', 'run-containerd-x.mount: Succeeded.', 'Reached target Multi-User System.'])(
    'keeps silent about %s',
    (text) => {
      expect(facts(`${SYSTEMD}${text}`)).toEqual([]);
    },
  );
});

describe('the kernel', () => {
  const slice = `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${UID.replaceAll('-', '_')}.slice`;
  const scope = `${slice}/cri-containerd-${ID}.scope`;

  it('names the container a limit killed, once', () => {
    expect(
      facts(
        `${KERNEL}java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=985`,
        `${KERNEL}oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=${slice},task_memcg=${scope},task=java,pid=77,uid=0`,
        `${KERNEL}Memory cgroup out of memory: Killed process 77 (java) total-vm:1kB, anon-rss:1kB`,
      ),
    ).toEqual([['kernel.oom', `cid:${ID}`, { scope: 'cgroup', process: 'java', cgroup: scope }]]);
  });

  it('names the pod where the path has no more', () => {
    expect(
      facts(
        `[12.345678] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=${slice},task_memcg=${slice},task=java,pid=77,uid=0`,
      ),
    ).toEqual([['kernel.oom', `uid:${UID}`, { scope: 'cgroup', process: 'java', cgroup: slice }]]);
  });

  it('tells the host out of memory from a limit', () => {
    expect(
      facts(
        `[12.345678] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),global_oom,task_memcg=/system.slice/x.service,task=x,pid=7,uid=0`,
      ),
    ).toEqual([['kernel.oom', 'Node/?', { scope: 'node', process: 'x', cgroup: '/system.slice/x.service' }]]);
    expect(facts('[12.345678] Out of memory: Killed process 9 (mysqld) total-vm:1kB')).toEqual([
      ['kernel.oom', 'Node/?', { scope: 'node', process: 'mysqld' }],
    ]);
  });

  it('reads kernels that name the cgroup apart', () => {
    expect(
      facts(
        `[12.345678] Task in /kubepods/burstable/pod${UID}/${ID} killed as a result of limit of /kubepods/burstable/pod${UID}`,
        '[12.345679] Memory cgroup out of memory: Kill process 77 (java) score 1994 or sacrifice child',
        '[12.345680] Killed process 77 (java) total-vm:1kB',
        '[99.345680] Out of memory: Kill process 5 (db) score 9 or sacrifice child',
      ),
    ).toEqual([
      ['kernel.oom', `cid:${ID}`, { scope: 'cgroup', cgroup: `/kubepods/burstable/pod${UID}/${ID}` }],
      ['kernel.oom', 'Node/?', { scope: 'node', process: 'db' }],
    ]);
  });

  it.each([
    [
      'audit: type=1400 audit(1700000000.123:4): apparmor="DENIED" operation="signal" class="signal" profile="cri-containerd.apparmor.d" pid=7 comm="runc" requested_mask="receive" denied_mask="receive" signal=kill peer="runc"',
      { by: 'apparmor', operation: 'signal', profile: 'cri-containerd.apparmor.d', process: 'runc', signal: 'kill', peer: 'runc' },
    ],
    [
      'audit: type=1400 audit(1700000000.123:4): avc:  denied  { read write } for  pid=7 comm="mysqld" name="data" scontext=system_u:system_r:container_t:s0 tcontext=unconfined_u:object_r:var_t:s0 tclass=dir permissive=0',
      {
        by: 'selinux',
        operation: 'read write',
        process: 'mysqld',
        profile: 'system_u:system_r:container_t:s0',
        peer: 'unconfined_u:object_r:var_t:s0',
      },
    ],
    [
      'SELinux is preventing /usr/bin/runc from setattr access on the fifo_file exec.fifo. For complete SELinux messages run: sealert -l 0',
      { by: 'selinux', operation: 'setattr', process: '/usr/bin/runc' },
    ],
    [
      'audit: type=1326 audit(1700000000.123:4): auid=1 uid=0 pid=7 comm="app" exe="/app" sig=31 arch=c000003e syscall=435 compat=0 ip=0x0 code=0x80000000',
      { by: 'seccomp', operation: 'syscall 435', process: 'app', signal: '31' },
    ],
  ])('forbids: %s', (text, payload) => {
    expect(facts(`${KERNEL}${text}`)).toEqual([['kernel.denial', 'Node/node-a', payload]]);
  });

  it('does not take a call that was only logged for a denial', () => {
    expect(facts(`${KERNEL}audit: type=1326 audit(1.1:4): comm="app" sig=0 syscall=435 code=0x7ffc0000`)).toEqual([]);
  });
});
