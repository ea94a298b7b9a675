import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const refused = line(
  ['unable to configure the Docker daemon with file', 'unable to configure the Docker daemon', 'merged configuration validation'],
  ['docker-log', 'system-log'],
  /unable to configure the Docker daemon(?: with file (?<file>[^\s:]{3,200}))?:? ?(?<error>[^\n]{0,300})/i,
);
const badFlag = line(
  ['dockerd --help', 'dockerd: ', 'unknown flag: --'],
  'docker-log',
  /unknown flag: (?<flag>--[\w-]{2,60})[\s\S]{0,120}?dockerd --help/,
);
const ended = line(
  [
    'docker.service: Main process exited',
    'Failed to start Docker Application Container Engine',
    'docker.service: Start request repeated too quickly',
  ],
  'system-log',
  /docker\.service: (?:Main process exited|Start request repeated)|Failed to start Docker Application Container Engine/,
);
const up = line(['Daemon has completed initialization', 'API listen on /'], [], /Daemon has completed initialization|API listen on \//);

export const cause = defineCause({
  id: 'docker-daemon-config-invalid',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['runtime-down', 'kubelet-down', 'node-not-ready', 'creating', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Docker daemon.json invalid',
    title: 'Docker on {node} does not start: its configuration {file} is not valid ({fault})',
    why: 'dockerd reads {file} at its start and exits when it is no valid JSON, holds a directive it does not know, or sets something that is also given as a flag in the unit file: {fault}. Without Docker the kubelet (cri-dockerd) has no runtime.',
  },

  clues: {
    refused: proves(refused),
    badFlag: proves(badFlag),
    ended: supports(ended),
    up: excludes(up, ({ channel }) => channel === 'docker-log'),
  },
  says: {
    refused: 'dockerd refuses {file}: {fault}',
    badFlag: 'dockerd does not know the flag {flag}',
    ended: 'the unit docker.service fails',
    up: 'Docker has started since',
  },
  slots: (place, { refused: said, badFlag: unknown }) => {
    const error = said?.fields['error']?.trim() ?? '';
    const both = /specified both as a flag and in the configuration file:? ?(?<which>[^\n(]{0,60})/
      .exec(error)
      ?.groups?.['which']?.replace(/[: ]+$/, '');
    return {
      node: place.name,
      file: said?.fields['file'] ?? '/etc/docker/daemon.json',
      flag: unknown?.fields['flag'] ?? 'it is given',
      fault: unknown
        ? `unknown flag ${unknown.fields['flag'] ?? ''}`
        : both !== undefined
          ? `${both || 'a directive'} is set both as a flag of dockerd and in the file`
          : error === ''
            ? 'see its journal'
            : error.slice(0, 200),
    };
  },

  fixes: [
    {
      say: 'Read the file and the flags of the unit',
      risk: 'reads-only',
      steps: [
        { say: 'is it JSON', run: 'python3 -m json.tool {{file}}; systemctl cat docker | grep -n ExecStart', on: 'node' },
        { say: 'the checker of Docker (23 and later)', run: 'dockerd --validate --config-file {{file}}', on: 'node' },
      ],
    },
    {
      say: 'Correct {file}: valid JSON, known keys, and nothing twice',
      risk: 'touches-node',
      steps: [
        {
          say: 'hosts in the file: take -H out of the unit by a drop-in',
          run: 'mkdir -p /etc/systemd/system/docker.service.d && printf "[Service]\\nExecStart=\\nExecStart=/usr/bin/dockerd\\n" > /etc/systemd/system/docker.service.d/override.conf',
          on: 'node',
        },
        { say: 'start it again', run: 'systemctl daemon-reload && systemctl reset-failed docker && systemctl restart docker', on: 'node' },
      ],
      verified: 'docker info answers, and the kubelet stays up',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['moby daemon/config/config.go', 'docker docs: daemon configuration conflicts'],
});
