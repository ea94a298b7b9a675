import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = (
  error: string,
) => `Jun 03 10:11:12 oak-1 kubelet[4711]: E0603 10:11:12.000000    4711 run.go:74] "command failed" err="failed to run Kubelet: validate service connection: validate CRI v1 runtime API for endpoint \\"unix:///var/run/cri-dockerd.sock\\": rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /var/run/cri-dockerd.sock: connect: ${error}\\""
`;
const dead = (unit: string, state: string) => `[root@oak-1 ~]# systemctl status ${unit}
○ ${unit}.service - Something
     Loaded: loaded (/etc/systemd/system/${unit}.service; disabled; vendor preset: disabled)
     Active: ${state}
`;

testCause(cause, {
  finds: {
    'not installed at all': {
      evidence: {
        'start.txt':
          'X Exiting due to RUNTIME_ENABLE: sudo systemctl enable cri-docker.socket: exit status 1\nstderr:\nFailed to execute operation: No such file or directory\n',
      },
      confidence: 'possible',
    },
    'nobody listens': {
      evidence: { 'kubelet.log': kubelet('connection refused') },
      confidence: 'certain',
      place: 'node oak-1',
      cites: ['kubelet.log:1'],
    },
    'no socket': { evidence: { 'kubelet.log': kubelet('no such file or directory') }, confidence: 'certain', place: 'node oak-1' },
    'the unit is dead': { evidence: { 'oak-1.txt': dead('cri-docker', 'inactive (dead)') }, confidence: 'possible', place: 'node oak-1' },
    'Docker is down as well': {
      evidence: {
        'kubelet.log': kubelet('connection refused'),
        'oak-1.txt': dead('docker', 'failed (Result: exit-code) since Mon 2024-06-03 10:00:00 UTC; 11min ago'),
        'journal.txt': `Jun 03 10:11:12 oak-1 cri-dockerd[4600]: time="2024-06-03T10:11:12Z" level=fatal msg="failed to get docker version from dockerd: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
Jun 03 10:11:12 oak-1 systemd[1]: cri-docker.service: Main process exited, code=exited, status=1/FAILURE
`,
      },
      confidence: 'certain',
      place: 'node oak-1',
    },
    'kubeadm says so': {
      evidence: {
        'kubeadm.txt': `[root@oak-1 ~]# kubeadm init --cri-socket unix:///var/run/cri-dockerd.sock
error execution phase preflight: [preflight] Some fatal errors occurred:
	[ERROR CRI]: container runtime is not running: output: time="2024-06-03T10:11:12Z" level=fatal msg="validate service connection: validate CRI v1 runtime API for endpoint \\"unix:///var/run/cri-dockerd.sock\\": rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /var/run/cri-dockerd.sock: connect: no such file or directory\\""
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'Docker refuses its version': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch cri-dockerd[412]: time="2025-03-04T08:10:57Z" level=fatal msg="failed to get docker version from dockerd: Error response from daemon: client version 1.43 is too old. Minimum supported API version is 1.44, please upgrade your client to a newer version"\n',
      },
      by: 'refusedVersion',
    },
    'the drivers differ': {
      evidence: {
        'kubelet.log': `${kubelet('connection refused')}Jun 03 10:12:12 oak-1 kubelet[4711]: E0603 10:12:12.000000    4711 server.go:302] "Failed to run kubelet" err="failed to run Kubelet: misconfiguration: kubelet cgroup driver: \\"systemd\\" is different from docker cgroup driver: \\"cgroupfs\\""\n`,
      },
      by: 'driver',
    },
  },
  asks: { 'the state of the unit': { evidence: { 'kubelet.log': kubelet('connection refused') }, for: 'unit.state' } },
});
