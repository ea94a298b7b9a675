import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
const cannotOpen = line(
  [
    'failed to open log file',
    'failed to create container io',
    'failed to start container io pipes',
    'failed to initialize logging driver',
    'failed to create pod log directory',
    'mkdir /var/log/pods',
    'creating log directory',
    'failed to create log directory',
  ],
  ASKED,
  /failed to open log file \\*"(?<path>\/[^"\\]{3,300})\\*"[^\n]{0,400}?: (?<error>no space left on device|no such file or directory|permission denied|read-only file system|too many open files|input\/output error)|(?<driver>failed to initialize logging driver): (?<reason>[^\n"]{3,200})|(?:mkdir|open) (?<directory>\/var\/log\/(?:pods|containers)[^\s:"\\]{0,200}): (?<why>no space left on device|no such file or directory|permission denied|read-only file system|input\/output error|not a directory)/,
);
const cannotRotate = line(
  ['failed to reopen container log', 'failed to rotate log'],
  ['kubelet-log', 'containerd-log', 'crio-log'],
  /failed to (?:rotate logs?|reopen container log)[^\n]{0,600}?(?<problem>no space left on device|read-only file system|permission denied|input\/output error)/i,
);
const symlink = line(
  ['failed to try resolving symlinks in path'],
  ['container-log', 'kubelet-log'],
  /failed to try resolving symlinks in path \\*"(?<link>\/var\/log\/[^"\\]{3,300})\\*"[^\n]{0,400}?no such file or directory|/,
);
const watch = line(
  ['failed to watch file', 'inotify_'],
  [],
  /failed to watch file[^\n]{0,300}?(?:no space left on device|too many open files)|inotify_(?:init|add_watch)/,
);
const LOGS = /^\/var(?:\/log(?:\/pods|\/containers)?)?$|^\/$/;

export const cause = defineCause({
  id: 'container-log-disk-or-rotation',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['create-error', 'creating', 'crash-loop', 'init-stuck', 'init-crash', 'failed', 'not-ready', 'other-trouble'],
  effectOf: ['disk-full-root', 'disk-io-error', 'filesystem-corrupt-or-readonly'],

  text: {
    name: 'Container logs cannot be written',
    title: 'Logs of containers on {node} cannot be written: {path}, {error}',
    why: 'The runtime opens the log file of a container ({path}) before it starts it, and writes all its output there. On {node} that fails: {error}. {hint}',
  },

  clues: {
    cannotOpen: proves(cannotOpen, notByContainers),
    cannotRotate: supports(cannotRotate, notByContainers),
    symlink: supports(symlink),
    full: supports(
      'host.filesystem',
      ({ path, usedShare, inodesUsedShare }) => LOGS.test(path) && Math.max(usedShare ?? 0, inodesUsedShare ?? 0) >= 0.95,
    ),
    watch: excludes(watch),
  },
  says: {
    cannotOpen: 'the log file cannot be opened: {path} ({error})',
    cannotRotate: 'logs cannot be rotated or opened anew',
    symlink: 'the log a container should have is not there: {link}',
    full: '{filesystem} is {share} full',
    watch: 'the log is there; only the watches (inotify) are used up',
  },
  slots: (place, { cannotOpen: said, symlink: gone, cannotRotate: rotate, full }) => {
    const fields = said?.fields ?? {};
    const path =
      fields['path'] ??
      fields['directory'] ??
      rotate?.fields['log'] ??
      rotate?.fields['rotated'] ??
      gone?.fields['link'] ??
      '/var/log/pods';
    const error = (
      fields['error'] ??
      fields['why'] ??
      fields['reason'] ??
      (gone ? 'no such file or directory' : full ? 'the disk is full' : 'it cannot be rotated')
    )
      .trim()
      .slice(0, 120);
    const isFull = full !== undefined || /no space|disk is full/i.test(error);
    return {
      node: place.name,
      rotation: isFull && path.startsWith('/var/log/pods') ? 'containerLogMaxSize' : '',
      path,
      error,
      link: gone?.fields['link'] ?? path,
      filesystem: full?.path ?? '/var/log',
      share: `${Math.round(Math.max(full?.usedShare ?? 0, full?.inodesUsedShare ?? 0) * 100)} %`,
      hint: hintOf(error),
    };
  },

  fixes: [
    {
      say: 'See how full the disk of the logs is, and which logs are large',
      risk: 'reads-only',
      steps: [
        {
          say: 'space and inodes',
          run: 'df -h /var/log /var/lib/docker /var/lib/containerd; df -i /var/log; ls -ld /var/log/pods /var/log/containers',
          on: 'node',
        },
        { say: 'the largest logs', run: 'du -xh /var/log /var/lib/docker/containers 2>/dev/null | sort -h | tail -15', on: 'node' },
      ],
    },
    {
      say: 'Make room: empty large logs (do not delete open ones) and old journals',
      risk: 'touches-node',
      for: ['full'],
      steps: [
        { say: 'old journals', run: 'journalctl --vacuum-size=200M', on: 'node' },
        {
          say: 'container logs over 500 MB are cut to zero; their content is lost',
          run: "find /var/log/pods /var/lib/docker/containers -name '*.log' -size +500M -exec truncate -s 0 {} +",
          on: 'node',
        },
      ],
      verified: 'df shows room, and containers start again',
    },
    {
      say: 'A missing folder: make it again, then delete the pods whose log folder is gone',
      risk: 'restarts-pods',
      for: ['symlink'],
      steps: [
        {
          say: 'the folders the kubelet expects',
          run: 'mkdir -p /var/log/pods /var/log/containers && chmod 0755 /var/log/pods /var/log/containers',
          on: 'node',
        },
        { say: 'the new pod gets a folder of its own', run: 'kubectl -n NAMESPACE delete pod POD', on: 'cluster' },
      ],
    },
    {
      say: 'For good: let the logs be rotated earlier',
      risk: 'touches-node',
      steps: [
        {
          say: 'kubelet: containerLogMaxSize: 10Mi and containerLogMaxFiles: 3 in /var/lib/kubelet/config.yaml; Docker: log-opts max-size and max-file in daemon.json',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
      changes: [
        { do: 'kubelet-set', key: '{{rotation}}', value: '10Mi' },
        { do: 'kubelet-set', key: 'containerLogMaxFiles', value: 3 },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'df shows room, and containers start again',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'containerd internal/cri/server/container_start.go, internal/cri/io/logger.go',
    'kubernetes pkg/kubelet/logs/container_log_manager.go, pkg/kubelet/kuberuntime/logs',
    'moby daemon/logs.go',
  ],
});

function hintOf(error: string): string {
  if (/no space/.test(error)) return 'The file system of /var/log (or its inodes) is full, so no container can be started there.';
  if (/no such file/.test(error)) return 'The log folder of the pod was deleted, or /var/log was mounted over or cleaned by hand.';
  if (/permission denied|read-only/.test(error)) return 'The file system is read-only, or SELinux or its permissions keep the runtime out.';
  return 'Without that file the container is not started, or its output is lost.';
}
