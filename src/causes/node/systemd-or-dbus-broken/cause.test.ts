import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (reason: string, message: string) => `$ kubectl -n shop describe pod cart-0
Name:             cart-0
Namespace:        shop
Node:             alder/10.7.0.9
Status:           Pending
Events:
  Type     Reason                    Age                From     Message
  ----     ------                    ----               ----     -------
  Warning  ${reason}  8s (x4 over 55s)   kubelet  ${message}
`;
const closed = described(
  'FailedCreatePodContainer',
  'unable to ensure pod container exists: failed to create container for [kubepods burstable pod3b7a3b5d-7685-43cb-a0ab-5b0646ba07d7] : dbus: connection closed by user',
);

testCause(cause, {
  finds: {
    'it does not make a slice in time': {
      evidence: {
        'pod.txt': described(
          'FailedCreatePodContainer',
          'unable to ensure pod container exists: failed to create container for [kubepods burstable pod1c1d] : Timeout waiting for systemd to create kubepods-burstable-pod1c1d.slice',
        ),
      },
      confidence: 'certain',
    },
    'it holds too many units': {
      evidence: {
        'pod.txt': described(
          'FailedMount',
          'MountVolume.SetUp failed for volume "cache" : mount failed: exit status 1 Mounting command: systemd-run Output: Failed to start transient scope unit: Argument list too long',
        ),
      },
      confidence: 'certain',
    },
    'an agent in a pod finds no bus': {
      evidence: {
        'agent.log':
          '$ kubectl -n kube-system logs calico-node-x7k2p\n2026-03-04 08:10:57.000 [FATAL][9] startup/startup.go 450: failed to check NetworkManager: dial unix /host/var/run/dbus/system_bus_socket: connect: connection refused\n',
      },
      confidence: 'possible',
    },
    'the bus closed the connection': { evidence: { 'pod.txt': closed }, confidence: 'certain', place: 'node alder', cites: ['pod.txt:9'] },
    'systemd cannot be activated': {
      evidence: {
        'pod.txt': described(
          'FailedCreatePodSandBox',
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: unable to apply cgroup configuration: unable to start unit "cri-containerd-4f3b.scope" (properties [{Name:Description Value:"libcontainer container 4f3b"}]): Failed to activate service \'org.freedesktop.systemd1\': timed out (service_start_timeout=25000ms): unknown',
        ),
      },
      confidence: 'certain',
    },
    'too many connections': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 alder dbus-daemon[512]: [system] The maximum number of active connections for UID 0 has been reached (max_connections_per_user=256)\n',
        'units.txt':
          '[root@alder ~]# systemctl status dbus\n● dbus.service - D-Bus System Message Bus\n     Loaded: loaded (/lib/systemd/system/dbus.service; static)\n     Active: failed (Result: exit-code) since Wed 2026-03-04 08:10:57 UTC; 4s ago\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'systemctl does not answer': {
      evidence: { 'host.txt': '[root@alder ~]# systemctl daemon-reload\nFailed to reload daemon: Connection timed out\n' },
      confidence: 'certain',
    },
    'no bus at all': {
      evidence: { 'host.txt': '[root@alder ~]# systemctl restart kubelet\nFailed to get D-Bus connection: No such file or directory\n' },
      confidence: 'possible',
    },
    'runc waits in vain': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 x.go:1] "CreatePodSandbox for pod failed" err="rpc error: code = Unknown desc = failed to create task: Timeout waiting for systemd to create cri-containerd-4f3b.scope"\nMar 04 08:10:58 alder systemd[1]: Looping too fast. Throttling execution a little.\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'asked inside a container': {
      evidence: {
        'host.txt':
          "[root@alder ~]# systemctl status\nSystem has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: No such file or directory\n",
      },
      by: 'inContainer',
    },
    'the bus of a user': {
      evidence: {
        'host.txt':
          '[ops@alder ~]$ systemctl --user status\nFailed to connect to bus: No such file or directory (consider setting $DBUS_SESSION_BUS_ADDRESS)\n',
      },
      by: 'userBus',
    },
  },
  asks: { 'the state of dbus': { evidence: { 'pod.txt': closed }, for: 'unit-state' } },
});
