import { defineCause, excludes, isWell, line, minutes, proves } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'kubelet-log', 'control-plane-log', 'containerd-log', 'system-log'] as const;

const instances = line(
  ['too many open files', 'inotify instances', 'No file descriptors available'],
  SAID_BY,
  /(?<program>\b(?:fsnotify|inotify|file ?watcher|watcher)\w{0,20}\b[^\n]{0,160}?(?:too many open files|No file descriptors available))|(?<node>EMFILE: too many open files, watch )|(?<dotnet>(?:configured )?user limit[^\n]{0,20} on the number of inotify instances|User limit of inotify instances reached)|(?<systemd>Failed to allocate directory watch: Too many open files)/i,
);
const watches = line(
  ['inotify_add_watch', 'file watchers reached', 'inotify watches', 'add watch ('],
  SAID_BY,
  /inotify_add_watch[^\n]{0,300}?no space left on device|System limit for number of file watchers reached|(?:user limit[^\n]{0,20} on the number of|User limit of|upper limit on) inotify watches|add watch \([^\n)]{1,200}\) failed: No space left on device/i,
);
const polling = line('inotify cannot be used, reverting to polling', []);
const diskFull = line(
  ['no space left on device'],
  [],
  /(?:write|copy|mkdir|create|open|unpack|extract)[^\n]{0,200}?no space left on device/i,
);

export const cause = defineCause({
  id: 'inotify-limits-exhausted',
  area: 'resource',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'kubelet-down', 'node-not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'inotify limit reached',
    title: 'The inotify limit of {where} is reached: no more {what} ({sysctl})',
    why: 'Programs that watch files use inotify, and the kernel counts {what} per user over the whole node: all containers that run as root share one account. {where} has reached {sysctl}, so the next program that wants to watch a file is refused and fails ("{error}"), although no disk is full and it has few files open.',
  },

  clues: {
    instances: proves(instances),
    watches: proves(watches),
    polling: excludes(polling),
    diskFull: excludes(diskFull),
    well: excludes('pod.status', isWell),
  },
  says: {
    instances: 'no more inotify instances can be made: too many open files',
    watches: 'no more inotify watches can be added: no space left on device',
    polling: 'the program goes on without inotify',
    diskFull: 'a disk is full: writing files fails as well',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { instances: more, watches: watch }) => ({
    where: place.kind === 'Node' && !place.name.includes(' ') ? `node ${place.name}` : 'this node',
    what: watch && !more ? 'watches' : 'instances',
    sysctl: watch && !more ? 'fs.inotify.max_user_watches' : 'fs.inotify.max_user_instances',
    error: watch && !more ? 'no space left on device' : 'too many open files',
  }),

  fixes: [
    {
      say: 'See the limits, and who uses them',
      risk: 'reads-only',
      steps: [
        { say: 'limits (128 instances are the usual default)', run: 'sysctl fs.inotify; df -h /; df -i /', on: 'node' },
        {
          say: 'instances per program',
          run: 'find /proc/[0-9]*/fd -lname \'anon_inode:inotify\' 2>/dev/null | cut -d/ -f3 | sort | uniq -c | sort -rn | head | while read n p; do echo "$n $(cat /proc/$p/comm)"; done',
          on: 'node',
        },
      ],
    },
    {
      say: 'Raise the inotify limits on the node ({sysctl})',
      risk: 'touches-node',
      steps: [
        {
          say: 'at once and at boot; running pods go on',
          run: "printf 'fs.inotify.max_user_instances = 8192\\nfs.inotify.max_user_watches = 524288\\n' > /etc/sysctl.d/90-inotify.conf && sysctl --system",
          on: 'node',
        },
        { say: 'do the same on every node of that kind, and in the image or node template they are made from' },
      ],
      changes: [
        { do: 'sysctl', key: 'fs.inotify.max_user_instances', value: '8192', atLeast: true },
        { do: 'sysctl', key: 'fs.inotify.max_user_watches', value: '524288', atLeast: true },
      ],
      verified: 'the programs start and no line about inotify follows',
    },
    {
      say: 'Have less of them: bound what the watching program watches (exclude node_modules, logs), or spread such pods',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'many .NET, Node.js and log-shipping pods on one node use one instance or more each',
          run: "find /proc/[0-9]*/fd -lname 'anon_inode:inotify' 2>/dev/null | cut -d/ -f3 | sort | uniq -c | sort -rn | head -5",
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['inotify(7)', 'google/cadvisor manager/manager.go', 'fsnotify backend_inotify.go'],
});
