import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noHelper = line(
  ['helper program', '/sbin/mount.<type>', 'unknown filesystem type', 'missing codepage or'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /(?:(?:-t |~)nfs4?[\s/][\s\S]{0,1500}?(?:missing codepage or helper|bad option; for several filesystems|\/sbin\/mount\.<type>|you might need a \/sbin\/mount\.)|unknown filesystem type '?nfs4?'?|bad superblock on [\w.-]{1,253}:\/[^\s,]{0,300},[\s\S]{0,200}?\(e\.g\. nfs, cifs\))/,
);
const noTool = line('executable file not found', ['pod-events', 'container-log'], /mount\.nfs4?[\\"“”]{0,8}: executable file not found/);
/** The same words come of options that the mount does not take. */
const wrongType = line(
  ['bad superblock on '],
  ['pod-events', 'kubelet-log', 'container-log', 'prose'],
  /(?:wrong fs type, bad option, )?bad superblock on [\w.-]{1,253}:\/[^\s,]{0,300},[^\n]{0,20}missing codepage or/,
);
const helperSpeaks = line(['mount.nfs: ', 'mount.nfs4: '], ['pod-events', 'kubelet-log'], /mount\.nfs4?: (?<text>[^\n]{3,200})/);

export const cause = defineCause({
  id: 'host-missing-nfs-client',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'pending', 'crash-loop', 'other-trouble'],

  text: {
    name: 'Host lacks the NFS client',
    title: 'The NFS client (mount.nfs, package nfs-common or nfs-utils) is not installed on {node}',
    why: 'To mount an NFS volume the kubelet of {node} runs the mount command of the host, which needs the helper program /sbin/mount.nfs. It is missing, so mount falls back to the kernel and answers with "bad option" or "wrong fs type". Neither the NFS server nor the file system is at fault.',
  },

  clues: {
    noHelper: proves(noHelper),
    noTool: proves(noTool),
    wrongType: supports(wrongType),
    toolMissing: supports('host.tool', ({ name, present }) => !present && /^(?:mount\.nfs4?|nfs-common|nfs-utils|nfs-client)$/.test(name)),
    helperSpeaks: excludes(helperSpeaks),
    sandbox: excludes('pod.event', ({ reason }) => reason === 'FailedCreatePodSandBox'),
  },
  says: {
    noHelper: 'mounting NFS fails for want of the helper program mount.nfs',
    noTool: 'mount.nfs was called and is not there',
    wrongType: 'the mount of an NFS share fails as it does without the helper program',
    toolMissing: 'the host has no {tool}',
    helperSpeaks: 'mount.nfs is there and reports an error itself',
    sandbox: 'its volumes are mounted; creating the sandbox fails',
  },
  slots: (place, { toolMissing }) => ({ node: place.name, tool: toolMissing?.name ?? 'mount.nfs' }),

  fixes: [
    {
      say: 'Install the NFS client on {node}, and on every node that may run such pods',
      risk: 'touches-node',
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get update && apt-get install -y nfs-common', on: 'node', family: 'debian' },
        {
          say: 'RHEL, Rocky, Alma, Fedora, Amazon',
          run: 'dnf install -y nfs-utils || yum install -y nfs-utils',
          on: 'node',
          family: 'rhel',
        },
        { say: 'SUSE', run: 'zypper install -y nfs-client', on: 'node', family: 'suse' },
        { say: 'Alpine', run: 'apk add nfs-utils', on: 'node', family: 'alpine' },
        { say: 'Arch', run: 'pacman -S --noconfirm nfs-utils', on: 'node', family: 'arch' },
        { say: 'nothing to restart: the kubelet tries again within two minutes', run: 'command -v mount.nfs', on: 'node' },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: 'nfs-common', rhel: 'nfs-utils', suse: 'nfs-client', alpine: 'nfs-utils', arch: 'nfs-utils' },
          command: 'mount.nfs',
        },
      ],
      verified: 'mount.nfs is found, FailedMount stops and the pods start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes staging/src/k8s.io/mount-utils/mount_linux.go', 'util-linux libmount/src/context_mount.c'],
});
