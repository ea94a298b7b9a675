import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const SAID = ['kubelet-log', 'pod-events', 'containerd-log', 'crio-log', 'docker-log', 'system-log'] as const;

const unit = line(
  [
    'dbus: connection closed by user',
    'Message recipient disconnected from message bus',
    'error while starting unit',
    'unable to start unit',
    'error creating systemd unit',
    'Unit systemd-',
    'dbus: authentication',
  ],
  SAID,
  /(?<error>dbus: connection closed by user|Message recipient disconnected from message bus without replying|dial unix \/(?:var\/)?run\/(?:systemd\/private|dbus\/system_bus_socket): connect: [a-z ]{5,40}|read unix @->\/run\/systemd\/private: read: connection reset by peer|(?:error while starting|unable to start|error creating systemd) unit [\s\S]{0,600}?(?:Connection timed out|Transport endpoint is not connected|Failed to activate service|Timeout waiting for systemd|Argument list too long))/,
);
const activate = line(
  [
    "Failed to activate service 'org.freedesktop.systemd1'",
    'service_start_timeout=',
    "Failed to activate service 'org.freedesktop.login1'",
  ],
  SAID,
  /(?<error>Failed to activate service 'org\.freedesktop\.(?:systemd1|login1)'[^\n"]{0,80})/,
);
/** Calico, node-problem-detector and others ask over the bus of the host, mounted into their pod. */
const agent = line(
  ['/dbus/system_bus_socket: connect: '],
  'container-log',
  /(?<error>dial unix \/(?:host\/)?(?:var\/)?run\/dbus\/system_bus_socket: connect: (?:connection refused|no such file or directory|resource temporarily unavailable))/,
);
const busFull = line(
  [
    'maximum number of active connections for UID',
    'max_connections_per_user=',
    'LimitsExceeded',
    'number of pending replies per connection',
  ],
  ['system-log', 'kubelet-log', 'host-tools'],
  /(?<error>The maximum number of (?:active connections for UID \d{1,10}|pending replies per connection) has been reached)/,
);
const command = line(
  [
    'Failed to connect to bus',
    'Failed to get D-Bus connection',
    'Failed to list units',
    'Failed to reload daemon',
    'Failed to get properties',
    'Failed to start transient',
    'Failed to get load state',
    'Failed to create bus connection',
  ],
  'host-tools',
  /(?<error>Failed to (?:connect to bus|get D-Bus connection|list units|reload daemon|get properties|start transient (?:service|scope) unit|get load state of [\w.@-]{1,80}|create bus connection): (?!Operation not permitted|Access denied|Permission denied|No medium found|Host is down)[^\n]{3,100})/i,
);
const timeout = line(
  [
    'Timeout waiting for systemd to',
    'Timed out while waiting for StartTransientUnit',
    'Timed out while waiting for StopUnit',
    'systemd[1]: Freezing execution',
    'Caught <SEGV>',
  ],
  SAID,
  /(?<error>Timeout waiting for systemd to (?:create|remove) [\w./:-]{1,160}|Timed out while waiting for (?:StartTransientUnit|StopUnit)[^\n"]{0,100}|Freezing execution|Caught <(?:SEGV|ABRT)>, (?:dumped core|core dump failed))/,
);
const degraded = line(
  ['is-system-running', 'Too many messages', 'Looping too fast'],
  ['host-tools', 'system-log'],
  /Looping too fast|Too many messages being buffered/i,
);
const inContainer = line(
  ['System has not been booted with systemd', 'Operation not permitted'],
  [],
  /System has not been booted with systemd as init system|Failed to get D-Bus connection: Operation not permitted/,
);
const userBus = line(
  ['--user scope bus', 'systemctl --user', '$DBUS_SESSION_BUS_ADDRESS'],
  [],
  /--user scope bus|systemctl --user|DBUS_SESSION_BUS_ADDRESS/,
);

/** systemd takes no more units: about 130000 names is all it holds. */
const FULL = /Argument list too long/i;
const DOWN =
  /Argument list too long|timed out|refused|Transport endpoint|reset by peer|disconnected|Failed to activate|Resource temporarily/i;

export const cause = defineCause({
  id: 'systemd-or-dbus-broken',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'creating',
    'create-error',
    'crash-loop',
    'init-stuck',
    'stuck-terminating',
    'node-not-ready',
    'kubelet-down',
    'runtime-down',
    'control-plane-down',
    'other-trouble',
  ],

  text: {
    name: 'systemd or D-Bus broken',
    title: 'systemd or D-Bus of {where} {fails}: {error}',
    why: 'With the systemd cgroup driver the kubelet and the runtime ask systemd over D-Bus for the slice of every pod and the scope of every container. On {where} that fails ({error}).{hint} So no new sandbox, container or pod cgroup can be made and old ones cannot be removed, while running containers go on.',
  },

  clues: {
    unit: proves(unit, notByContainers),
    activate: proves(activate, notByContainers),
    busFull: proves(busFull, notByContainers),
    agent: supports(agent),
    timeout: proves(timeout, notByContainers),
    command: proves(command, (fact) => notByContainers(fact) && DOWN.test(fact.fields['error'] ?? '')),
    noBus: supports(command, (fact) => notByContainers(fact) && !DOWN.test(fact.fields['error'] ?? '')),
    degraded: supports(degraded),
    stopped: supports(
      'unit.state',
      ({ unit: name, active }) => /^dbus(?:-broker)?(?:\.service|\.socket)?$/.test(name) && active !== 'active',
    ),
    inContainer: excludes(inContainer),
    userBus: excludes(userBus),
  },
  says: {
    unit: 'a unit for a pod cannot be started: {error}',
    activate: 'D-Bus cannot reach systemd: {error}',
    busFull: 'D-Bus takes no more connections: {error}',
    agent: 'a pod that asks the bus of the host gets no answer: {error}',
    timeout: 'systemd does not do its work: {error}',
    command: 'systemctl itself fails: {error}',
    noBus: 'systemctl finds no bus: {error}',
    degraded: 'systemd is overloaded with messages',
    stopped: 'the D-Bus service of the host is {state}',
    inContainer: 'the command ran in a container without systemd',
    userBus: 'only the session bus of a user is concerned',
  },
  slots: (place, seen) => {
    const error = short(
      seen.unit?.fields['error'] ??
        seen.activate?.fields['error'] ??
        seen.busFull?.fields['error'] ??
        seen.timeout?.fields['error'] ??
        seen.agent?.fields['error'] ??
        (seen.command ?? seen.noBus)?.fields['error'] ??
        'no connection to the bus',
    );
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      error,
      fails: FULL.test(error) ? 'takes no further units' : 'does not answer',
      hint: FULL.test(error)
        ? ' It holds too many units: old versions (before 247) leak the scopes of mounts and health checks (run-….scope) until none fits.'
        : '',
      state: seen.stopped?.active ?? 'not active',
    };
  },

  fixes: [
    {
      say: 'See whether systemd and D-Bus answer',
      risk: 'reads-only',
      steps: [
        {
          say: 'each must answer at once',
          run: 'systemctl is-system-running; busctl status | head -3; systemctl status dbus --no-pager | head -5',
          on: 'node',
        },
        {
          say: 'who holds connections to the bus',
          run: "ss -xp | grep -c system_bus_socket; busctl list --no-pager | awk '{print $3}' | sort | uniq -c | sort -n | tail",
          on: 'node',
        },
      ],
    },
    {
      say: 'Let systemd execute itself anew, then restart the kubelet and the runtime',
      risk: 'touches-node',
      steps: [
        { say: 'keeps all services running', run: 'systemctl daemon-reexec || kill -TERM 1', on: 'node' },
        { say: 'clients hold a dead connection after a restart of D-Bus', run: 'systemctl restart containerd kubelet', on: 'node' },
      ],
      verified: 'systemctl answers at once, and a new pod of {where} starts',
    },
    {
      say: 'Too many units: drop those that are left over, and upgrade systemd',
      risk: 'touches-node',
      steps: [
        {
          say: 'how many there are, and of which kind (some hundreds are normal)',
          run: "systemctl list-units --all --no-legend --no-pager | wc -l; systemctl list-units --all --no-legend --no-pager | awk '{print $1}' | sed 's/[0-9a-f-]\\{6,\\}/N/g' | sort | uniq -c | sort -n | tail",
          on: 'node',
        },
        {
          say: 'stop scopes of transient mounts whose process has ended',
          run: "systemctl reset-failed; systemctl list-units --all --type=scope --no-legend --no-pager | awk '/run-.*abandoned/ {print $1}' | xargs -r systemctl stop",
          on: 'node',
        },
        { say: 'then the version that leaks', run: 'systemctl --version | head -1', on: 'node' },
      ],
      verified: 'the number of units stays low, and waiting pods start',
    },
    {
      say: 'If that does not help: drain and reboot {where}; never restart dbus alone on a running system',
      risk: 'touches-node',
      steps: [{ say: 'reboot; with --force when systemd does not react', run: 'systemctl reboot --force', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['opencontainers cgroups systemd/common.go, systemd/dbus.go', 'kubernetes issue 100328', 'cri-o issue 3808'],
});

function short(text: string): string {
  const line = text.replace(/[\\"]+/g, '').trim();
  return line.length > 140 ? `${line.slice(0, 60)} … ${line.slice(-75)}` : line;
}
