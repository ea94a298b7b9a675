import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const PRINTED_BY = ['container-log', 'pod-events', 'pod-spec', 'kubelet-log', 'containerd-log'] as const;

const tooLong = line(
  ['argument list too long'],
  PRINTED_BY,
  /(?:exec(?: user process caused)?[: ]{1,2}(?:\\*"?(?<program>\/[^\s":\\]{1,200})\\*"?: )?|exec: \\*"(?<name>[^"\\\n]{1,200})\\*": |fork\/exec (?<path>\/[^\s:]{1,200}): )[^\n]{0,60}?argument list too long/i,
);
/** A Service of the namespace puts `NAME_PORT=tcp://…` into every pod; a program that has a setting of that name reads it. */
const portOfService = line(
  [
    '"tcp://1',
    "'tcp://1",
    '`tcp://1',
    ' tcp://1',
    ':tcp://1',
    '"udp://1',
    "'udp://1",
    // The Services of GKE Autopilot have addresses in 34.118.224.0/20.
    '"tcp://34.',
    "'tcp://34.",
    ' tcp://34.',
    ':tcp://34.',
    '":tcp:" after host',
    "integer value as 'tcp:'",
  ],
  ['container-log'],
  /listen (?:tcp[46]?: address|EACCES: permission denied) (?<listen>tcp:\/\/[\d.]{7,15}:\d{1,5})|listen URL [\\"]{1,3}[^"\s]{1,200}?:(?<joined>tcp:\/\/[\d.]{7,15}:\d{1,5})|host:port pair '[^'\s]{1,200}?:(?<pair>tcp:\/\/[\d.]{7,15}:\d{1,5})|input string '(?<dotnet>tcp:\/\/[\d.]{7,15}:\d{1,5})' was not in a correct format|invalid port [\\"]{1,3}(?<scheme>:tcp:)[\\"]{1,3} after host|integer value as '(?<cast>tcp:)'|parsing \\*"(?<syntax>tcp:\/\/[\d.]{7,15}:\d{1,5})\\*": invalid syntax|(?:strconv\.\w{1,20}: parsing \\*"|For input string: \\*"|invalid literal for int\(\) with base 10: '|(?:invalid|bad|illegal|wrong|not a valid|cannot parse|could not parse|failed to parse|unable to parse|convert)[^\n]{0,80}?(?:port|integer|number|value|int)[^\n]{0,40}?["'` ]|port[^\n]{0,40}?(?:must be|should be|expected|received|is not)[^\n]{0,80}?["'` ])(?<value>(?:tcp|udp):\/\/[\d.]{7,15}:\d{1,5})|(?<before>tcp:\/\/[\d.]{7,15}:\d{1,5})["'`]? (?:appears to be a URI|is not a (?:valid port|valid (?:integer|number|int)|number))/i,
);
const notYet = line(
  ['services have not yet been read at least once'],
  ['pod-events', 'kubelet-log'],
  /services have not yet been read at least once, cannot construct envvars/,
);
const skipped = line(
  ['considered invalid environment variable names'],
  ['pod-events'],
  /Keys \[(?<keys>[^\]\n]{1,300})\] from the EnvFrom (?<kind>configMap|secret) (?<object>\S{1,317}) were skipped/i,
);
const badName = line(
  ['setenv: invalid argument', 'invalid environment variable'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /setenv: invalid argument|invalid environment variable[^\n]{0,80}/,
);
const ownScript = line(
  ['argument list too long'],
  [],
  /(?:line \d{1,6}: |xargs|\/bin\/(?:rm|cp|mv|ls|tar|grep|cat|find|chown|chmod))[^\n]{0,60}?: ?argument list too long/i,
);

export const cause = defineCause({
  id: 'env-invalid-or-too-large',
  area: 'config',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['config-error', 'create-error', 'crash-loop', 'restarts', 'failed', 'init-crash', 'not-ready', 'other-trouble'],
  effectOf: ['kubelet-version-skew'],

  text: {
    name: 'Environment cannot be used',
    title: 'The environment of {container} cannot be used: {what}',
    why: 'The kubelet makes the environment of a container from env, envFrom and the Services of its namespace. {mechanism}',
  },

  clues: {
    tooLong: proves(tooLong),
    portOfService: proves(portOfService),
    notYet: supports(notYet),
    skipped: supports(skipped),
    badName: supports(badName),
    ownScript: excludes(ownScript),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    tooLong: 'the program cannot be executed: argument list too long',
    portOfService: 'it takes {value} for a number: the variable of a Service',
    notYet: 'the kubelet has not read the Services yet',
    skipped: 'keys {keys} are no names of variables and were left out',
    badName: 'a variable of the environment cannot be set',
    ownScript: 'a command in a script gets too many arguments itself',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { tooLong: long, portOfService: port, notYet: early, skipped: left }) => {
    const names = namesOf(place);
    // Some show only its scheme.
    const value = Object.values(port?.fields ?? {}).find((given) => given.includes('//')) ?? 'tcp://…';
    const keys = left?.fields['keys'] ?? 'some';
    const { what, mechanism } = long
      ? {
          what: 'it is too large (argument list too long)',
          mechanism:
            'The kernel limits arguments and environment of a program together (2 MiB, and 128 KiB for one string). A large ConfigMap or Secret taken in by envFrom, one huge variable, or seven variables for each of many hundred Services of the namespace exceed it, and not even the entrypoint can be executed.',
        }
      : port
        ? {
            what: `the variable of a Service (${value}) is read as a port number (enableServiceLinks)`,
            mechanism:
              'For every Service of the namespace the kubelet sets variables such as NAME_PORT=tcp://ADDRESS:PORT in each pod. A Service is called like the program, so its setting NAME_PORT is overwritten with an address, and the program fails to read it as a number.',
          }
        : early
          ? {
              what: 'the kubelet has not read the Services yet',
              mechanism:
                'A kubelet that was just started has to read the Services once before it can make the environment of a container. That ends by itself within seconds; if it does not, the kubelet cannot reach the API server.',
            }
          : {
              what: `names or values of variables are invalid${left ? ` (${keys})` : ''}`,
              mechanism:
                'Keys of a ConfigMap or Secret that are no valid names of variables are left out of envFrom, and values with null bytes cannot be set, so the program misses settings it expects.',
            };
    return { ...names, what, mechanism, value, keys, links: long || port ? 'enableServiceLinks' : '' };
  },

  fixes: [
    {
      say: 'See what the environment is made of',
      risk: 'reads-only',
      steps: [
        {
          say: 'env and envFrom',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A4 'envFrom|enableServiceLinks|env:'",
          on: 'cluster',
        },
        {
          say: 'how many Services there are, and whether one is called like the program',
          run: 'kubectl -n {{namespace}} get services',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Switch off the variables of Services: enableServiceLinks: false in the pod',
      risk: 'restarts-pods',
      for: ['portOfService'],
      steps: [
        {
          say: 'programs that find Services by DNS do not need them',
          run: `kubectl -n {{namespace}} patch {{target}} -p '{"spec":{"template":{"spec":{"enableServiceLinks":false}}}}'`,
          on: 'cluster',
        },
        { say: 'or set the variable explicitly under env, or rename the Service' },
      ],
      changes: [{ do: 'workload-set', field: '{{links}}', value: false }],
      verified: '{container} starts',
    },
    {
      say: 'Give large or oddly named settings as files instead: mount the ConfigMap or Secret as a volume',
      risk: 'restarts-pods',
      for: ['tooLong', 'skipped', 'badName'],
      steps: [
        {
          say: 'replace envFrom by a volume, or take only the keys that are needed',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['execve(2) E2BIG', 'kubernetes pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables), pkg/kubelet/envvars/envvars.go'],
});
