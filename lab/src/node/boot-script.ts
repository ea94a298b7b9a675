import type { Hierarchy } from '../cgroups.ts';

export interface BootScript {
  readonly node: string;
  /** Disk image with the node's own files. */
  readonly disk: string;
  /** Empty folder on the machine where the disk is mounted, seen by the node alone. */
  readonly mountPoint: string;
  /** Folder laid over the machine's /usr: the Kubernetes commands. */
  readonly layer: string;
  readonly hierarchies: readonly Hierarchy[];
}

const DEVICES: readonly (readonly [string, number, number])[] = [
  ['null', 1, 3],
  ['zero', 1, 5],
  ['full', 1, 7],
  ['random', 1, 8],
  ['urandom', 1, 9],
  // Nodes share one kernel: in its log they would read what happens to each other's containers. This is the null device.
  ['kmsg', 1, 3],
  ['tty', 5, 0],
  ['fuse', 10, 229],
];

function deviceLines(): readonly string[] {
  return [
    'mount -t tmpfs -o mode=755,nosuid dev dev',
    ...DEVICES.map(([name, major, minor]) => `mknod -m 666 dev/${name} c ${major} ${minor}`),
    'mkdir dev/pts dev/shm dev/mqueue dev/net',
    'mknod -m 666 dev/net/tun c 10 200',
    'mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts',
    'ln -s pts/ptmx dev/ptmx',
    'ln -s /proc/self/fd dev/fd; ln -s fd/0 dev/stdin; ln -s fd/1 dev/stdout; ln -s fd/2 dev/stderr',
    'mount -t tmpfs shm dev/shm',
    'mount -t mqueue mqueue dev/mqueue',
  ];
}

function cgroupLines(hierarchies: readonly Hierarchy[]): readonly string[] {
  if (hierarchies.some((one) => one.folder === '')) return ['mount -t cgroup2 cgroup2 sys/fs/cgroup'];
  const mounts = hierarchies.flatMap((one) => [
    `mkdir sys/fs/cgroup/${one.folder}`,
    one.options === undefined
      ? `mount -t cgroup2 cgroup2 sys/fs/cgroup/${one.folder}`
      : `mount -t cgroup -o ${one.options} cgroup sys/fs/cgroup/${one.folder}`,
  ]);
  return ['mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup', ...mounts];
}

/**
 * First process of a node: runs in namespaces of its own, lays out a root of its own, then becomes systemd.
 * Every mount is made in here, so all of them go with the node's last process.
 */
export function bootScript(script: BootScript): string {
  return [
    '#!/bin/sh',
    'set -eu',
    'mount --make-rprivate /',
    `mount -o loop ${script.disk} ${script.mountPoint}`,
    `cd ${script.mountPoint}`,
    `mount -t overlay overlay -o lowerdir=${script.layer}:/usr,upperdir=.usr/upper,workdir=.usr/work usr`,
    'mount -t proc proc proc',
    'mount -t sysfs sysfs sys',
    ...cgroupLines(script.hierarchies),
    ...deviceLines(),
    'mount -t tmpfs -o mode=755,size=512m run run',
    'mkdir -p run/lock',
    'mount -t tmpfs -o mode=1777,size=512m tmp tmp',
    `hostname ${script.node}`,
    'mkdir -p .old',
    'pivot_root . .old',
    'umount -l /.old',
    'mount --make-rshared /',
    'exec env -i container=podcause-lab LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=lab.target',
    '',
  ].join('\n');
}

/** Moves itself into the node's cgroups before its namespaces are made: their root is where it sits then. */
export function launchScript(cgroups: readonly string[], networkNamespace: string, boot: string): string {
  return [
    '#!/bin/sh',
    'set -eu',
    ...cgroups.map((folder) => `echo $$ > ${folder}/cgroup.procs`),
    `exec nsenter --net=/run/netns/${networkNamespace} unshare --fork --kill-child --pid --mount --uts --ipc --cgroup /bin/sh ${boot}`,
    '',
  ].join('\n');
}
