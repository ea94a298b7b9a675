// Who is where in the bench's cluster, and how each pod fares. All of it follows from the numbers of the objects.
import { hex, suffix, templateHash, uid } from './template.mjs';
import { WAY_NAMES, WAYS } from './ways.mjs';

export const REPLICAS = 20;
const APPS_PER_NAMESPACE = 25;
const SHAPES = 8;
const LOST_NODES = 3;

const pad = (value, width) => String(value).padStart(width, '0');

/** What the marks of a template stand for, by object. Their kinds' numbers keep the uids apart. */
export class Layout {
  constructor(pods) {
    this.pods = pods;
    this.nodes = Math.max(4, Math.round(pods / 30));
    this.apps = Math.ceil(pods / REPLICAS);
    this.namespaces = Math.ceil(this.apps / APPS_PER_NAMESPACE);
    this.lostEvery = Math.max(3, Math.floor(this.nodes / LOST_NODES));
  }

  isLost(node) {
    return node % this.lostEvery === 2 && node < this.lostEvery * LOST_NODES;
  }

  nodeOf(pod) {
    return (pod * 7919) % this.nodes;
  }

  /** One workload of fifty is sick, each in the next of the ways. */
  wayOf(app) {
    return app % 50 === 7 ? WAY_NAMES[Math.floor(app / 50) % WAY_NAMES.length] : undefined;
  }

  shapeOf(app) {
    return app % SHAPES;
  }

  /** Sick in one of the ways, on a lost node, young, or well. */
  fateOf(pod) {
    const app = Math.floor(pod / REPLICAS);
    const way = this.wayOf(app);
    const shape = this.shapeOf(app);
    const lost = this.isLost(this.nodeOf(pod));
    if (way) return { shape, way, lost: lost && WAYS[way].pending === undefined };
    return lost ? { shape, lost } : { shape, young: pod % 40 === 3 };
  }

  nodeName(node) {
    return `node-${pad(node, 5)}`;
  }

  namespaceName(namespace) {
    return `team-${pad(namespace, 4)}`;
  }

  appName(app) {
    return `svc-${pad(app, 5)}`;
  }

  namespaceOf(app) {
    return this.namespaceName(Math.floor(app / APPS_PER_NAMESPACE));
  }

  namespaceOfPod(pod) {
    return this.namespaceOf(Math.floor(pod / REPLICAS));
  }

  podName(pod) {
    const app = Math.floor(pod / REPLICAS);
    return `${this.appName(app)}-${templateHash(app)}-${suffix(pod)}`;
  }

  replicaSetName(index) {
    return `${this.appName(index >> 1)}-${this.replicaSetValues(index).H}`;
  }

  appValues(app) {
    return {
      A: pad(app, 5),
      T: pad(Math.floor(app / APPS_PER_NAMESPACE), 4),
      H: templateHash(app),
      O: uid(2, app),
      D: uid(3, app),
      U: uid(7, app),
      K: `10.96.${100 + (Math.floor(app / 100) % 100)}.${100 + (app % 100)}`,
      V: String(100_000_000 + app),
    };
  }

  nodeValues(node) {
    const address = `10.9.${100 + (Math.floor(node / 100) % 100)}.${100 + (node % 100)}`;
    return { W: pad(node, 5), J: address, U: uid(4, node), C: hex(node, 64), V: String(200_000_000 + node) };
  }

  podValues(pod) {
    const { W, J } = this.nodeValues(this.nodeOf(pod));
    const octet = (power) => 100 + (Math.floor(pod / 100 ** power) % 100);
    return {
      ...this.appValues(Math.floor(pod / REPLICAS)),
      W,
      J,
      S: suffix(pod),
      U: uid(1, pod),
      C: hex(pod, 64),
      I: `10.${octet(2)}.${octet(1)}.${octet(0)}`,
      V: String(300_000_000 + pod),
    };
  }

  /** Two for each workload: the one that has its pods, and the one before. */
  replicaSetValues(index) {
    const values = this.appValues(index >> 1);
    return index % 2 === 0 ? values : { ...values, H: templateHash((index >> 1) + 1_000_000), O: uid(8, index) };
  }

  namespaceValues(namespace) {
    return { T: pad(namespace, 4), U: uid(6, namespace), V: String(100_000_000 + namespace) };
  }

  serviceValues(app) {
    return { ...this.appValues(app), U: uid(10, app) };
  }

  sliceValues(app) {
    const rows = Array.from({ length: REPLICAS }, (_, replica) => this.podValues(app * REPLICAS + replica));
    return { ...this.serviceValues(app), S: suffix(app), O: uid(11, app), rows };
  }

  eventValues({ about, index: of }, index) {
    return {
      ...(about === 'pod' ? this.podValues(of) : this.nodeValues(of)),
      X: hex(index, 16),
      O: uid(5, index),
      V: String(400_000_000 + index),
    };
  }

  leaseValues(node) {
    return { ...this.nodeValues(node), U: uid(9, node) };
  }
}

/** Ids of the pods that are sick in themselves; those on lost nodes come on top. */
export function sickPods(pods) {
  const layout = new Layout(pods);
  const ids = [];
  for (let pod = 0; pod < pods; pod++) if (layout.fateOf(pod).way) ids.push(`Pod/${layout.namespaceOfPod(pod)}/${layout.podName(pod)}`);
  return ids;
}
