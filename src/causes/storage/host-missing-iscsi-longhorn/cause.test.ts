import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE         NAME                       READY   STATUS             RESTARTS   AGE
longhorn-system   longhorn-manager-7m2kx     0/1     CrashLoopBackOff   31         2h40m
longhorn-system   longhorn-manager-c9wzq     0/1     CrashLoopBackOff   31         2h40m
longhorn-system   longhorn-ui-5f8c8d9b7-z2k4 1/1     Running            0          2h40m
`;
const command = '$ kubectl -n longhorn-system logs longhorn-manager-7m2kx\n';
const old = `time="2022-05-01T10:00:00Z" level=error msg="Failed environment check, please make sure you have iscsiadm/open-iscsi installed on the host"
time="2022-05-01T10:00:00Z" level=fatal msg="Error starting manager: Environment check failed: Failed to execute: nsenter [--mount=/host/proc/811/ns/mnt --net=/host/proc/811/ns/net iscsiadm --version], output nsenter: failed to execute iscsiadm: No such file or directory\\n, error exit status 1"
`;
const newer =
  'time="2025-05-01T10:00:00Z" level=fatal msg="Error starting manager: failed to check environment, please make sure you have iscsiadm/open-iscsi installed on the host: failed to execute: /usr/bin/nsenter [nsenter --mount=/host/proc/1/ns/mnt --net=/host/proc/1/ns/net iscsiadm --version], output , stderr nsenter: failed to execute iscsiadm: No such file or directory\\n: exit status 127" func=main.main.DaemonCmd.func3 file="daemon.go:105"\n';

testCause(cause, {
  finds: {
    'an old manager': {
      evidence: { 'pods.txt': pods, 'log.txt': command + old },
      confidence: 'certain',
      place: 'namespace longhorn-system',
      cites: ['log.txt:3'],
      victims: 2,
    },
    'a recent manager, the log alone': { evidence: { 'log.txt': command + newer }, confidence: 'certain', cites: ['log.txt:2'] },
    'the condition of a Longhorn node': {
      evidence: {
        'pods.txt': pods,
        'node.txt':
          'status condition: type RequiredPackages status False reason PackagesNotInstalled message: Missing packages: [open-iscsi nfs-common]\n',
        'host.txt':
          '[root@stor-2 ~]# command -v iscsiadm\n[root@stor-2 ~]# which iscsiadm\n/usr/bin/which: no iscsiadm in (/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin)\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the pod may not enter the host': {
      evidence: {
        'log.txt': `${command}time="2025-05-01T10:00:00Z" level=fatal msg="Error starting manager: failed to check environment, please make sure you have iscsiadm/open-iscsi installed on the host: nsenter: cannot open /host/proc/1/ns/mnt: Permission denied: exit status 1"\n`,
      },
      by: 'notAllowed',
    },
    'iscsid does not run': {
      evidence: {
        'log.txt': `${command}time="2025-05-01T10:00:00Z" level=error msg="failed to check environment, please make sure you have iscsiadm/open-iscsi installed on the host: iscsiadm: can not connect to iSCSI daemon (111)!"\n`,
      },
      by: 'daemon',
    },
  },
  asks: {
    'only the listing of another source': {
      evidence: {
        'pods.txt': pods,
        'host.txt': '[root@stor-2 ~]# which iscsiadm\n/usr/bin/which: no iscsiadm in (/usr/bin)\n',
        'x.txt': 'Missing packages: [open-iscsi]\n',
      },
      for: 'container-log',
    },
  },
});
