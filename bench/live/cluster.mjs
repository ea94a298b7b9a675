// The bench's cluster: which objects there are, and each of them as bytes on demand. The same for every run of the same size.
import { Layout, REPLICAS } from './layout.mjs';
import { configMapTemplate, eventTemplate, leaseTemplate, namespaceTemplate, nodeTemplate } from './others.mjs';
import { podTemplate } from './pods.mjs';
import { endpointSliceTemplate, serviceTemplate } from './services.mjs';
import { compile, hex } from './template.mjs';
import { LOST_EVENTS, WAYS, YOUNG_EVENTS } from './ways.mjs';
import { deploymentTemplate, replicaSetTemplate } from './workloads.mjs';

const DAY = 86_400;

/** The moments an object speaks of; it began so many seconds ago. */
function timesOf(started) {
  const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  return { started: ago(started), ended: ago(410), stopped: ago(380), beat: ago(240), now: ago(2), first: ago(1500), last: ago(70) };
}

/** Objects that differ in nothing but the values of their marks share one template. */
function templates() {
  const made = new Map();
  return (type, key, make) => {
    const full = `${type} ${key}`;
    if (!made.has(full)) made.set(full, compile(type, make()));
    return made.get(full);
  };
}

function eventsOf(layout) {
  const events = [];
  for (let node = 0; node < layout.nodes; node++) {
    if (!layout.isLost(node)) continue;
    const message = `Node ${layout.nodeName(node)} status is now: NodeNotReady`;
    events.push({ about: 'node', index: node, event: ['Normal', 'NodeNotReady', message, 'node-controller', 1] });
  }
  for (let pod = 0; pod < layout.pods; pod++) {
    const { way, lost, young } = layout.fateOf(pod);
    const all = [...(WAYS[way]?.events ?? []), ...(lost ? LOST_EVENTS : []), ...(young ? YOUNG_EVENTS : [])];
    for (const event of all) events.push({ about: 'pod', index: pod, event });
  }
  return events;
}

function podsOf(layout, template) {
  return {
    group: 'v1',
    kind: 'Pod',
    plural: 'pods',
    count: layout.pods,
    nameOf: (pod) => layout.podName(pod),
    namespaceOf: (pod) => layout.namespaceOfPod(pod),
    templateOf: (pod) => {
      const fate = layout.fateOf(pod);
      const make = () => podTemplate({ ...fate, times: timesOf(fate.young ? 1200 : DAY * (1 + fate.shape)) });
      return template('Pod', JSON.stringify(fate), make);
    },
    valuesOf: (pod) => layout.podValues(pod),
  };
}

function eventKind(layout, template) {
  const events = eventsOf(layout);
  const objectName = ({ about, index }) => (about === 'pod' ? layout.podName(index) : layout.nodeName(index));
  return {
    group: 'v1',
    kind: 'Event',
    plural: 'events',
    count: events.length,
    nameOf: (index) => `${objectName(events[index])}.${hex(index, 16)}`,
    namespaceOf: (index) => (events[index].about === 'pod' ? layout.namespaceOfPod(events[index].index) : 'default'),
    templateOf: (index) => {
      const { about, event } = events[index];
      return template('Event', event.join(' '), () => eventTemplate(event, about, timesOf(1500)));
    },
    valuesOf: (index) => layout.eventValues(events[index], index),
  };
}

function nodeKinds(layout, template, kubelet) {
  const common = { count: layout.nodes, nameOf: (node) => layout.nodeName(node) };
  const nodeOf = (lost) => nodeTemplate({ lost, address: kubelet?.address, kubeletPort: kubelet?.port ?? 10250, times: timesOf(DAY * 40) });
  const leaseOf = (lost) => leaseTemplate({ lost, times: timesOf(DAY * 40) });
  return [
    {
      ...common,
      group: 'v1',
      kind: 'Node',
      plural: 'nodes',
      templateOf: (node) => template('Node', layout.isLost(node), () => nodeOf(layout.isLost(node))),
      valuesOf: (node) => layout.nodeValues(node),
    },
    {
      ...common,
      group: 'coordination.k8s.io/v1',
      kind: 'Lease',
      plural: 'leases',
      namespaceOf: () => 'kube-node-lease',
      // Renewed every ten seconds in a cluster, so made anew here too.
      templateOf: (node) =>
        template('Lease', `${layout.isLost(node)} ${Math.floor(Date.now() / 10_000)}`, () => leaseOf(layout.isLost(node))),
      valuesOf: (node) => layout.leaseValues(node),
    },
  ];
}

