import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const v2 = '[root@holly ~]# stat -fc %T /sys/fs/cgroup\ncgroup2fs\n';
const v1 = '[root@holly ~]# stat -fc %T /sys/fs/cgroup\ntmpfs\n';
const dockerVersion = '[root@holly ~]# docker --version\nDocker version 19.03.15, build 99e3ed8\n';
const nodes = (
  runtime: string,
) => `NAME    STATUS     ROLES    AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                         KERNEL-VERSION   CONTAINER-RUNTIME
holly   NotReady   <none>   3d    v1.21.14   10.7.7.7      <none>        Debian GNU/Linux 11 (bullseye)   5.10.0-18        ${runtime}
`;
const kubelet = `Dec 02 10:00:00 holly kubelet[500]: F1202 10:00:00.101010     500 kubelet.go:1384] Failed to start ContainerManager system validation failed - Following Cgroup subsystem not mounted: [cpu cpuacct cpuset memory]
`;
const docker = `Dec 02 10:00:00 holly dockerd[410]: time="2022-12-02T10:00:00.102Z" level=error msg="Handler for POST /v1.40/containers/3f/start returned error: cgroups: cgroup mountpoint does not exist: unknown"
`;

testCause(cause, {
  finds: {
    'an old kubelet': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch kubelet[412]: F0304 08:10:57.118402     412 server.go:271] failed to run Kubelet: mountpoint for cpu not found\n',
      },
      confidence: 'possible',
    },
    'Docker 19.03 on a cgroup v2 host': {
      evidence: { 'host.txt': v2 + dockerVersion, 'nodes.txt': nodes('docker://19.3.15') },
      confidence: 'certain',
      place: 'node holly',
      cites: ['host.txt:2', 'host.txt:4', 'nodes.txt:2'],
      victims: 1,
    },
    'the error of Docker, and the host': {
      evidence: { 'docker.log': docker, 'host.txt': v2 },
      confidence: 'certain',
      place: 'node holly',
      cites: ['docker.log:1'],
    },
    'only the error of an old kubelet': { evidence: { 'kubelet.log': kubelet }, confidence: 'possible', place: 'node holly' },
  },
  rulesOut: {
    'the host is on cgroup v1': { evidence: { 'docker.log': docker, 'host.txt': v1 + dockerVersion }, by: 'v2' },
  },
  asks: {
    'which hierarchy the host has': { evidence: { 'docker.log': docker }, for: 'host.cgroup-version' },
    'the version of the runtime': { evidence: { 'host.txt': v2 }, for: 'host.version' },
  },
});
