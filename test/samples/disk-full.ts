import type { Incident, Victim } from '../../src/model/report.ts';
import { cite, incident, point, reason, victim } from './build.ts';

function evicted(count: number): Victim[] {
  const names = ['checkout', 'search', 'invoice', 'mailer', 'thumbnails', 'reports'];
  return Array.from({ length: count }, (_, index) =>
    victim(
      'shop',
      `${names[index % names.length]}-5f6b8c9d7-${(index + 41_033).toString(36)}x`,
      'evicted',
      [point('pods.json', `/items/${index + 3}/status/reason`, 'Evicted')],
      {
        node: 'worker-5',
        through: 'node-disk-pressure',
      },
    ),
  );
}

/** A full disk, with a chain from it to the many pods it hits. */
export const diskFull: Incident = incident({
  number: 1,
  cause: 'log-file-fills-disk',
  area: 'node',
  title: 'the disk of worker-5 is full of one container log',
  why: 'The log of shop/audit-0 is 71 GiB. It is not rotated, because the container writes it to a host path itself.',
  place: 'Node/worker-5',
  placeId: 'Node/worker-5',
  confidence: 'certain',
  chain: [
    {
      cause: 'node-disk-pressure',
      title: 'the kubelet evicts pods to free disk',
      why: 'Free space is under the eviction threshold.',
      place: 'node worker-5',
      confidence: 'certain',
      because: [
        reason('pressure', 'proves', 'the node says DiskPressure', [
          cite('node.txt', 31, 'DiskPressure   True   KubeletHasDiskPressure   kubelet has disk pressure'),
        ]),
      ],
    },
    {
      cause: 'image-gone-after-gc',
      title: 'images are removed and pulled again',
      why: 'Image garbage collection removes what is not in use.',
      place: 'node worker-5',
      confidence: 'probable',
      because: [],
    },
  ],
  victims: evicted(6),
  victimCount: 27,
  because: [
    reason('full', 'proves', 'the root file system has no space left', [cite('df.txt', 2, '/dev/sda1   98G   98G   20K  100% /')]),
    reason('big', 'proves', 'one file holds most of it', [cite('du.txt', 1, '71G\t/var/log/audit/audit-0.log')]),
    reason(
      'evicted',
      'needs',
      '27 pods were evicted for ephemeral storage',
      [
        point(
          'pods.json',
          '/items/3/status/message',
          'The node was low on resource: ephemeral-storage. Threshold quantity: 10502269968, available: 20Ki.',
        ),
      ],
      27,
    ),
  ],
  not: [{ says: 'images alone: they hold 9 GiB', cited: [cite('df.txt', 6, 'images 9.1G')], looked: [] }],
  fixes: [
    {
      title: 'empty the log and have it rotated',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'keep the end of it, then empty it',
          command: 'sudo tail -c 50M /var/log/audit/audit-0.log > /tmp/audit-tail.log && sudo truncate -s 0 /var/log/audit/audit-0.log',
          on: 'node',
        },
        { say: 'install logrotate', command: 'sudo apt-get install -y logrotate', on: 'node', family: 'debian' },
        { say: 'install logrotate', command: 'sudo dnf install -y logrotate', on: 'node', family: 'rhel' },
        { say: 'install logrotate', command: 'sudo zypper install -y logrotate', on: 'node', family: 'suse' },
        { say: 'delete the evicted pods', command: 'kubectl delete pods -n shop --field-selector status.phase=Failed', on: 'cluster' },
      ],
      verified: 'DiskPressure is False for 10 minutes',
    },
  ],
});
