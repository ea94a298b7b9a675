import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const postgres = line(
  ['exists but is not empty'],
  'container-log',
  /directory [\\"'“]{1,4}(?<path>\/[^\\"'”\n]{1,300})[\\"'”]{1,4} exists but is not empty/,
);
const mysql = line(
  ['data directory has files in it', 'is unusable. You can remove all files that the server added to it'],
  'container-log',
  /--initialize specified but the data directory has files in it|data directory (?<path>\/\S{1,300}?) is unusable\. You can remove all files/,
);
const lostFound = line(
  ['contains a lost+found directory', 'lost+found'],
  'container-log',
  /contains a lost\+found directory|#mysql50#lost\+found/,
);
/** Programs that take every folder of their data for one of their own. */
const mistaken = line(
  ['lost+found'],
  'container-log',
  /(?:[Ii]nvalid|[Uu]nexpected|[Cc]annot|[Ff]ailed|Found directory|Exception:)[^\n]{0,200}?(?<path>\/[^\s'",:]{0,200})?\blost\+found|(?<folder>\/[^\s'",:]{0,200})\blost\+found[^\n]{0,80}(?:[Pp]ermission denied|no such file|not permitted)/,
);
const claim = supports('pod.volume', ({ type }) => /PersistentVolumeClaim/i.test(type));

export const cause = defineCause({
  id: 'app-data-folder-not-empty',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Data folder is not empty',
    title: '{container} does not set up its database: the data directory {path} is not empty{found}',
    why: 'A database makes its files only in an empty folder. Here {path} is the mount point of a volume itself, or holds what is left of an earlier, unfinished start. A fresh ext4 volume is never empty: mkfs puts lost+found into it. So {container} ends at every start, and the volume itself is not at fault.',
  },

  clues: {
    postgres: proves(postgres, byContainers),
    mysql: proves(mysql, byContainers),
    mistaken: proves(mistaken, byContainers),
    lostFound: supports(lostFound),
    claim,
    well: excludes('pod.status', isWell),
  },
  says: {
    postgres: 'initdb finds {path} not empty',
    mysql: 'mysqld finds files in its data directory',
    mistaken: 'it stumbles over lost+found, which it takes for data of its own',
    lostFound: 'it holds lost+found: the folder is the mount point of a volume (a subdirectory is wanted)',
    claim: 'it mounts {volume}',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { postgres: initdb, mysql: server, mistaken: stumbles, lostFound: found, claim: mounted }) => ({
    ...namesOf(place),
    path: initdb?.fields['path'] ?? stumbles?.fields['path'] ?? stumbles?.fields['folder'] ?? server?.fields['path'] ?? 'of its volume',
    folder: initdb?.fields['path'] ?? server?.fields['path'] ?? '/var/lib',
    found: found === undefined && stumbles === undefined ? '' : ' (lost+found: it is the mount point of the volume itself)',
    volume: mounted ? `volume ${mounted.name}${mounted.source ? ` (${mounted.source})` : ''}` : 'a volume',
  }),

  fixes: [
    {
      say: 'See what lies in the folder',
      risk: 'reads-only',
      steps: [
        {
          say: 'mounts and environment of the container',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE "mountPath|subPath|PGDATA|datadir" -A1',
          on: 'cluster',
        },
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --all-containers --previous --tail=30', on: 'cluster' },
      ],
    },
    {
      say: 'Let the database use a folder below the mount point: subPath on the volumeMount, or PGDATA (datadir) one level deeper',
      risk: 'restarts-pods',
      steps: [
        { say: 'for PostgreSQL', run: 'kubectl -n {{namespace}} set env {{target}} PGDATA=/var/lib/postgresql/data/pgdata', on: 'cluster' },
      ],
      verified: 'the database makes its files and accepts connections',
    },
    {
      say: 'Where an earlier start was broken off and there is no data to keep, empty the folder',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'look first: this cannot be undone',
          run: 'kubectl -n {{namespace}} debug {{target}} -it --image=busybox:1.36 --target={{container}} -- ls -la /proc/1/root{{folder}}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['postgres src/bin/initdb/initdb.c (warn_on_mount_point)', 'mysql-server sql/dd/dd_initialization'],
});
