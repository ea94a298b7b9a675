// Everything of the bench's cluster that is neither pod nor workload: nodes, events, leases, namespaces, ConfigMaps.
import { managed, mark } from './template.mjs';
import { names } from './ways.mjs';

const app = `svc-${mark('A')}`;
const node = `node-${mark('W')}`;

function nodeConditions(lost, { started, beat }) {
  const healthy = [
    ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
    ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ];
  return healthy.map(([type, held, reason, message]) => ({
    type,
    status: lost ? 'Unknown' : held,
    lastHeartbeatTime: beat,
    lastTransitionTime: lost ? beat : started,
    reason: lost ? 'NodeStatusUnknown' : reason,
    message: lost ? 'Kubelet stopped posting node status.' : message,
  }));
}

/** @param {{ lost: boolean, address?: string, kubeletPort: number, times: object }} what */
export function nodeTemplate({ lost, address = mark('J'), kubeletPort, times }) {
  const size = { cpu: '16', 'ephemeral-storage': '206292664Ki', 'hugepages-2Mi': '0', memory: '65840420Ki', pods: '110' };
  const labels = {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': node,
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/zone': 'zone-b',
  };
  const taint = (effect) => ({ key: 'node.kubernetes.io/unreachable', effect, timeAdded: times.beat });
  const status = {
    capacity: size,
    allocatable: size,
    conditions: nodeConditions(lost, times),
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: node },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    nodeInfo: {
      machineID: mark('U').slice(0, 36),
      systemUUID: mark('U'),
      bootID: mark('U'),
      kernelVersion: '6.1.0-28-cloud-amd64',
      osImage: 'Debian GNU/Linux 12 (bookworm)',
      containerRuntimeVersion: 'containerd://1.7.24',
      kubeletVersion: 'v1.31.4',
      kubeProxyVersion: 'v1.31.4',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
    images: Array.from({ length: 30 }, (_, index) => ({
      names: [
        `registry.example.org/platform/tool-${index}@sha256:${mark('C')}`,
        `registry.example.org/platform/tool-${index}:3.1.${index}`,
      ],
      sizeBytes: 48_211_377 + index,
    })),
  };
  const managedFields = [
    managed('kubelet', times.started, { metadata: { labels } }),
    managed('kubelet', times.beat, { status: { ...status, images: [] } }, 'status'),
  ];
  return {
    metadata: { name: node, uid: mark('U'), resourceVersion: mark('V'), creationTimestamp: times.started, labels, managedFields },
    spec: { podCIDR: '10.244.7.0/24', podCIDRs: ['10.244.7.0/24'], ...(lost ? { taints: [taint('NoSchedule'), taint('NoExecute')] } : {}) },
    status,
  };
}

/** @param {[string, string, string, string, number]} event type, reason, message, component, count */
export function eventTemplate([type, reason, message, component, count], about, { first, last }) {
  const onPod = about === 'pod';
  const byKubelet = component === 'kubelet';
  const name = onPod ? names.podName : node;
  return {
    metadata: {
      name: `${name}.${mark('X')}`,
      namespace: onPod ? names.namespace : 'default',
      uid: mark('O'),
      resourceVersion: mark('V'),
      creationTimestamp: first,
      managedFields: [
        managed(component, last, {
          count,
          firstTimestamp: first,
          involvedObject: {},
          lastTimestamp: last,
          message,
          reason,
          source: { component },
          type,
        }),
      ],
    },
    involvedObject: onPod
      ? {
          kind: 'Pod',
          namespace: names.namespace,
          name,
          uid: mark('U'),
          apiVersion: 'v1',
          resourceVersion: mark('V'),
          ...(byKubelet ? { fieldPath: 'spec.containers{main}' } : {}),
        }
      : { kind: 'Node', name, uid: mark('U') },
    reason,
    message,
    source: { component, ...(byKubelet ? { host: node } : {}) },
    firstTimestamp: first,
    lastTimestamp: last,
    count,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: byKubelet ? node : '',
  };
}

export const named = (name, uidMark, { started }) => ({
  name,
  namespace: names.namespace,
  uid: mark(uidMark),
  resourceVersion: mark('V'),
  creationTimestamp: started,
  labels: { app },
});

export const configMapTemplate = ({ times }) => ({
  metadata: named(`${app}-config`, 'U', times),
  data: { 'settings.yaml': 'listen: 8080\n' },
});

export const namespaceTemplate = ({ times }) => ({
  metadata: { name: names.namespace, uid: mark('U'), resourceVersion: mark('V'), creationTimestamp: times.started },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

export const leaseTemplate = ({ lost, times }) => ({
  metadata: { name: node, namespace: 'kube-node-lease', uid: mark('U'), resourceVersion: mark('V'), creationTimestamp: times.started },
  spec: { holderIdentity: node, leaseDurationSeconds: 40, renewTime: (lost ? times.beat : times.now).replace('Z', '.120000Z') },
});
