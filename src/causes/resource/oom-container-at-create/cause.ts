import { entityOf } from '../../../model/entity.ts';
import { bytes, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;

const initKilled = line(['container init was OOM-killed'], SAID_BY, /container init was OOM-killed(?: \(memory limit too low\?\))?/);
const tooLow = line(
  ['Minimum memory limit allowed is', 'too low; should be at least', 'unable to set memory limit to'],
  SAID_BY,
  /Minimum memory limit allowed is (?<docker>\w{1,12})|set memory limit (?<asked>\d{1,20}) too low; should be at least (?<crio>\d{1,20})|unable to set memory limit to (?<wanted>\d{1,20}) \(current usage: (?<usage>\d{1,20})/,
);
const lostInit = line(
  ["final child's pid from pipe", 'read init-p: connection reset by peer', 'container init caused', 'exec setns process for init caused'],
  SAID_BY,
  /getting the final child's pid from pipe caused[^\n]{0,12}EOF|read init-p: connection reset by peer|(?:container init|exec setns process for init) caused[^\n]{0,80}?(?:signal: killed|cannot allocate memory)/,
);
const kernelSays = line(
  ['runc:[2:INIT]', 'runc:[1:CHILD]'],
  ['kernel-log'],
  /(?:Killed process \d{1,10} \(runc:\[\d:\w{1,10}\]?\)|runc:\[\d:\w{1,10}\][^\n]{0,40}?invoked oom-killer)/,
);
const namespaces = line(['user namespaces', 'max_user_namespaces'], [], /max_user_namespaces|user namespaces are not enabled/);

const SMALLEST = 12 * 1024 * 1024;

export const cause = defineCause({
  id: 'oom-container-at-create',
  area: 'resource',
  at: 'Workload',
  maturity: 'stable',
  explains: ['create-error', 'crash-loop', 'creating', 'failed', 'init-crash', 'oom', 'restarts', 'not-ready', 'other-trouble'],

  text: {
    name: 'Memory limit too low to start',
    title: 'The memory limit of {container} is too low even to start it{limit}',
    why: 'Before the program runs, the runtime (runc) sets the container up inside its memory cgroup and needs some megabytes for that. With a limit this small the kernel kills runc itself, so the container fails with StartError and there is not one line of log. Nearly always it is a unit that was forgotten: 128m means 0.128 bytes and 512 means 512 bytes; 128Mi is meant.',
  },

  clues: {
    initKilled: proves(initKilled),
    tooLow: proves(tooLow),
    lostInit: supports(lostInit),
    kernelSays: supports(kernelSays),
    tiny: supports('container.memory-limit', ({ bytes: limit }) => limit < SMALLEST),
    namespaces: excludes(namespaces),
    well: excludes('pod.status', isWell),
  },
  says: {
    initKilled: 'the runtime says: container init was OOM-killed',
    tooLow: 'the runtime calls the memory limit too low{least}',
    lostInit: 'runc loses its own child process while it sets the container up',
    kernelSays: 'the kernel killed runc itself for the memory limit',
    tiny: 'the memory limit is only {tinyLimit}',
    namespaces: 'user namespaces are switched off on the node',
    well: 'the pod runs and is ready',
  },
  slots: (place, { tooLow: low, tiny }) => {
    const container = tiny ? entityOf(tiny.about).name : undefined;
    const least = low?.fields['docker'] ?? (low?.fields['crio'] ? bytes(Number(low.fields['crio'])) : undefined);
    const asked = low?.fields['asked'] ?? low?.fields['wanted'];
    const limit = tiny ? bytes(tiny.bytes) : asked ? bytes(Number(asked)) : undefined;
    return {
      ...namesOf(place),
      container: container ?? 'the container',
      containerName: container ?? 'CONTAINER',
      named: container ?? '',
      limit: limit ? ` (${limit || '0'})` : '',
      tinyLimit: tiny ? `${bytes(tiny.bytes)}` : 'small',
      least: least ? ` (at least ${least})` : '',
    };
  },

  fixes: [
    {
      say: 'See the limit with its unit',
      risk: 'reads-only',
      steps: [
        {
          say: 'limits and requests of each container',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nA6 'resources:'",
          on: 'cluster',
        },
        { say: 'limits that a LimitRange put in', run: 'kubectl -n {{namespace}} describe limitrange', on: 'cluster' },
      ],
    },
    {
      say: 'Write the limit with the unit Mi or Gi, and large enough for the program',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for example 256Mi; m is a thousandth of a byte',
          run: 'kubectl -n {{namespace}} set resources {{target}} -c {{containerName}} --limits=memory=256Mi --requests=memory=128Mi',
          on: 'cluster',
        },
      ],
      changes: [
        { do: 'workload-set', container: '{{named}}', field: 'resources.limits.memory', value: '256Mi' },
        { do: 'workload-set', container: '{{named}}', field: 'resources.requests.memory', value: '128Mi' },
      ],
      verified: '{container} is started and writes a log',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'opencontainers/runc libcontainer/process_linux.go, libcontainer/cgroups/fs/memory.go',
    'cri-o internal/config/cgmgr',
    'moby daemon/daemon_unix.go',
  ],
});
