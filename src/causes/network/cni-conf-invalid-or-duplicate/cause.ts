import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const unreadable = line(
  [
    'error parsing configuration',
    'Error loading CNI config',
    'failed to load CNI config',
    'invalid cni config',
    'no valid networks found in',
  ],
  ['kubelet-log', 'containerd-log', 'crio-log', 'pod-events', 'node-status'],
  /(?:(?:loading|load) CNI config (?:list )?file (?<file>\/[^\s:"\\]{1,250}?):? )?(?:error parsing configuration(?: list)?: |invalid cni config|no valid networks found in (?<directory>\/[^\s"\\:,]{1,200}))(?<error>[^"\\\n]{0,200})/i,
);
const versions = line(
  [
    'incompatible CNI versions',
    'unsupported CNI result version',
    'does not support config version',
    'cannot convert version [',
    'the version is empty',
    'missing network name',
  ],
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /(?:incompatible CNI versions; config is [\\"“”]{1,8}(?<wanted>[\d.]{1,20})|unsupported CNI result version [\\"“”]{1,8}(?<result>[\d.]{0,20})|plugin (?<plugin>[\w.-]{1,80}) does not support config version|invalid version [\\"“”]{1,8}: (?<empty>the version is empty)|(?<nameless>missing network name)|cannot convert version \[[^\]]{0,120}\] to (?<target>[\d.]{1,20}))/,
);
const badPlugin = line(
  ['failed to load netconf', 'failed to parse network configuration', 'error unmarshalling'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /(?:failed to load netconf|failed to parse network configuration|error unmarshalling (?:net)?conf\w{0,20}): (?!LoadConf\(\): )(?<error>[^"\n]{0,200})/i,
);
/** Bridges that a runtime's package brings along; pods that land there do not belong to the cluster's network. */
const RUNTIME_BRIDGE = /^cni config (?:\d{1,3}-crio-bridge|87-podman|87-podman-bridge|10-containerd-net|99-loopback-bridge|200-bridge)\b/;
const noFile = line(
  ['no network config found in', 'No CNI configuration file in', 'cni config uninitialized'],
  ['node-status', 'kubelet-log', 'containerd-log', 'crio-log', 'pod-events'],
);

export const cause = defineCause({
  id: 'cni-conf-invalid-or-duplicate',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'pending', 'node-not-ready', 'other-trouble'],
  effectOf: ['disk-full-root', 'os-upgrade-replaced-runtime-config'],

  text: {
    name: 'CNI configuration is broken',
    title: 'The CNI configuration {file} on {node} cannot be used: {what}',
    why: 'To set up a pod network the runtime of {node} reads the first file (in the order of names) of /etc/cni/net.d. {file} is not a configuration it can use: {what}. A left-over or a second file of another network add-on does the same harm, because only the first one counts.',
  },

  clues: {
    unreadable: proves(unreadable),
    versions: proves(versions),
    badPlugin: proves(badPlugin),
    otherBridge: supports('host.tool', ({ name, present }) => present && RUNTIME_BRIDGE.test(name)),
    noFile: excludes(noFile),
  },
  says: {
    unreadable: 'the runtime cannot read {file}: {what}',
    versions: 'plugin and configuration speak different CNI versions: {what}',
    badPlugin: 'a plugin cannot read its part of the configuration: {what}',
    otherBridge: 'there is a bridge configuration of the runtime itself: {other}',
    noFile: 'there is no configuration at all: the network add-on has not written it',
  },
  slots: (place, { unreadable: broken, versions: skew, badPlugin: bad, otherBridge }) => {
    const wanted = skew?.fields['wanted'] ?? skew?.fields['result'] ?? skew?.fields['target'];
    const error = (broken?.fields['error'] ?? bad?.fields['error'])?.trim();
    const named = broken?.fields['file'] ?? '';
    return {
      node: place.name,
      broken: /^\/etc\/cni\/net\.d\/[\w.-]{1,100}\.(?:conf|conflist|json)$/.test(named) ? named : '',
      file: broken?.fields['file'] ?? broken?.fields['directory'] ?? 'in /etc/cni/net.d',
      what: skew
        ? skew.fields['empty']
          ? 'it names no cniVersion'
          : skew.fields['nameless']
            ? 'it names no network (missing network name)'
            : wanted
              ? `it asks for CNI version ${wanted}, which the plugin does not know`
              : `plugin ${skew.fields['plugin'] ?? 'in it'} does not know its CNI version`
        : error || 'no valid network in it',
      other: otherBridge?.name.replace(/^cni config /, '') ?? 'none',
    };
  },

  fixes: [
    {
      say: 'See which files there are and which comes first',
      risk: 'reads-only',
      steps: [
        { say: 'the first .conf, .conflist or .json in this order is the one in use', run: 'ls -l /etc/cni/net.d', on: 'node' },
        {
          say: 'each must be valid JSON',
          run: 'for f in /etc/cni/net.d/*.conf*; do python3 -m json.tool "$f" > /dev/null && echo "$f ok"; done',
          on: 'node',
        },
        { say: 'versions and plugins they name', run: 'grep -nE \'cniVersion|"type"\' /etc/cni/net.d/*.conf*', on: 'node' },
      ],
    },
    {
      say: 'Take stale or broken files away, and let the network add-on write its own again',
      risk: 'touches-node',
      for: ['unreadable', 'otherBridge'],
      steps: [
        {
          say: 'keep a copy; leave only the file of the add-on in use',
          run: 'mkdir -p /var/backups/cni && mv /etc/cni/net.d/STALE.conflist /var/backups/cni/',
          on: 'node',
        },
        {
          say: 'its pod on this node writes the file at its start',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -Ei "flannel|calico|canal|cilium|weave|kube-router|multus"',
          on: 'cluster',
        },
        {
          say: 'pods that already got an address of the wrong network must be made anew',
          run: 'kubectl delete pod POD -n NAMESPACE',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'remove-file', path: '{{broken}}' }],
      verified: 'new pods get addresses of the pod network, and sandbox errors stop',
    },
    {
      say: 'Bring plugins and cniVersion together',
      risk: 'touches-node',
      for: ['versions'],
      steps: [
        { say: 'newer plugins know newer versions', run: 'apt-get install --only-upgrade -y kubernetes-cni', on: 'node', family: 'debian' },
        { say: 'newer plugins know newer versions', run: 'dnf upgrade -y kubernetes-cni', on: 'node', family: 'rhel' },
        { say: 'or write a cniVersion in the file that all its plugins know, for example 0.3.1' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containernetworking/cni libcni/conf.go',
    'containernetworking/cni pkg/version/reconcile.go',
    'containerd/go-cni opts.go',
    'cri-o/ocicni pkg/ocicni/ocicni.go',
  ],
});
