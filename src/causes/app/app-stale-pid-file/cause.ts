import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const PATH = String.raw`\/[^\s'"‘’\`(),;]{1,200}`;
/** Each of these is said by a program that finds a pid file at its start and takes itself for running already. */
const found = line(
  [
    'A server is already running',
    ') already running',
    'pidfile check failed',
    'already running as pid',
    'already running on PID',
    'already running under PID',
    'ERROR: Pidfile (',
    'Found fresh instance PID file',
    'FATAL: Squid is already running',
    'Another twistd server is running, PID',
    'The pid file "',
    'pidfile exists',
    'pid file exists',
  ],
  ['container-log', 'prose'],
  new RegExp(
    [
      String.raw`A server is already running(?:\. Check | \(pid: \d{1,10}, file: )(?<rails>${PATH})`,
      String.raw`(?:httpd|apache2) \(pid \d{1,10}\) already running`,
      String.raw`(?<=\s|^)(?<ovs>\/[^\s:]{1,120}\.pid): (?:pidfile check failed|already running as pid)`,
      String.raw`ERROR: Pidfile \((?<celery>[^)\n]{1,200})\) already exists`,
      String.raw`[Aa]lready running on PID:? \d{1,10}(?: \(or pid file '(?<gunicorn>[^'\n]{1,200})' is stale\))?`,
      String.raw`The \w{3,20} is already running under PID \d{1,10}`,
      String.raw`[Ff]ound fresh instance PID file \((?<squid>\/[^)\n]{1,200})\)`,
      'FATAL: Squid is already running',
      String.raw`Another twistd server is running, PID \d{1,10}`,
      String.raw`The pid file "(?<dbus>[^"\n]{1,200})" exists`,
      String.raw`pid ?file exists[^\n]{0,60}?(?<daemon>${PATH})`,
    ].join('|'),
  ),
);
/** PostgreSQL looks whether the process lives and passes over a number that is its own, so a second server is as likely. */
const postgres = line('lock file "postmaster.pid" already exists', ['container-log', 'prose']);
const held = line('address already in use', 'container-log', /address already in use/i);
const removed = line(['stale pidfile', 'stale pid file'], [], /(?:[Rr]emoving|[Rr]emoved|[Dd]eleting) (?:a )?stale pid ?file/i);

export const cause = defineCause({
  id: 'app-stale-pid-file',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['node-rebooted', 'oom-container-limit', 'oom-node-global', 'liveness-probe-kills-slow-app'],

  text: {
    name: 'Stale pid file',
    title: '{container} does not start: a pid file{file} is left from before, so it takes itself for running already',
    why: 'At its start the program writes the number of its process to a pid file{file} and removes it when it ends in good order. Here it finds the file of a run that ended badly (killed, out of memory, a node that went down): the file outlived the process, because it lies on a volume or in a folder that all restarts of the pod share. In a container the same small numbers come again, so the check whether that process still lives may even say yes. Every restart ends the same way.',
  },

  clues: {
    found: proves(found, byContainers),
    postgres: supports(postgres, byContainers),
    held: excludes(held),
    removed: excludes(removed),
    well: excludes('pod.status', isWell),
  },
  says: {
    found: 'the program finds a pid file{file} and ends',
    postgres: 'PostgreSQL finds the file postmaster.pid of another server in its data folder',
    held: 'another one does run: its port is taken',
    removed: 'it removes the stale pid file by itself',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { found: said, postgres: server }) => {
    const named = Object.values(said?.fields ?? {}).find((value) => value !== undefined && value !== '');
    const path = named?.replace(/[.,;]$/, '') ?? (server ? 'postmaster.pid' : undefined);
    return { ...namesOf(place), file: path === undefined ? '' : ` (${path})`, path: path ?? '/PATH/TO/PIDFILE' };
  },

  fixes: [
    {
      say: 'Make the pod anew: delete it, so that folders that live as long as the pod begin empty',
      risk: 'restarts-pods',
      steps: [
        { say: 'no other instance may be at work on the same volume', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
        {
          say: 'a restart of the container is not enough: delete the pod',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts',
    },
    {
      say: 'Where the pid file lies on a volume or on the host: remove it',
      risk: 'restarts-pods',
      steps: [
        { say: 'on a hostPath, such as /run or /var/run: on the node', run: 'rm -f {{path}}', on: 'node' },
        {
          say: 'on a claim: from a pod that mounts it',
          run: 'kubectl -n {{namespace}} exec {{target}} -- rm -f {{path}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts',
    },
    {
      say: 'So that it does not come again: remove the file in the start command, keep it in an emptyDir, or write none',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'command of the container, such as: rm -f PIDFILE && exec PROGRAM (Rails: --pid /dev/null, Celery: --pidfile=)',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'openvswitch lib/daemon-unix.c (check_already_running)',
    'rack lib/rack/server.rb (check_pid!)',
    'celery celery/platforms.py (Pidfile)',
    'gunicorn gunicorn/pidfile.py',
    'squid src/Instance.cc',
    'postgresql src/backend/utils/init/miscinit.c (CreateLockFile)',
    'httpd server/listen.c, support/httpd.c',
  ],
});
