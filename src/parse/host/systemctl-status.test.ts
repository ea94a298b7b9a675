import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const FAILED = `● kubelet.service - kubelet: The Kubernetes Node Agent
     Loaded: loaded (/lib/systemd/system/kubelet.service; enabled; vendor preset: enabled)
    Drop-In: /etc/systemd/system/kubelet.service.d
             └─10-kubeadm.conf
     Active: activating (auto-restart) (Result: exit-code) since Tue 2025-03-04 10:00:00 UTC; 3s ago
       Docs: https://kubernetes.io/docs/home/
    Process: 4711 ExecStart=/usr/bin/kubelet $KUBELET_CONFIG_ARGS (code=exited, status=1/FAILURE)
   Main PID: 4711 (code=exited, status=1/FAILURE)
        CPU: 78ms

Mar 04 10:00:00 elm-1 systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE`;

const RUNNING = `● kubelet.service - kubelet: The Kubernetes Node Agent
   Loaded: loaded (/usr/lib/systemd/system/kubelet.service; disabled; vendor preset: disabled)
   Active: active (running) since Tue 2025-03-04 10:00:00 UTC; 2h 3min ago
 Main PID: 914 (kubelet)
    Tasks: 15
   CGroup: /system.slice/kubelet.service
           └─914 /usr/bin/kubelet --kubeconfig=/etc/kubernetes/kubelet.conf --cgroup-driver=systemd --container-runtime-end…
Warning: The unit file changed on disk. Run 'systemctl daemon-reload'`;

describe('systemctl status', () => {
  it('tells a unit that does not stay up, on the host its journal names', () => {
    const heard = hear(FAILED, { command: 'systemctl status kubelet' });
    expect(told(heard, 'unit.state')).toEqual([
      {
        about: 'Node/elm-1',
        unit: 'kubelet',
        active: 'activating',
        sub: 'auto-restart',
        result: 'exit-code',
        since: 'Tue 2025-03-04 10:00:00 UTC; 3s ago',
        exitStatus: '1/FAILURE',
        enabled: 'enabled',
      },
    ]);
    expect(heard.taken).toEqual([{ what: 'systemctl status', lines: [1, 9] }]);
    expect(heard.coverage).toMatchObject([{ channel: 'unit-state', about: 'Node/elm-1' }]);
  });

  it('says which command before the daemon failed, and no other', () => {
    const heard = hear(
      `● kubelet.service - Kubelet
   Loaded: loaded (/etc/systemd/system/kubelet.service; enabled; vendor preset: enabled)
   Active: failed (Result: start-limit-hit) since Thu 2025-03-06 18:42:20 UTC; 14min ago
  Process: 1437 ExecStartPre=/sbin/sysctl -w net.netfilter.nf_conntrack_max=131072 (code=exited, status=255)
  Process: 1434 ExecStartPre=/bin/mkdir -p /var/lib/cni (code=exited, status=0/SUCCESS)`,
      { node: 'Node/oak-1' },
    );
    expect(heard.sayings).toMatchObject([{ channel: 'unit-state', text: expect.stringContaining('nf_conntrack_max') }]);
  });

  it('reads the flags of the running process, but not the cut one', () => {
    const heard = hear(RUNNING, { node: 'Node/oak-1' });
    expect(told(heard, 'unit.state')).toMatchObject([{ about: 'Node/oak-1', active: 'active', sub: 'running', enabled: 'disabled' }]);
    expect(told(heard, 'unit.state')[0]).not.toHaveProperty('exitStatus');
    expect(told(heard, 'kubelet.cgroup-driver')).toMatchObject([{ driver: 'systemd', source: 'flag' }]);
    expect(told(heard, 'kubelet.setting').map(({ key }) => key)).toEqual(['kubeconfig']);
    expect(heard.sayings).toHaveLength(1);
  });

  it.each([
    [
      '○ docker.service - Docker\n     Loaded: loaded (/lib/systemd/system/docker.service; disabled)\n     Active: inactive (dead)',
      { unit: 'docker', active: 'inactive', sub: 'dead' },
    ],
    [
      '× containerd.service - containerd\n   Active: failed (Result: signal) since Tue; 1s ago\n Main PID: 1 (code=killed, signal=KILL)',
      { active: 'failed', result: 'signal', exitStatus: 'signal=KILL' },
    ],
    [
      '* crio.service - CRI-O\n   Loaded: masked (Reason: Unit crio.service is masked.)\n   Active: inactive (dead)',
      { unit: 'crio', enabled: 'masked' },
    ],
    [
      'iscsid.socket - Open-iSCSI\n   Loaded: loaded (/lib/x; enabled)\n   Active: active (listening)',
      { unit: 'iscsid.socket', sub: 'listening' },
    ],
  ])('%j', (text, expected) => {
    expect(told(hear(text), 'unit.state')).toMatchObject([expected]);
  });

  it('needs the unit’s name for a piece', () => {
    const piece = '   Active: failed (Result: exit-code) since Tue 2025-03-04; 1h ago';
    expect(told(hear(piece, { unit: 'docker' }), 'unit.state')).toMatchObject([{ unit: 'docker', active: 'failed' }]);
    expect(hear(piece).facts).toEqual([]);
  });

  it('tells units that do not exist', () => {
    const heard = hear('Unit crio.service could not be found.');
    expect(told(heard, 'unit.state')).toMatchObject([{ unit: 'crio', active: 'not-found' }]);
    expect(heard.sayings).toHaveLength(1);
    expect(told(hear('Failed to restart docker.service: Unit docker.service is masked.'), 'unit.state')).toMatchObject([
      { unit: 'docker', enabled: 'masked' },
    ]);
  });

  it('reads several in a row', () => {
    expect(told(hear(`${RUNNING}\n\n${FAILED}`), 'unit.state').map(({ active }) => active)).toEqual(['active', 'activating']);
  });

  it.each(['kubelet.service - restart it', 'Active: yes', 'Status: Pending', 'Loaded: module', 'kubelet.service'])(
    'takes no prose: %s',
    (text) => {
      expect(hear(text).taken).toEqual([]);
    },
  );
});
