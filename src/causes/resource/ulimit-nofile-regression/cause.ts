import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const tooMany = line(
  ['too many open files', ' EMFILE:', '(EMFILE)', '[Errno 24]'],
  ['container-log', 'control-plane-log'],
  /(?:(?<what>accept4?|socket|open|pipe2?|dial tcp|listen|epoll_create1?|eventfd|fork\/exec|dup|connect|read)\b[^\n]{0,200}?)?(?:too many open files(?<system> in system)?|\bEMFILE\b|\[Errno 24\])[^\n]{0,80}/i,
);
const limitTooLow = line(
  [
    'max file descriptors [',
    'number of max_open_files to more than',
    'exceed open file resource limit',
    'Cannot raise FD limit',
    'FD limit (',
    'ulimit -n is too low',
    'open files limit is too low',
    'Soft limit for nofile',
    'file descriptors limit is too low',
  ],
  ['container-log'],
  /max file descriptors \[(?<elastic>\d{1,12})\] for \w{3,40} process is too low|max_open_files to more than (?<mysql>\d{1,12})|open file resource limit: (?<nginx>\d{1,12})|Cannot raise FD limit to \d{1,12}, limit is (?<haproxy>\d{1,12})|FD limit \((?<maxconn>\d{1,12})\) too low|(?:open files limit|ulimit -n|file descriptors limit)[^\n]{0,20}too low[^\n]{0,40}/i,
);
const infinite = line(
  ['1073741816', '1073741824', '2147483584'],
  ['container-log', 'host-state'],
  /(?:Not enough memory to allocate|fdtab|Max open files|nofile|open files|RLIMIT_NOFILE|ulimit)[^\n]{0,80}?(?<limit>1073741816|1073741824|2147483584)/i,
);
const limits = line(['Max open files'], ['host-state', 'container-log'], /Max open files {1,40}(?<soft>1024|4096) {1,40}(?<hard>\d{1,20})/);
const watcher = line(
  ['too many open files'],
  [],
  /(?:fsnotify|inotify|watcher|directory watch)[^\n]{0,160}?too many open files|EMFILE: too many open files, watch /i,
);

export const cause = defineCause({
  id: 'ulimit-nofile-regression',
  area: 'resource',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash', 'other-trouble'],

  text: {
    name: 'Open files limit does not fit',
    title: 'Limit of open files (nofile) does not fit: {container} {what}',
    why: '{mechanism} Containers inherit RLIMIT_NOFILE from the runtime service: containerd 2.0 and newer units dropped LimitNOFILE=infinity, so the soft limit fell to 1024 for many images after an upgrade; older units gave a thousand million.',
  },

  clues: {
    tooMany: proves(tooMany, byContainers),
    limitTooLow: proves(limitTooLow),
    infinite: supports(infinite),
    limits: supports(limits),
    watcher: excludes(watcher),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    tooMany: 'it cannot open another file or socket: too many open files',
    limitTooLow: 'it calls its limit of open files too low{limit}',
    infinite: 'its limit of open files is practically infinite ({infinite})',
    limits: 'its soft limit of open files is only {soft}',
    watcher: 'it is inotify that has no more instances, not files',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { tooMany: many, limitTooLow: low, infinite: huge, limits: own }) => {
    const limit = own?.fields['soft'] ?? Object.values(low?.fields ?? {}).find((value) => value !== undefined);
    const isHuge = huge !== undefined && many === undefined && low === undefined;
    const isSystem = many?.fields['system'] !== undefined;
    return {
      ...namesOf(place),
      limit: limit ? ` (${limit})` : '',
      soft: own?.fields['soft'] ?? '1024',
      // Where the limit was not seen, a leak is as likely.
      unit: !isSystem && (isHuge || low || Number(own?.fields['soft'] ?? Infinity) < 65_536) ? 'containerd' : '',
      infinite: huge?.fields['limit'] ?? 'infinity',
      what: isHuge
        ? `suffers from a limit of open files that is practically infinite (${huge.fields['limit']})`
        : isSystem
          ? 'cannot open files: the table of open files of the whole node is full (fs.file-max)'
          : `runs out of file descriptors: too many open files${limit ? ` (limit ${limit})` : ''}`,
      mechanism: isHuge
        ? 'Some programs reserve memory for, or close one by one, every file descriptor they might have; with such a limit that takes gigabytes or minutes, so they hang at start or are killed for memory.'
        : isSystem
          ? 'The kernel limits open files over all processes (ENFILE); some process of the node holds very many.'
          : 'Every open file, socket and pipe counts against the soft limit of the process (ulimit -n). It is reached: either the limit is too low for the load, or the program leaks descriptors and comes here sooner or later.',
    };
  },

  fixes: [
    {
      say: 'See the limit the process has, and how much of it it uses',
      risk: 'reads-only',
      steps: [
        {
          say: 'inside the container',
          run: 'kubectl -n {{namespace}} exec {{target}} -- sh -c "grep files /proc/1/limits; ls /proc/1/fd | wc -l"',
          on: 'cluster',
        },
        {
          say: 'what the runtime gives',
          run: 'systemctl show containerd docker crio -p LimitNOFILE -p LimitNOFILESoft 2>/dev/null; sysctl fs.file-nr fs.nr_open',
          on: 'node',
        },
        { say: 'a count that grows without end is a leak of the program' },
      ],
    },
    {
      say: 'Raise the soft limit where the program starts: ulimit -n in its entrypoint, or its own setting',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the hard limit is high: command: ["sh", "-c", "ulimit -n 65536; exec PROGRAM"]',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'nginx worker_rlimit_nofile, MySQL open_files_limit, haproxy maxconn, JVM -XX:+MaxFDLimit' },
      ],
      verified: 'no line about too many open files follows',
    },
    {
      say: 'Set LimitNOFILE for the runtime on the node; containers made after that inherit it',
      risk: 'touches-node',
      steps: [
        {
          say: 'a drop-in, for containerd (docker and crio likewise); 1048576 suits old programs better than infinity',
          run: "mkdir -p /etc/systemd/system/containerd.service.d && printf '[Service]\\nLimitNOFILE=1048576\\n' > /etc/systemd/system/containerd.service.d/nofile.conf && systemctl daemon-reload && systemctl restart containerd",
          on: 'node',
        },
        { say: 'then make the pod anew', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      changes: [
        { do: 'drop-in', unit: '{{unit}}', lines: ['[Service]', 'LimitNOFILE=1048576'] },
        { do: 'units', action: 'restart', units: ['{{unit}}'] },
        { do: 'restart-pods' },
      ],
      verified: '/proc/1/limits in a new container shows the new limit',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['getrlimit(2), errno EMFILE and ENFILE', 'containerd 2.0 release notes (LimitNOFILE)', 'systemd.exec(5)'],
});
