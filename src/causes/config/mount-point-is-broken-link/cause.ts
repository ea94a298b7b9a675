import { defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log', 'crio-log', 'docker-log'] as const;
/** The runtime makes a missing mount point itself, but not through a link that leads nowhere. */
const nowhere = line(
  ['change mount propagation through procfd'],
  PRINTED_BY,
  /to rootfs at [\\"'`]{1,8}(?<path>\/[^"'\\`\n]{1,300})[\\"'`]{1,8}: change mount propagation through procfd: [^\n]{0,600}?no such file or directory/,
);
const postgres = line(['there appears to be PostgreSQL data in', 'in 18+, these Docker images are configured'], []);

export const cause = defineCause({
  id: 'mount-point-is-broken-link',
  area: 'config',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['create-error', 'crash-loop', 'creating', 'init-crash', 'failed', 'restarts', 'other-trouble'],

  text: {
    name: 'Mount point is a broken link',
    title: 'The volume cannot be mounted at {path}: in the image that path is a link to a folder that does not exist{which}',
    why: 'The runtime mounts each volume at its mountPath inside the image, and makes a folder there where none is. At {path} the image has a symbolic link whose target is missing, so the mount ends nowhere and the container is not created. {reason} The volume itself is well.',
  },

  clues: {
    nowhere: proves(nowhere),
    postgres: excludes(postgres),
    well: excludes('pod.status', isWell),
  },
  says: {
    nowhere: 'the runtime mounts the volume at {path} and does not find it again',
    postgres: 'the container was started: the program itself refuses its folder',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { nowhere: said }) => {
    const path = said?.fields['path'] ?? 'its mount path';
    const isPostgres = /\/var\/lib\/postgresql\/data\b/.test(path);
    return {
      ...namesOf(place),
      path,
      which: isPostgres ? ' (images of PostgreSQL 18 and later)' : '',
      reason: isPostgres
        ? 'Images of PostgreSQL from version 18 on keep data in a folder for each version below /var/lib/postgresql, and /var/lib/postgresql/data is only a link; a tag such as "latest" brought the new version.'
        : 'Often a newer version of the image has moved the folder and left a link behind.',
      advice: isPostgres
        ? 'Mount the volume at /var/lib/postgresql (new installations), or stay with the image of the version before (postgres:17), which has the data folder'
        : `Mount the volume at the real folder instead of the link ${path}, or go back to the image that had a folder there`,
    };
  },

  fixes: [
    {
      say: 'See the image, its tag, and where the volume is mounted',
      risk: 'reads-only',
      steps: [
        {
          say: 'image and mount paths',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE "image:|mountPath|subPath"',
          on: 'cluster',
        },
      ],
    },
    {
      say: '{advice}',
      risk: 'restarts-pods',
      steps: [
        { say: 'the version before', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' },
        {
          say: 'or change mountPath; data of an older version has to be brought over first (pg_upgrade, dump and restore)',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: 'the container starts and finds its data',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['opencontainers/runc libcontainer/rootfs_linux.go (mountPropagate)', 'docker-library/postgres 18: PGDATA and VOLUME'],
});
