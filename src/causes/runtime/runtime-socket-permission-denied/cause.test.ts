import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const crictl =
  '[fern@birch ~]$ crictl ps\nFATA[0000] validate service connection: CRI v1 runtime API is not implemented for endpoint "unix:///run/containerd/containerd.sock": rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix /run/containerd/containerd.sock: connect: permission denied"\n';

testCause(cause, {
  finds: {
    crictl: { evidence: { 'terminal.txt': crictl }, confidence: 'certain', place: 'node birch' },
    'crictl, and the unit is well': {
      evidence: {
        'terminal.txt': crictl,
        'status.txt':
          '[fern@birch ~]$ systemctl status containerd\n● containerd.service - containerd container runtime\n     Loaded: loaded (/lib/systemd/system/containerd.service; enabled; vendor preset: enabled)\n     Active: active (running) since Tue 2025-03-04 08:10:57 UTC; 3h ago\n',
      },
      confidence: 'certain',
    },
    docker: {
      evidence: {
        'terminal.txt':
          '[fern@birch ~]$ docker ps\nGot permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.24/containers/json": dial unix /var/run/docker.sock: connect: permission denied\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it is root': { evidence: { 'terminal.txt': `${crictl}[root@birch ~]# id\nuid=0(root) gid=0(root) groups=0(root)\n` }, by: 'byRoot' },
  },
  asks: { 'whether the runtime runs': { evidence: { 'terminal.txt': crictl }, for: 'unit-state' } },
});
