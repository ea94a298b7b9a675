import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'objects', 'object-events'] as const;

const onDisk = line(
  ['unexpected on-disk state validating against', 'machineconfiguration.openshift.io/reason'],
  SAID_BY,
  /unexpected on-disk state validating against (?<config>rendered-[\w.-]{1,120}): (?<error>[^\n]{5,300})|machineconfiguration\.openshift\.io\/reason["']{0,2}: ["'>-]{0,3} ?(?<drift>(?:content|mode|file) mismatch for [^\n]{3,200}|missing file[^\n]{3,200})/,
);
const absent = line(
  ['machineconfig.machineconfiguration.openshift.io'],
  SAID_BY,
  /machineconfig\.machineconfiguration\.openshift\.io [\\"]{1,12}(?<config>rendered-[\w.-]{1,120})[\\"]{1,12} not found/,
);
const drain = line(
  ['failed to drain node', 'Draining failed with', 'failed to drain within'],
  SAID_BY,
  /failed to drain node ?:? ?(?<node>[\w.-]{1,253})? after (?<after>[\w ]{2,30})(?:\. Please see|[^\n]{0,60})|failed to drain node(?: \(\d{1,4} tries\))?: (?:timed out waiting|error when evicting|global timeout)[^\n]{0,300}|failed to drain within \d{1,4} (?:hour|minute)/,
);
const degraded = line(
  ['Marking Degraded due to', 'nodes are reporting degraded status', 'node is reporting: ', 'machine config pools are degraded'],
  SAID_BY,
  /Marking Degraded due to: (?<error>[^\n]{5,300})|(?<count>\d{1,5}) nodes are reporting degraded status|is reporting: [\\"]{1,8}(?<report>[^\n]{5,300})|(?<pool>machine config pools are degraded)/,
);
const done = line(['Completed update for node', 'In desired config rendered'], []);

export const cause = defineCause({
  id: 'machine-config-not-applied',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['node-not-ready', 'other-trouble', 'not-ready'],
  effectOf: ['pdb-blocks-eviction'],

  text: {
    name: 'MachineConfig cannot be applied',
    title: 'OpenShift cannot bring {node} to its MachineConfig: {what}',
    why: 'The machine config daemon of OpenShift brings every node to the rendered configuration of its MachineConfigPool, one after the other, and before each step compares the disk with what it wrote last. Here {what}, so the node and its pool are Degraded, and upgrades of the cluster do not go on. {hint}',
  },

  clues: {
    onDisk: proves(onDisk),
    absent: proves(absent),
    drain: proves(drain),
    degraded: supports(degraded),
    done: excludes(done),
  },
  says: {
    onDisk: 'the disk is not as the daemon left it: {error}',
    absent: 'the rendered configuration {config} does not exist',
    drain: 'the node cannot be drained',
    degraded: 'the daemon or the pool reports Degraded',
    done: 'the node has its configuration by now',
  },
  slots: (place, { onDisk: differs, absent: gone, drain: stuck, degraded: told }) => {
    const config = differs?.fields['config'] ?? gone?.fields['config'] ?? 'RENDERED-CONFIG';
    const error = (
      differs?.fields['error'] ??
      differs?.fields['drift'] ??
      told?.fields['error'] ??
      told?.fields['report'] ??
      'see oc get mcp'
    )
      .trim()
      .slice(0, 200);
    const own = place.kind === 'Node' && !place.name.includes(' ') ? place.name : undefined;
    const [what, hint] = differs
      ? [
          /osImageURL/.test(error)
            ? 'the operating system image on disk is another than the configuration names'
            : `a file or setting on disk was changed by hand (${error})`,
          'A change by hand, an update that was cut off, or an image that could not be pulled; the daemon does not overwrite what it does not recognise.',
        ]
      : gone
        ? [
            `the configuration ${config} that the node has or wants was deleted`,
            'The annotations currentConfig and desiredConfig of the node name a MachineConfig that no longer exists.',
          ]
        : stuck
          ? ['the node cannot be drained', 'Mostly a PodDisruptionBudget forbids to evict the last pod of something.']
          : [`the pool is degraded (${error})`, 'The log of the machine-config-daemon on the node names the step that fails.'];
    return { node: own ?? 'the node', name: own ?? 'NODE', config, error, what: what ?? '', hint: hint ?? '' };
  },

  fixes: [
    {
      say: 'See which node is behind, and what its daemon says',
      risk: 'reads-only',
      steps: [
        {
          say: 'pools and the configurations of the nodes',
          run: 'oc get mcp; oc get nodes -o custom-columns=NAME:.metadata.name,CURRENT:.metadata.annotations.machineconfiguration\\\\.openshift\\\\.io/currentConfig,DESIRED:.metadata.annotations.machineconfiguration\\\\.openshift\\\\.io/desiredConfig,STATE:.metadata.annotations.machineconfiguration\\\\.openshift\\\\.io/state',
          on: 'cluster',
        },
        {
          say: 'its daemon',
          run: 'oc -n openshift-machine-config-operator logs -l k8s-app=machine-config-daemon -c machine-config-daemon --prefix --tail=40',
          on: 'cluster',
        },
        { say: 'the image on the disk', run: 'rpm-ostree status', on: 'node' },
      ],
    },
    {
      say: 'Put the file back as the MachineConfig has it, or let the daemon write everything anew',
      risk: 'touches-node',
      for: ['onDisk'],
      steps: [
        {
          say: 'forces it past the comparison; the node reboots',
          run: 'touch /run/machine-config-daemon-force',
          on: 'node',
        },
      ],
      verified: 'oc get mcp shows UPDATED True and DEGRADED False',
    },
    {
      say: 'The drain hangs: find the PodDisruptionBudget that allows no eviction, and give its workload one more ready pod or delete the stuck pod',
      risk: 'moves-pods',
      steps: [
        { say: 'budgets that allow none now', run: "oc get poddisruptionbudgets -A | awk 'NR == 1 || $5 == 0'", on: 'cluster' },
        { say: 'pods that are left on the node', run: 'oc get pods -A -o wide --field-selector spec.nodeName={{name}}', on: 'cluster' },
        { say: 'the daemon tries again by itself; a pod that must go', run: 'oc -n NAMESPACE delete pod POD', on: 'cluster' },
      ],
      verified: 'oc get mcp shows UPDATED True and DEGRADED False',
    },
    {
      say: 'A configuration that is gone: let the node name one that exists',
      risk: 'touches-node',
      for: ['absent'],
      steps: [
        {
          say: 'currentConfig and desiredConfig as the pool has it; /etc/machine-config-daemon/currentconfig on the node must agree',
          run: 'oc edit node {{name}}',
          on: 'cluster',
        },
      ],
      verified: 'oc get mcp shows UPDATED True and DEGRADED False',
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['machine-config-operator pkg/daemon/daemon.go, pkg/daemon/on_disk_validation.go, pkg/controller/drain'],
});