function workloadKinds(layout, template) {
  const fateOf = (app) => ({ shape: layout.shapeOf(app), way: layout.wayOf(app) });
  const made = (type, make, fate) => template(type, JSON.stringify(fate), () => make({ ...fate, times: timesOf(DAY * 30) }));
  return [
    {
      group: 'apps/v1',
      kind: 'Deployment',
      plural: 'deployments',
      count: layout.apps,
      nameOf: (app) => layout.appName(app),
      namespaceOf: (app) => layout.namespaceOf(app),
      templateOf: (app) => made('Deployment', deploymentTemplate, fateOf(app)),
      valuesOf: (app) => layout.appValues(app),
    },
    {
      group: 'apps/v1',
      kind: 'ReplicaSet',
      plural: 'replicasets',
      count: layout.apps * 2,
      nameOf: (index) => layout.replicaSetName(index),
      namespaceOf: (index) => layout.namespaceOf(index >> 1),
      templateOf: (index) => made('ReplicaSet', replicaSetTemplate, { ...fateOf(index >> 1), old: index % 2 === 1 }),
      valuesOf: (index) => layout.replicaSetValues(index),
    },
  ];
}

function serviceKinds(layout, template) {
  const common = { count: layout.apps, namespaceOf: (app) => layout.namespaceOf(app) };
  const sliceOf = (app) => {
    // An unschedulable pod has no address and so no endpoint.
    const way = layout.wayOf(app);
    const replicas = WAYS[way]?.pending === undefined ? Math.min(REPLICAS, layout.pods - app * REPLICAS) : 0;
    return { ready: way === undefined, replicas };
  };
  return [
    {
      ...common,
      group: 'v1',
      kind: 'Service',
      plural: 'services',
      nameOf: (app) => layout.appName(app),
      templateOf: () => template('Service', '', () => serviceTemplate({ times: timesOf(DAY * 30) })),
      valuesOf: (app) => layout.serviceValues(app),
    },
    {
      ...common,
      group: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      plural: 'endpointslices',
      nameOf: (app) => `${layout.appName(app)}-${layout.sliceValues(app).S}`,
      templateOf: (app) => {
        const slice = sliceOf(app);
        return template('EndpointSlice', JSON.stringify(slice), () => endpointSliceTemplate({ ...slice, times: timesOf(DAY * 30) }));
      },
      valuesOf: (app) => layout.sliceValues(app),
    },
  ];
}

function smallKinds(layout, template) {
  return [
    {
      group: 'v1',
      kind: 'Namespace',
      plural: 'namespaces',
      count: layout.namespaces,
      nameOf: (index) => layout.namespaceName(index),
      templateOf: () => template('Namespace', '', () => namespaceTemplate({ times: timesOf(DAY * 90) })),
      valuesOf: (index) => layout.namespaceValues(index),
    },
    {
      group: 'v1',
      kind: 'ConfigMap',
      plural: 'configmaps',
      count: layout.apps,
      nameOf: (app) => `${layout.appName(app)}-config`,
      namespaceOf: (app) => layout.namespaceOf(app),
      templateOf: () => template('ConfigMap', '', () => configMapTemplate({ times: timesOf(DAY * 30) })),
      valuesOf: (app) => layout.appValues(app),
    },
  ];
}

/** @param {{ pods: number, kubelet?: { address: string, port: number } }} size */
export function makeCluster({ pods, kubelet }) {
  const layout = new Layout(pods);
  const template = templates();
  const kinds = new Map(
    [
      podsOf(layout, template),
      eventKind(layout, template),
      ...nodeKinds(layout, template, kubelet),
      ...workloadKinds(layout, template),
      ...serviceKinds(layout, template),
      ...smallKinds(layout, template),
    ].map((kind) => [kind.plural, kind]),
  );
  return {
    kinds,
    counts: Object.fromEntries([...kinds.values()].map(({ plural, count }) => [plural, count])),
    logOf: (pod) => WAYS[layout.fateOf(pod).way]?.log,
    isLost: (node) => layout.isLost(node),
  };
}
