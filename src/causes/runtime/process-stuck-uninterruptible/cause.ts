import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const notKilled = line(
  [
    'to be killed: wait container',
    'did not kill the pod within specified grace period',
    'did not receive an exit event',
    'failed to exit within',
    'is zombie and can not be killed',
    'an error occurs during waiting for container',
  ],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log'],
  /during waiting for container \\*"?(?<id>\w{6,64})[^\n]{0,200}?deadline exceeded|did not kill the pod within specified grace period|tried to kill container, but did not receive an exit event|failed to exit within (?<seconds>\d{1,5}) seconds of (?:kill|signal 9)|PID \d{1,10} is zombie and can not be killed/,
);
const diskSleep = line(
  [
    'D (disk sleep)',
    'rpc_wait_bit_killable',
    'nfs_wait_bit_killable',
    'request_wait_answer',
    'wait_on_page_bit',
    'folio_wait_bit_common',
    'io_schedule',
    'cifs_wait',
    'ceph_mdsc_',
    'xfs_log_force',
    'jbd2_log_wait',
  ],
  ['host-state', 'host-tools'],
  /State:\s{1,8}(?<proc>D \(disk sleep\))|^\s{0,12}(?:\S{1,32}\s{1,12})?(?<pid>\d{1,10})\s[^\n]{0,60}?\sD[sl+<NL]{0,4}\s[^\n]{0,60}?(?<where>rpc_wait_bit_killable|nfs_wait_bit_killable|request_wait_answer|wait_on_page_bit\w{0,20}|folio_wait_bit_common|io_schedule\w{0,20}|cifs_wait\w{0,20}|ceph_mdsc_\w{0,40}|xfs_log_force\w{0,20}|jbd2_log_wait\w{0,20})\s{0,12}(?<program>\S{0,80})/,
);
const hungTask = line(
  ['blocked for more than'],
  'kernel-log',
  /task (?<task>[^\s:]{1,40}):\d{1,10} blocked for more than (?<hung>\d{1,6}) seconds/,
);
const refusedSignal = line(
  ['permission denied'],
  [],
  /(?:unable to signal init|signal(?:l)?ing init process caused|failed to kill[^\n]{0,80}|kill[^\n]{0,40}): permission denied/,
);

export const cause = defineCause({
  id: 'process-stuck-uninterruptible',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['stuck-terminating', 'init-stuck', 'creating', 'not-ready', 'node-not-ready', 'other-trouble'],
  effectOf: [
    'nfs-server-unreachable',
    'disk-io-error',
    'kernel-bug-or-hung-task',
    'ceph-cluster-unhealthy',
    'filesystem-corrupt-or-readonly',
  ],

  text: {
    name: 'Process cannot be killed',
    title: 'A process of the pod on {node} cannot be killed: it hangs in the kernel{where}',
    why: 'Even SIGKILL takes effect only when a process returns from the kernel. {process} waits inside a system call that does not end (state D, uninterruptible sleep{where}), nearly always for storage: an NFS or FUSE server that is gone, a volume that was detached, a failing disk. The runtime waits for the exit in vain, and the pod stays in Terminating.',
  },

  clues: {
    state: proves(diskSleep, ({ fields }) => fields['proc'] !== undefined),
    waits: proves(diskSleep, ({ fields }) => fields['where'] !== undefined),
    notKilled: supports(notKilled, notByContainers),
    hungTask: supports(hungTask),
    refusedSignal: excludes(refusedSignal),
    finalizer: excludes('pod.deleting', ({ finalizers }) => (finalizers?.length ?? 0) > 0),
  },
  says: {
    state: 'the process is in state D (disk sleep)',
    waits: '{process} is in state D{where}',
    notKilled: 'the runtime sent SIGKILL and the container did not end',
    hungTask: 'the kernel reports {task} blocked for more than {hung} seconds',
    refusedSignal: 'the signal itself is refused: permission denied (AppArmor)',
    finalizer: 'a finalizer holds the object back; its processes are gone',
  },
  slots: (place, { waits, hungTask: hung }) => {
    const where = waits?.fields['where'];
    const program = waits?.fields['program']?.replace(/^\[|\]$/g, '');
    return {
      node: place.name,
      process: program || (hung?.fields['task'] ?? 'One of its processes'),
      where: where ? `, in ${where}` : '',
      task: hung?.fields['task'] ?? 'a task',
      hung: hung?.fields['hung'] ?? '120',
    };
  },

  fixes: [
    {
      say: 'Find the process in state D and what it waits for',
      risk: 'reads-only',
      steps: [
        { say: 'processes in uninterruptible sleep', run: "ps -eo pid,ppid,stat,etime,wchan:32,args | awk '$3 ~ /D/'", on: 'node' },
        {
          say: 'where in the kernel, and on which mount',
          run: 'cat /proc/PID/stack; grep -E "nfs|fuse|ceph|cifs" /proc/PID/mounts; dmesg -T | grep -iE "blocked for more|not responding|I/O error" | tail',
          on: 'node',
        },
      ],
    },
    {
      say: 'Bring the storage back: when the server, volume or disk answers, the process ends by itself',
      risk: 'touches-node',
      steps: [
        { say: 'NFS or FUSE: restore the server, or give the mount up by force', run: 'umount -f -l MOUNT_POINT', on: 'node' },
        { say: 'FUSE: end the connection', run: 'ls /sys/fs/fuse/connections; echo 1 > /sys/fs/fuse/connections/NUMBER/abort', on: 'node' },
      ],
      verified: 'ps shows no more D state, and the pod goes away',
    },
    {
      say: 'Else only a reboot of {node} frees it: move the pods away first',
      risk: 'moves-pods',
      steps: [
        {
          say: 'drain; the stuck pod will not go',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data --timeout=120s',
          on: 'cluster',
        },
        { say: 'reboot (hard, if the shutdown hangs too)', run: 'systemctl reboot --force', on: 'node' },
      ],
    },
    {
      say: 'Do not force-delete pods of a StatefulSet while the process may still write: two writers damage the data',
      risk: 'may-lose-data',
      steps: [
        { say: 'only when the node is surely off', run: 'kubectl -n NAMESPACE delete pod POD --grace-period=0 --force', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'containerd internal/cri/server/container_stop.go',
    'kubernetes pkg/kubelet/eviction, pkg/kubelet/kuberuntime/kuberuntime_container.go',
    'moby daemon/kill.go',
    'Linux Documentation/admin-guide/sysctl/kernel.rst (hung_task)',
  ],
});
