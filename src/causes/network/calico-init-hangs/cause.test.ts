import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE     NAME                READY   STATUS                  RESTARTS      AGE   IP          NODE
kube-system   calico-node-x7k2p   0/1     Init:CrashLoopBackOff   4 (32s ago)   6m    10.4.0.11   plover-1
`;
const token =
  '2025-03-04 08:10:47.681 [ERROR][1] cni-installer/<nil> <nil>: Unable to create token for CNI kubeconfig error=Post "https://10.96.0.1:443/api/v1/namespaces/kube-system/serviceaccounts/calico-cni-plugin/token": dial tcp 10.96.0.1:443: i/o timeout';
const log = (container: string, words: string) => `$ kubectl -n kube-system logs calico-node-x7k2p -c ${container}
${words}
`;

testCause(cause, {
  finds: {
    'its controllers': {
      evidence: {
        'controllers.log':
          '$ kubectl -n kube-system logs calico-kube-controllers-5f6f8c9d7b-x7k2p\n2025-03-04 08:10:47.681 [FATAL][1] main.go 114: Failed to initialize Calico datastore error=Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": context deadline exceeded\n',
      },
      confidence: 'certain',
    },
    'SELinux is in the way': {
      evidence: {
        'pods.txt': pods,
        'install.log': log(
          'install-cni',
          "mv: inter-device move failed: '/calico.conf.tmp' to '/host/etc/cni/net.d/10-calico.conflist'; unable to remove target: Permission denied\nFailed to mv files. This may be caused by selinux configuration on the host, or something else.",
        ),
      },
      confidence: 'certain',
    },
    'programs may not run from /opt': {
      evidence: {
        'pods.txt': pods,
        'install.log': log('install-cni', '/install-cni.sh: line 119: /host/opt/cni/bin/calico: Permission denied\nCNI plugin version: '),
      },
      confidence: 'certain',
    },
    'the service address is dead': {
      evidence: { 'pods.txt': pods, 'install.log': log('install-cni', token) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['install.log:2'],
      victims: 1,
    },
    'calico-node itself': {
      evidence: {
        'calico.log': log(
          'calico-node',
          '2025-03-04 08:10:47.681 [WARNING][9] startup/startup.go 454: Connection to the datastore is unstable\n2025-03-04 08:10:48.681 [INFO][9] startup/startup.go 484: Hit error connecting to datastore - retry error=Get "https://10.96.0.1:443/api/v1/nodes/foo": dial tcp 10.96.0.1:443: i/o timeout',
        ),
      },
      confidence: 'certain',
    },
    'a read-only host': {
      evidence: { 'flex.log': log('flexvol-driver', "cp: can't create '/host/driver/uds': Read-only file system") },
      confidence: 'certain',
    },
    'no Typha answers': {
      evidence: {
        'calico.log': log(
          'calico-node',
          '2025-03-04 08:10:48.681 [FATAL][61] felix/daemon.go 532: Failed to connect to Typha error=connection to typhas ([{10.4.0.12:5473 plover-2 0xc0005ec640}]) failed',
        ),
      },
      confidence: 'certain',
    },
    'an address of the other family to reach': {
      evidence: {
        'calico.log': log(
          'calico-node',
          '2025-03-04 08:10:47.681 [WARNING][9] startup/autodetection_methods.go 140: Unable to auto-detect IPv4 address by connecting to fd00::2: dial udp4: address fd00::2: no suitable address found',
        ),
      },
      confidence: 'certain',
    },
    'no address, and no Typha': {
      evidence: {
        'calico.log': log(
          'calico-node',
          '2025-03-04 08:10:47.681 [WARNING][9] startup/autodetection_methods.go 99: Unable to auto-detect an IPv4 address: no valid IPv4 addresses found on the host interfaces\n2025-03-04 08:10:48.681 [ERROR][9] confd/client.go 100: Failed to connect to typha endpoint 10.4.0.12:5473.  Will try other endpoints if available. error=dial tcp 10.4.0.12:5473: i/o timeout',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it has started': {
      evidence: {
        'calico.log': log(
          'calico-node',
          `${token}\n2025-03-04 08:12:47.681 [INFO][9] startup/startup.go 200: Calico node started successfully`,
        ),
      },
      by: 'done',
    },
  },
  asks: {
    'the log of the init container': {
      evidence: { 'note.txt': `${token}\n`, 'pods.txt': pods.replace('plover-1', 'plover-2') },
      for: 'container-log',
    },
  },
});

describe('calico-init-hangs and a host folder it may not write', () => {
  const refused = 'open /host/opt/cni/bin/calico: permission denied';
  const answersTo = async (pod: string, container: string) => {
    const log = `$ kubectl -n kube-system logs ${pod} -c ${container}\n${refused}\n`;
    const { incidents } = await diagnose([
      { name: 'pods.txt', text: pods.replace('calico-node-x7k2p', pod) },
      { name: 'install.log', text: log },
    ]);
    return incidents.map((incident) => incident.cause);
  };

  it('is the answer, not the rights of a program in its container', async () => {
    expect(await answersTo('calico-node-x7k2p', 'install-cni')).toEqual([cause.id]);
  });

  it('does not speak of the installer of another network', async () => {
    expect(await answersTo('cirrus-agent-x7k2', 'install-cni')).not.toContain(cause.id);
  });
});
