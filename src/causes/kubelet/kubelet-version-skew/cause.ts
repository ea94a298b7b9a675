import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const higher = line(
  'kubelet version is higher than the control plane version',
  'kubeadm-output',
  /kubelet version is higher than the control plane version[\s\S]{0,200}?Kubelet version: [\\"]{0,4}(?<kubelet>v?[\w.+-]{3,40})[\\"]{0,4} Control plane version: [\\"]{0,4}(?<server>v?[\w.+-]{3,40})/i,
);
const lower = line(
  'is lower than kubeadm can support',
  'kubeadm-output',
  /Kubelet version [\\"]{0,4}(?<kubelet>v?[\w.+-]{3,40})[\\"]{0,4} is lower than kubeadm can support/i,
);
const tooOldCluster = line(
  [
    'only supports deploying clusters with the control plane version',
    'version of kubeadm is too old',
    'not supported by this version of kubeadm',
  ],
  'kubeadm-output',
  /only supports deploying clusters with the control plane version >= (?<least>v?[\w.+-]{3,40}?)\. Current version: (?<server>v?[\w.+-]{3,40})/i,
);
/** What `kubeadm upgrade` says of a step it does not make. */
const upgrade = line(
  [
    'Specified version to upgrade to',
    'minor version at a time',
    'There are kubelets in this cluster that are too old',
    'Such an upgrade is not supported',
  ],
  'kubeadm-output',
  /Specified version to upgrade to [\\"]{0,4}(?<to>v?[\w.+-]{3,40})[\\"]{0,4} (?:(?<high>is too high; kubeadm can upgrade only \d minor version)|is (?:equal to or )?(?<low>lower than the cluster version) [\\"]{0,4}(?<from>v?[\w.+-]{3,40})|is (?<above>higher than the kubeadm version|at least one minor release higher than the kubeadm minor release))|(?<kubelets>There are kubelets in this cluster that are too old)/i,
);
const configMap = line(
  ['configmaps "kubelet-config', 'configmaps \\"kubelet-config'],
  'kubeadm-output',
  /configmaps [\\"]{1,4}(?<map>kubelet-config(?:-1\.\d{1,3})?)[\\"]{1,4} (?:is forbidden|not found)/i,
);
const noSuchApi = line(
  'the server could not find the requested resource',
  'kubelet-log',
  /(?:failed to list|Failed to watch) \*(?<api>v\d(?:alpha\d|beta\d)?\.(?:CSIDriver|CSINode|RuntimeClass|Lease|ResourceSlice|ClusterTrustBundle|PodCertificateRequest))\b[^\n]{0,200}?the server could not find the requested resource/i,
);
/** It tries for minutes before it gives up. */
const noCsiNode = line(
  ['Failed to initialize CSINode'],
  'kubelet-log',
  /Failed to initialize CSINode(?:Info)?: error updating CSINode annotation: [^\n]{0,200}?the server could not find the requested resource/,
);
/** Later versions select by fields that earlier API servers do not know. */
const noSuchField = line(
  ['is not a known field selector', 'field label not supported'],
  ['kubelet-log', 'system-log'],
  /(?:failed to list|Failed to watch) \*(?<kind>v\d\.\w{2,40})\b[^\n]{0,200}?(?:[\\"]{1,4}(?<field>[a-z][\w.]{2,60})[\\"]{1,4} is not a known field selector|field label not supported: (?<label>[a-z][\w.]{2,60}))/i,
);
const kubectlOnly = line('version difference between client', [], /version difference between client \([^)\n]{1,40}\) and server/);

export const cause = defineCause({
  id: 'kubelet-version-skew',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'creating', 'pending', 'failed', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Kubelet version does not fit',
    title: 'The kubelet or kubeadm of {where} does not fit the version of the control plane: {what}',
    why: 'A kubelet must not be newer than the API server, and at most three minor versions older (two before 1.28); kubeadm must be of the version of the cluster or one newer. On {where} that does not hold ({what}), so it asks for objects or API groups that the other side does not know.',
  },

  clues: {
    higher: proves(higher),
    lower: proves(lower),
    tooOldCluster: proves(tooOldCluster),
    upgrade: proves(upgrade),
    configMap: proves(configMap),
    // An API server that is just starting says so too; only one that goes on saying it lacks the API.
    noSuchApi: proves(noSuchApi, ({ channel, count }) => channel !== 'container-log' && count >= 3),
    noCsiNode: proves(noCsiNode),
    noSuchApiOnce: supports(noSuchApi, ({ channel, count }) => channel !== 'container-log' && count < 3),
    noSuchField: proves(noSuchField, ({ channel }) => channel !== 'container-log'),
    kubectlOnly: excludes(kubectlOnly),
  },
  says: {
    higher: 'kubeadm: the kubelet {kubelet} is newer than the control plane {server}',
    lower: 'kubeadm: the kubelet {kubelet} is older than kubeadm supports',
    tooOldCluster: 'kubeadm supports control planes from {least} on, this one is {server}',
    upgrade: 'kubeadm does not make this step: {step}',
    configMap: 'kubeadm looks for ConfigMap {map}, the one of another version',
    noSuchApi: 'the API server goes on not knowing {api}, which the kubelet asks for',
    noCsiNode: 'the API server does not serve CSINode, and the kubelet ends over it',
    noSuchApiOnce: 'the API server did not know {api}, which the kubelet asks for',
    noSuchField: 'the API server does not know the field {field} of {kind}, by which the kubelet selects',
    kubectlOnly: 'only kubectl differs from the server, which is harmless here',
  },
  slots: (place, seen) => {
    const kubelet = seen.higher?.fields['kubelet'] ?? seen.lower?.fields['kubelet'] ?? 'version';
    const server = seen.higher?.fields['server'] ?? seen.tooOldCluster?.fields['server'] ?? 'version';
    const least = seen.tooOldCluster?.fields['least'] ?? 'a newer version';
    const field = seen.noSuchField?.fields['field'] ?? seen.noSuchField?.fields['label'] ?? 'in question';
    const step = stepOf(seen.upgrade?.fields);
    const map = seen.configMap?.fields['map'] ?? 'kubelet-config';
    const api = (seen.noSuchApi ?? seen.noSuchApiOnce)?.fields['api'] ?? (seen.noCsiNode ? 'v1.CSINode' : 'an API');
    return {
      node: place.name,
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      kubelet,
      server,
      least,
      map,
      api,
      step,
      field,
      kind: seen.noSuchField?.fields['kind'] ?? 'an object',
      what: seen.higher
        ? `kubelet ${kubelet} is newer than the control plane ${server}`
        : seen.lower
          ? `kubelet ${kubelet} is too old for this kubeadm`
          : seen.tooOldCluster
            ? `this kubeadm needs a control plane of at least ${least}, the cluster is ${server}`
            : seen.upgrade
              ? step
              : seen.configMap
                ? `kubeadm wants the ConfigMap ${map}, which belongs to another version than the cluster`
                : seen.noSuchField
                  ? `the kubelet is newer than the API server it talks to, which does not know the field selector ${field} yet`
                  : seen.noSuchApi || seen.noCsiNode || seen.noSuchApiOnce
                    ? /beta|alpha/.test(api)
                      ? `the kubelet is too old, the API server no longer serves ${api}`
                      : `the kubelet is newer than the API server, which does not serve ${api} yet`
                    : 'see the versions of both',
    };
  },

  fixes: [
    {
      say: 'Compare the versions of both sides',
      risk: 'reads-only',
      steps: [
        { say: 'server and kubelets', run: 'kubectl version; kubectl get nodes -o wide', on: 'cluster' },
        { say: 'on {where}', run: 'kubelet --version; kubeadm version -o short; kubectl version --client', on: 'node' },
      ],
    },
    {
      say: 'Install kubelet, kubeadm and kubectl in the version of the control plane on {where}',
      risk: 'touches-node',
      steps: [
        {
          say: 'pin the packages to the version of the cluster',
          run: "apt-mark unhold kubelet kubeadm kubectl; apt-get install -y --allow-downgrades kubelet='VERSION-*' kubeadm='VERSION-*' kubectl='VERSION-*' && apt-mark hold kubelet kubeadm kubectl",
          on: 'node',
          family: 'debian',
        },
        {
          say: 'pin the packages to the version of the cluster',
          run: 'dnf install -y --allowerasing kubelet-VERSION kubeadm-VERSION kubectl-VERSION --disableexcludes=kubernetes',
          on: 'node',
          family: 'rhel',
        },
        { say: 'then restart the kubelet, or join again', run: 'systemctl daemon-reload && systemctl restart kubelet', on: 'node' },
      ],
      verified: 'kubectl get nodes shows {node} Ready, with a version not above that of the server',
    },
    {
      say: 'Or upgrade the control plane first, one minor version at a time; kubelets come last',
      risk: 'touches-node',
      steps: [{ say: 'on the first control-plane node', run: 'kubeadm upgrade plan', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes website: releases/version-skew-policy',
    'kubernetes cmd/kubeadm/app/preflight/checks.go (KubeletVersionCheck)',
    'kubernetes cmd/kubeadm/app/util/config/common.go',
  ],
});

function stepOf(fields: Readonly<Record<string, string>> = {}): string {
  const to = fields['to'] ?? 'that version';
  if (fields['high']) return `${to} is more than one minor version above the cluster, and kubeadm upgrades one minor version at a time`;
  if (fields['low']) return `${to} is not above the version of the cluster (${fields['from']}), and kubeadm does not downgrade`;
  if (fields['above']) return `${to} is above the version of this kubeadm, which must be upgraded first`;
  return 'kubelets of this cluster are too old for the new version and must be upgraded first';
}
