import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const iscsi = line(
  ['avc:  denied', 'avc: denied'],
  ['kernel-log', 'system-log'],
  /avc: {1,2}denied {1,2}\{ (?<operation>[\w ]{2,80}) \} for [^\n]{0,300}?scontext=\S{0,60}?:(?<type>iscsid_t)[:\s](?![^\n]{0,300}permissive=1)/,
);
const volume = line(
  ['avc:  denied', 'avc: denied'],
  ['kernel-log', 'system-log'],
  /avc: {1,2}denied {1,2}\{ (?<operation>(?!execute|entrypoint|transition|execmod|relabel|keycreate|setexec|map)[\w ]{2,80}) \} for [^\n]{0,300}?scontext=\S{0,60}?:(?<type>container_t|svirt_lxc_net_t|container_init_t|container_kvm_t)[:\s][^\n]{0,60}?tcontext=\S{0,60}?:(?<target>[\w-]{2,60}_t)[:\s][^\n]{0,60}?tclass=(?<kind>dir|file|lnk_file|sock_file|fifo_file|blk_file|chr_file|filesystem)\b(?!\s{1,4}permissive=1)/,
);
// No channel: the label is asked for after the plain rights, so plain rights cannot be the reason.
const otherModule = line(['apparmor="DENIED"'], []);

export const cause = defineCause({
  id: 'selinux-denies-volume-or-iscsi',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'creating', 'not-ready', 'failed', 'init-crash', 'other-trouble'],

  text: {
    name: 'SELinux denies the volume',
    title: 'SELinux on {node} denies {who} access ({operation}) to {what}',
    why: '{node} enforces SELinux. The kernel refused {who} the access ({operation}) to {what}: {mechanism}. The program only sees "Permission denied", although owner and mode of the files are right; on nodes without SELinux the same pod works.',
  },

  clues: {
    volume: proves(volume),
    iscsi: proves(iscsi),
    enforcing: supports('host.lsm', ({ module, state }) => module === 'selinux' && state === 'enforcing'),
    otherModule: excludes(otherModule),
    permissive: excludes('host.lsm', ({ module, state }) => module === 'selinux' && (state === 'permissive' || state === 'disabled')),
  },
  says: {
    volume: 'the audit log shows the denial: {operation} on {what}',
    iscsi: 'the audit log shows a denial for the iSCSI daemon: {operation}',
    enforcing: 'SELinux is enforcing on the node',
    otherModule: 'AppArmor is what denies on this host',
    permissive: 'SELinux does not enforce here: it only writes down',
  },
  slots: (place, { volume: avc, iscsi: daemon }) => ({
    node: place.name,
    who: daemon && !avc ? 'the iSCSI tools (iscsid_t)' : 'a container (container_t)',
    operation: (avc ?? daemon)?.fields['operation']?.trim() ?? 'read',
    what: avc ? `a ${KINDS[avc.fields['kind'] ?? ''] ?? 'file'} labelled ${avc.fields['target'] ?? 'otherwise'}` : 'its session files',
    mechanism:
      daemon && !avc
        ? 'the policy of newer container-selinux packages does not allow it to the iSCSI tools that the storage driver starts on the host'
        : 'containers may touch only files labelled container_file_t with their own category; hostPath directories, NFS exports and disks moved by hand carry other labels',
  }),

  fixes: [
    {
      say: 'Read the denials',
      risk: 'reads-only',
      steps: [
        { say: 'what was denied, to whom', run: 'ausearch -m AVC -ts recent | tail -20; getenforce', on: 'node' },
        { say: 'labels of the directory', run: 'ls -lZd /PATH/OF/VOLUME', on: 'node' },
      ],
    },
    {
      say: 'Give the directory the label containers may use, also for later',
      risk: 'touches-node',
      for: ['volume'],
      steps: [
        {
          say: 'hostPath and local volumes',
          run: "semanage fcontext -a -t container_file_t '/PATH(/.*)?' && restorecon -Rv /PATH",
          on: 'node',
        },
        { say: 'NFS volumes: allow it for all containers', run: 'setsebool -P virt_use_nfs 1 container_use_cephfs 1', on: 'node' },
      ],
      verified: 'no new denial in ausearch, and the pod starts',
    },
    {
      say: 'Or let the pod run with a fitting label: securityContext.seLinuxOptions (type spc_t for agents that must see the host)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the pod template; CSI volumes are then relabelled at mount',
          run: 'kubectl explain pod.spec.securityContext.seLinuxOptions',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'iSCSI: load a small policy module that allows it (Longhorn documents one), or update container-selinux',
      risk: 'touches-node',
      for: ['iscsi'],
      steps: [
        {
          say: 'made from the denials themselves; read it before loading',
          run: 'ausearch -m AVC -c iscsiadm --raw | audit2allow -M local_iscsi && semodule -i local_iscsi.pp',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['container-selinux container.te', 'longhorn knowledge base: SELinux and iscsid', 'kubernetes pkg/volume/util/selinux.go'],
});

const KINDS: Readonly<Record<string, string>> = {
  dir: 'directory',
  file: 'file',
  lnk_file: 'link',
  sock_file: 'socket',
  blk_file: 'block device',
  chr_file: 'device',
  filesystem: 'file system',
};
