import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const found = line(
  ['pid file found, ensure', 'process with PID', 'ensure docker is not running or delete'],
  ['docker-log', 'system-log'],
  /pid file found, ensure docker is not running or delete (?<file>\/\S{3,120})|process with PID (?<pid>\d{1,10}) is still running/,
);
const ended = line(
  ['docker.service: Main process exited', 'Failed to start Docker Application Container Engine'],
  'system-log',
  /docker\.service: Main process exited|Failed to start Docker Application Container Engine/,
);
const up = line('Daemon has completed initialization', [], /Daemon has completed initialization/);

export const cause = defineCause({
  id: 'docker-stale-pid-file',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['runtime-down', 'kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['node-rebooted'],

  text: {
    name: 'Docker pid file left over',
    title: 'Docker on {node} does not start: it finds the pid file {file} of a Docker that runs already or ended badly',
    why: 'dockerd writes {file} and refuses to start while it names a living process. After a crash or a hard power-off the file stays, and its number may belong to another program by now; or a second dockerd really runs.',
  },

  clues: {
    found: proves(found, ({ fields }) => fields['file'] !== undefined),
    running: supports(found, ({ channel, fields }) => fields['pid'] !== undefined && channel === 'docker-log'),
    ended: supports(ended),
    up: excludes(up, ({ channel }) => channel === 'docker-log'),
  },
  says: {
    found: 'dockerd finds the pid file {file}',
    running: 'dockerd finds another dockerd running (PID {pid})',
    ended: 'the unit docker.service fails',
    up: 'Docker has started since',
  },
  slots: (place, { found: said, running }) => ({
    node: place.name,
    file: said?.fields['file'] ?? '/var/run/docker.pid',
    pidFile: /^(?:\/var)?\/run\/docker\.pid$/.test(said?.fields['file'] ?? '') ? '/run/docker.pid' : '',
    pid: running?.fields['pid'] ?? 'unknown',
  }),

  fixes: [
    {
      say: 'See whether that process is a Docker',
      risk: 'reads-only',
      steps: [{ say: 'the number and the program', run: 'cat {{file}}; ps -o pid,cmd -p $(cat {{file}}); pgrep -a dockerd', on: 'node' }],
    },
    {
      say: 'Remove the stale pid file and start Docker',
      risk: 'touches-node',
      steps: [
        { say: 'only when no dockerd runs', run: 'pgrep dockerd || rm -f {{file}}', on: 'node' },
        {
          say: 'start it, then the kubelet',
          run: 'systemctl reset-failed docker && systemctl start docker && systemctl restart kubelet',
          on: 'node',
        },
      ],
      changes: [
        { do: 'remove-file', path: '{{pidFile}}' },
        { do: 'units', action: 'restart', units: ['docker', 'kubelet'] },
      ],
      verified: 'docker info answers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['moby pkg/pidfile'],
});
