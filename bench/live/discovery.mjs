// What an API server says it has: the kinds a diagnosis lists. Those without objects in the bench are there and empty.
const NAMESPACED = {
  v1: ['Pod', 'Event', 'ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'PersistentVolumeClaim', 'ResourceQuota', 'LimitRange'],
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  'batch/v1': ['Job', 'CronJob'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
  'policy/v1': ['PodDisruptionBudget'],
  'coordination.k8s.io/v1': ['Lease'],
};
const CLUSTER_WIDE = {
  v1: ['Node', 'Namespace', 'PersistentVolume'],
  'storage.k8s.io/v1': ['StorageClass', 'VolumeAttachment', 'CSINode', 'CSIDriver'],
  'node.k8s.io/v1': ['RuntimeClass'],
  'scheduling.k8s.io/v1': ['PriorityClass'],
  'admissionregistration.k8s.io/v1': ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
  'authorization.k8s.io/v1': [],
};
const SHORT = { Pod: ['po'], Node: ['no'], Event: ['ev'], Deployment: ['deploy'], Namespace: ['ns'] };

const pluralOf = (kind) => `${kind.toLowerCase()}${kind.endsWith('s') ? 'es' : 's'}`;

function resourcesOf(version) {
  const resource = (namespaced) => (kind) => ({
    name: pluralOf(kind),
    singularName: kind.toLowerCase(),
    namespaced,
    kind,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    ...(SHORT[kind] ? { shortNames: SHORT[kind] } : {}),
  });
  return [...(NAMESPACED[version] ?? []).map(resource(true)), ...(CLUSTER_WIDE[version] ?? []).map(resource(false))];
}

const VERSIONS = [...new Set([...Object.keys(NAMESPACED), ...Object.keys(CLUSTER_WIDE)])];

/** Kind without objects, by its path below the version. */
export function emptyKind(version, plural) {
  const found = resourcesOf(version).find(({ name }) => name === plural);
  return found && { group: version, kind: found.kind, plural, count: 0, ...(found.namespaced ? { namespaceOf: () => '' } : {}) };
}

export function discovery(path) {
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  if (path === '/version') {
    return {
      major: '1',
      minor: '31',
      gitVersion: 'v1.31.4',
      gitCommit: 'bench',
      gitTreeState: 'clean',
      goVersion: 'go1.22.9',
      compiler: 'gc',
      platform: 'linux/amd64',
    };
  }
  if (path === '/apis') {
    const groups = VERSIONS.filter((version) => version.includes('/')).map((groupVersion) => {
      const [name, version] = groupVersion.split('/');
      return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
    });
    return { kind: 'APIGroupList', apiVersion: 'v1', groups };
  }
  const version = VERSIONS.find((one) => path === (one.includes('/') ? `/apis/${one}` : `/api/${one}`));
  return version && { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: version, resources: resourcesOf(version) };
}
