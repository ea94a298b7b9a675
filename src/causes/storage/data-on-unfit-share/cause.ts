import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** Databases need hard links, fsync and locks of their file system; shares over SMB, FUSE and some of NFS lack one of them. */
const lacks = line(
  ['could not link file', 'could not fsync file', 'could not fsync directory', 'Unable to lock ./', 'Unable to lock '],
  'container-log',
  /(?<error>could not (?<link>link) file [^\n]{3,200}: (?:Operation not permitted|Function not implemented|Operation not supported|Not supported)|could not (?<fsync>fsync) (?:file|directory) [^\n]{1,200}: (?:Invalid argument|Function not implemented|Operation not supported)|Unable to (?<lock>lock) \S{1,100} error: (?:37|38|95)\b)/,
);
const share = supports('pod.volume', ({ type }) => /NFS|AzureFile|CIFS|SMB|Gluster/i.test(type));

export const cause = defineCause({
  id: 'data-on-unfit-share',
  area: 'storage',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Share unfit for a database',
    title: '{container} cannot keep its data on this volume: its file system cannot do {what} ({error})',
    why: 'A database needs a file system that can do {what}. The volume of {container} is on one that cannot: a share over SMB (Azure Files), FUSE (S3, blob storage) or an NFS server without it. Owner and permissions have no part in it, so chown and fsGroup do not help; the program ends at every start, or loses data later.',
  },

  clues: {
    lacks: proves(lacks, byContainers),
    share,
    well: excludes('pod.status', isWell),
  },
  says: {
    lacks: 'the file system below refuses: {error}',
    share: 'it mounts {volume}, a share over the network',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { lacks: said, share: mounted }) => ({
    ...namesOf(place),
    error: (said?.fields['error'] ?? 'not supported').replace(/\s+/g, ' ').trim().slice(0, 200),
    what: said?.fields['link'] ? 'hard links' : said?.fields['fsync'] ? 'fsync (writing through to the disk)' : 'file locks',
    volume: mounted ? `volume ${mounted.name}${mounted.source ? ` (${mounted.source})` : ''}` : 'a volume',
  }),

  fixes: [
    {
      say: 'See what kind of volume it is',
      risk: 'reads-only',
      steps: [
        {
          say: 'claims with their class, and the driver of each class',
          run: 'kubectl -n {{namespace}} get pvc; kubectl get storageclass',
          on: 'cluster',
        },
        { say: 'how it is mounted on the node', run: 'findmnt -t nfs,nfs4,cifs,fuse', on: 'node' },
      ],
    },
    {
      say: 'Give the database a disk of its own: a claim of a block storage class (ReadWriteOnce: EBS, Azure Disk, PD, RBD, Longhorn, a local disk), and load the data into it',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'keep the old claim until the data is there; a class cannot be changed in a claim',
          run: 'kubectl -n {{namespace}} get pvc -o yaml > claims.yaml',
          on: 'cluster',
        },
      ],
      verified: 'the database starts and keeps its data over a restart',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'postgres src/backend/storage/file/fd.c (durable_rename_excl, fsync_fname)',
    'mysql-server storage/innobase/os/os0file.cc (os_file_lock)',
    'link(2), fcntl(2) ENOLCK',
  ],
});
