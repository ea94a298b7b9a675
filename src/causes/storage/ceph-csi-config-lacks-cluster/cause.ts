import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, withContext } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'pod-events', 'container-log', 'kubelet-log'] as const;
const unknown = line(
  ['missing configuration for cluster ID', 'empty monitor list for cluster ID', 'failed to fetch monitor list using clusterID'],
  SAID_BY,
  withContext(
    /(?:missing configuration|(?<empty>empty monitor list)) for cluster ID [(\\"]{0,4}(?<cluster>[\w.-]{1,60})|failed to fetch monitor list using clusterID [(\\"]{0,4}(?<fetch>[\w.-]{1,60})/,
    { may: [NAMED_VOLUME, /provision volume with StorageClass \\*"(?<class>[^"\\]{1,200})/] },
  ),
);
const noFile = line(
  ['/etc/ceph-csi-config/config.json', '/etc/ceph-csi-config//config.json'],
  SAID_BY,
  /(?:error fetching configuration|open) [^\n]{0,120}?\/etc\/ceph-csi-config\/{1,2}config\.json: no such file or directory|unmarshal failed[^\n]{0,80}raw buffer response/,
);
// No channel: what is made or mounted settles it wherever it was printed.
const made = line(['Successfully provisioned volume', 'ProvisioningSucceeded'], []);

export const cause = defineCause({
  id: 'ceph-csi-config-lacks-cluster',
  area: 'storage',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['volume-pending', 'pending', 'creating', 'init-stuck', 'crash-loop', 'other-trouble'],

  text: {
    name: 'Ceph driver does not know the cluster',
    title: 'The configuration of the Ceph CSI driver {lacks} ({what})',
    why: 'A StorageClass or volume of Ceph names its cluster by clusterID, and the CSI driver looks up the monitors of that cluster in config.json of its ConfigMap (ceph-csi-config, rook-ceph-csi-config). Here {what}: the two ids differ (with Rook it is the namespace of the cluster, otherwise the fsid), the entry was never written, or the pods of the driver still hold an old copy. So it can neither make nor mount a volume.',
  },

  clues: {
    unknown: proves(unknown),
    noFile: proves(noFile),
    made: excludes(made),
  },
  says: {
    unknown: 'the driver looks up the cluster and does not find it: {what}',
    noFile: 'the driver finds no readable config.json',
    made: 'the volume was made since',
  },
  slots: (_place, { unknown: said }) => {
    const cluster = said?.fields['cluster'] ?? said?.fields['fetch'];
    const empty = said?.fields['empty'] !== undefined;
    return {
      lacks: cluster ? (empty ? 'has no monitors for its cluster' : 'lacks the cluster that the StorageClass names') : 'is missing',
      what: cluster
        ? empty
          ? `the entry of clusterID ${cluster} has no monitors`
          : `there is no entry for clusterID ${cluster}`
        : 'config.json of the driver is missing or not JSON',
      cluster: cluster ?? 'CLUSTER-ID',
      class: said?.fields['class'] ?? 'CLASS',
    };
  },

  fixes: [
    {
      say: 'Compare the clusterID of the class with the entries of the driver, and with the fsid of Ceph',
      risk: 'reads-only',
      steps: [
        { say: 'what the classes name', run: 'kubectl get storageclass -o yaml | grep -nE "^  name:|clusterID"', on: 'cluster' },
        {
          say: 'what the driver knows: every entry has a clusterID and its monitors',
          run: 'kubectl get configmap -A -o jsonpath=\'{range .items[*]}{.metadata.namespace}/{.metadata.name}: {.data.config\\.json}{.data.csi-cluster-config-json}{"\\n"}{end}\' | grep -i clusterID',
          on: 'cluster',
        },
        { say: 'id and monitors as Ceph has them', run: 'ceph fsid; ceph mon dump', on: 'node' },
      ],
    },
    {
      say: 'Write the missing entry into the ConfigMap of the driver (ceph-csi-config), then restart its pods',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in config.json an entry with clusterID {cluster} and the addresses of its monitors; Rook writes it by itself, and its clusterID is the namespace of the cluster',
          run: 'kubectl -n NAMESPACE edit configmap ceph-csi-config',
          on: 'cluster',
        },
        {
          say: 'provisioner and node plugin of the driver read it anew',
          run: 'kubectl -n NAMESPACE get deploy,ds | grep -iE "rbdplugin|cephfsplugin|provisioner"',
          on: 'cluster',
        },
      ],
      verified: 'the claim becomes Bound, and the pods mount their volumes',
    },
    {
      say: 'Or correct clusterID: a StorageClass cannot be edited, so make it anew with the id the driver has',
      risk: 'reads-only',
      steps: [{ say: 'keep a copy', run: 'kubectl get storageclass {{class}} -o yaml > class.yaml', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['ceph/ceph-csi internal/util/csiconfig.go (readClusterInfo, Mons)', 'rook: Documentation/Storage-Configuration/Ceph-CSI'],
});
