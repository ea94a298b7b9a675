import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'object-events', 'prose'] as const;
const noAgent = line(
  ['daemonset pod not found in running state in node', 'node-agent is not running in node', 'node-agent pod is not running in node'],
  SAID_BY,
  /(?:daemonset pod not found in running state|node-agent (?:pod )?is not running) in node (?<node>[\w.-]{1,253})/,
);
const noPath = line(
  ['expected one matching path', 'error identifying unique volume path on host', 'resolveSymlink: lstat /var/lib/kubelet'],
  SAID_BY,
  /(?<error>expected one matching path[^\n"]{0,200}?got \d{1,4}|error identifying unique volume path on host[^\n"]{0,120}|resolveSymlink: lstat \/var\/lib\/kubelet[^\n"]{0,120})/,
);
const killed = line(
  ['with error: signal: killed', 'during the server starting, mark it as'],
  SAID_BY,
  /(?:(?<tool>restic|kopia)[^\n]{0,1500}with error: signal: killed|found a \w{3,40} with status [\\"]{0,4}InProgress[\\"]{0,4} during the (?<server>server|node-agent) starting)/,
);
const noClass = line(
  ['failed to get VolumeSnapshotClass for', 'velero.io/csi-volumesnapshot-class label'],
  SAID_BY,
  /failed to get VolumeSnapshotClass for (?:provisioner (?<driver>[\w.-]{3,120})|StorageClass [\w.-]{1,253}[^\n]{0,120}? for provisioner (?<byClass>[\w.-]{3,120}))|has the velero\.io\/csi-volumesnapshot-class label/,
);
const locked = line(
  ['repository is already locked by', 'unable to create lock in backend'],
  SAID_BY,
  /(?<error>unable to create lock in backend[^\n"]{0,120}|repository is already locked by[^\n"]{0,100})/,
);
/** restic and kopia keep the data of volumes in a repository of their own within the bucket. */
const repository = line(
  [
    'repository not initialized in the provided storage',
    'backup repository is not ready',
    'error to connect to backup repo',
    'wrong password or no key found',
    'invalid repository password',
    'create repository failed',
  ],
  SAID_BY,
  /(?<error>repository not initialized in the provided storage|wrong password or no key found|invalid repository password|create repository failed: [^\n"]{3,120}|backup repository is not ready(?:: [^\n"]{3,120})?|error to connect to backup repo(?:: [^\n"]{3,120})?)/,
);
const failed = line(
  [
    'pod volume backup failed: ',
    'data path backup failed: ',
    'timed out waiting for all PodVolumeBackups to complete',
    'timeout on preparing data upload',
  ],
  SAID_BY,
  /(?<error>(?:pod volume|data path) backup failed: [^\n"]{3,200}|timed out waiting for all PodVolumeBackups to complete|timeout on preparing data upload)/,
);
// No channel: a backup that came to its end settles it.
const done = line(['Completed   0 '], [], /\sCompleted\s{1,20}0\s{1,20}\d/);

export const cause = defineCause({
  id: 'volume-backup-not-made',
  area: 'storage',
  at: 'Namespace',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready', 'volume-pending'],
  effectOf: ['volume-snapshot-not-made', 'backup-store-unusable', 'data-volume-full'],

  text: {
    name: 'Volume is not backed up',
    title: 'Velero does not back up the volume: {what}',
    why: 'Velero backs up volumes in two ways: the node-agent of the node on which the pod runs reads its files (restic, kopia), or the CSI driver takes a snapshot. {detail} The objects are saved all the same, so the backup ends as PartiallyFailed: it holds the manifests without this data.',
  },

  clues: {
    noAgent: proves(noAgent),
    noPath: proves(noPath),
    killed: supports(killed),
    noClass: proves(noClass),
    locked: proves(locked),
    repository: proves(repository),
    failed: supports(failed),
    done: excludes(done),
  },
  says: {
    noAgent: 'no pod of the node-agent runs on {node}',
    noPath: 'the node-agent does not find the volume below its host path: {error}',
    killed: 'the program that copies the data was killed',
    noClass: 'no VolumeSnapshotClass for {driver} has the label Velero looks for',
    locked: 'another run holds the lock of the repository: {error}',
    repository: 'the repository for the data of volumes cannot be opened: {error}',
    failed: 'Velero says: {error}',
    done: 'the backup completed without errors since',
  },
  slots: (place, { noAgent: absent, noPath: lost, killed: ended, noClass: unlabelled, locked: held, repository: shut, failed: said }) => {
    const node = absent?.fields['node'] ?? 'the node';
    const driver = unlabelled?.fields['driver'] ?? unlabelled?.fields['byClass'] ?? 'its CSI driver';
    const error = ((lost ?? held ?? shut ?? said)?.fields['error'] ?? 'see its log').replace(/\s+/g, ' ').trim().slice(0, 160);
    const told = absent
      ? {
          what: `no pod of its node-agent runs on node ${node}`,
          detail: `On ${node} there is none: the DaemonSet does not tolerate the taint of that node (control planes have one), its pod is not Running there, or a nodeSelector leaves the node out.`,
          advice: `Let the node-agent run on ${node}: a toleration for the taints of that node in its DaemonSet (nodeAgent.tolerations of the chart), or leave those volumes out (annotation backup.velero.io/backup-volumes-excludes)`,
        }
      : ended
        ? {
            what: `${ended.fields['tool'] ?? 'its program'} was killed, most often at the memory limit of the node-agent`,
            detail:
              'The program that reads, packs and sends the files needs memory by the number and size of the files; at the memory limit of the pod the kernel kills it alone, so that the pod may show no restart.',
            advice:
              'Raise the memory limit of the node-agent (or of velero, where the server was restarted), for example to twice of what it has; kopia needs less than restic for many files',
          }
        : unlabelled
          ? {
              what: `no VolumeSnapshotClass of ${driver} has the label velero.io/csi-volumesnapshot-class`,
              detail: `For ${driver} Velero looks for a VolumeSnapshotClass with the label velero.io/csi-volumesnapshot-class: "true", and finds none, or more than one.`,
              advice: `Make a VolumeSnapshotClass with driver ${driver}, and label it`,
            }
          : held
            ? {
                what: 'the lock of the repository is held by another run',
                detail: 'A run that was killed left its lock in the repository, or another one still works.',
                advice: 'See that no other backup runs, then remove the stale lock (restic unlock; Velero does so at its next maintenance)',
              }
            : shut
              ? {
                  what: `the repository for the data of volumes cannot be opened or made (${error})`,
                  detail:
                    'restic and kopia keep that data in a repository within the bucket, locked by the password in the Secret velero-repo-credentials. It was deleted or emptied there, its password is another one than when it was made, or the bucket refuses.',
                  advice:
                    'See that the location is Available; where the repository is gone from the bucket, delete its BackupRepository object, and Velero makes it anew; where the password differs, put the Secret velero-repo-credentials of before back',
                }
              : lost
                ? {
                    what: 'the node-agent does not find the volume in the folder of the kubelet',
                    detail:
                      'The node-agent mounts /var/lib/kubelet/pods of the host and looks for the volume there: no container of the pod mounts the volume, or the kubelet keeps its pods in another folder (k0s, MicroK8s, TKGI, RancherOS), or the volume is of a kind that has no folder (hostPath, local path of another name).',
                    advice:
                      'Set the host path of the node-agent to the folder of the kubelet (nodeAgent.podVolumePath of the chart), and leave volumes out that no container mounts (annotation backup.velero.io/backup-volumes-excludes)',
                  }
                : {
                    what: error,
                    detail: `Here it says: ${error}.`,
                    advice: 'Read the log of the backup and of the node-agent, and cure what they name',
                  };
    return {
      namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'velero',
      node,
      driver,
      error,
      ...told,
    };
  },

  fixes: [
    {
      say: '{advice}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the node-agent, node by node, with its limits',
          run: 'kubectl -n {{namespace}} get pods -o wide -l name=node-agent; kubectl -n {{namespace}} get daemonset node-agent -o yaml | grep -nE -A6 "limits:|tolerations:|hostPath:"',
          on: 'cluster',
        },
        { say: 'more memory', run: 'kubectl -n {{namespace}} set resources daemonset/node-agent --limits=memory=2Gi', on: 'cluster' },
        {
          say: 'classes of snapshots with their driver; then the label',
          run: 'kubectl get volumesnapshotclass --show-labels; kubectl label volumesnapshotclass CLASS velero.io/csi-volumesnapshot-class=true',
          on: 'cluster',
        },
        {
          say: 'what failed, volume by volume',
          run: 'velero backup describe BACKUP --details; kubectl -n {{namespace}} get podvolumebackups,datauploads',
          on: 'cluster',
        },
      ],
      verified: 'a new backup ends as Completed',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'velero pkg/nodeagent/node_agent.go, pkg/podvolume/backupper.go, pkg/uploader/provider/restic.go',
    'velero pkg/util/csi/volume_snapshot.go (GetVolumeSnapshotClass), pkg/controller/backup_controller.go',
  ],
});
