import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const avc =
  'type=AVC msg=audit(1700000000.123:456): avc:  denied  { write } for  pid=4711 comm="postgres" name="pgdata" dev="sdb1" ino=131 scontext=system_u:system_r:container_t:s0:c12,c345 tcontext=system_u:object_r:default_t:s0 tclass=dir permissive=0\n';
const iscsi =
  'Mar 04 08:10:57 plover-1 kernel: audit: type=1400 audit(1700000000.123:456): avc:  denied  { dac_override } for  pid=4711 comm="iscsiadm" capability=1  scontext=system_u:system_r:iscsid_t:s0 tcontext=system_u:system_r:iscsid_t:s0 tclass=capability permissive=0\n';

testCause(cause, {
  finds: {
    'a hostPath with another label': {
      evidence: { 'audit.log': avc, 'host.txt': '[root@plover-1 ~]# getenforce\nEnforcing\n' },
      confidence: 'probable',
    },
    'one line of the audit log': { evidence: { 'audit.log': avc }, confidence: 'probable' },
    'the iSCSI tools of the host': { evidence: { 'journal.txt': iscsi }, confidence: 'probable', place: 'node plover-1' },
  },
  rulesOut: {
    'it only writes down': {
      evidence: { 'audit.log': avc, 'host.txt': '[root@plover-1 ~]# getenforce\nPermissive\n' },
      by: 'permissive',
    },
    'AppArmor denies': {
      evidence: {
        'journal.txt': `${iscsi}Mar 04 08:10:58 plover-1 kernel: audit: type=1400 audit(1700000000.124:457): apparmor="DENIED" operation="open" profile="cri-containerd.apparmor.d" name="/srv" pid=4711 comm="cat"\n`,
      },
      by: 'otherModule',
    },
  },
  asks: { 'whether it enforces': { evidence: { 'journal.txt': iscsi }, for: 'host.lsm' } },
});
