// One pod, with marks for what differs: about six kilobytes of JSON, as pods of a Deployment have.
import { managed, mark } from './template.mjs';
import { names, WAYS } from './ways.mjs';

const app = `svc-${mark('A')}`;
const access = 'kube-api-access-x7k2p';

const probe = (path, periodSeconds) => ({
  httpGet: { path, port: 8080, scheme: 'HTTP' },
  initialDelaySeconds: 5,
  timeoutSeconds: 1,
  periodSeconds,
  successThreshold: 1,
  failureThreshold: 3,
});

function container(name, shape, way) {
  const main = name === 'main';
  return {
    name,
    image: main ? names.image : `registry.example.org/platform/${name}:3.1.4`,
    ...(way === 'no-command' && main ? { command: ['/srv/serve'] } : {}),
    ...(main && shape % 2 === 0 ? { args: ['--listen=:8080', '--settings=/etc/app/settings.yaml'] } : {}),
    ports: [{ name: main ? 'http' : `${name}-metrics`.slice(0, 15), containerPort: main ? 8080 : 9102, protocol: 'TCP' }],
    ...(main ? { envFrom: [{ configMapRef: { name: WAYS[way]?.configMap ?? `${app}-config` } }] } : {}),
    env: [
      ...(shape % 2 ? [] : [{ name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }]),
      ...Array.from({ length: main ? 1 + (shape % 3) : 1 }, (_, index) => ({
        name: `SETTING_${index}`,
        value: `value-of-${index}-${mark('A')}`,
      })),
    ],
    resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '100m', memory: '256Mi' } },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/app' },
      { name: access, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
    ...(main ? { livenessProbe: probe('/healthz', 10), ...(shape % 4 ? {} : { readinessProbe: probe('/ready', 5) }) } : {}),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
    ...(shape % 2 ? {} : { securityContext: { capabilities: { drop: ['ALL'] }, allowPrivilegeEscalation: false } }),
  };
}

export function podSpec(shape, way) {
  const tolerated = (key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  const volumes = [
    { name: 'config', configMap: { name: WAYS[way]?.configMap ?? `${app}-config`, defaultMode: 420 } },
    {
      name: access,
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
        ],
        defaultMode: 420,
      },
    },
  ];
  const containers = ['main', ...(shape === 3 ? ['proxy'] : [])].map((name) => container(name, shape, way));
  return {
    volumes,
    containers,
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'default',
    serviceAccount: 'default',
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: [tolerated('node.kubernetes.io/not-ready'), tolerated('node.kubernetes.io/unreachable')],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
}

function containerStatus({ name, image }, way, { started, ended, stopped }) {
  const { waiting, ended: how } = name === 'main' ? (WAYS[way] ?? {}) : {};
  const id = `containerd://${mark('C')}`;
  return {
    name,
    state: waiting ? { waiting } : { running: { startedAt: started } },
    lastState: how ? { terminated: { ...how, startedAt: ended, finishedAt: stopped, containerID: id } } : {},
    ready: !waiting,
    restartCount: how ? 14 : 0,
    image,
    imageID: waiting && !how ? '' : `${image.replace(/:[^:]*$/, '')}@sha256:${mark('C')}`,
    ...(waiting && !how ? {} : { containerID: id }),
    started: !waiting,
  };
}

function status(spec, way, lost, times) {
  const { waiting, pending } = WAYS[way] ?? {};
  const condition = (type, held, why = {}) => ({
    type,
    status: held ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: times.started,
    ...(held ? {} : why),
  });
  if (pending !== undefined) {
    return {
      phase: 'Pending',
      conditions: [condition('PodScheduled', false, { reason: 'Unschedulable', message: pending })],
      qosClass: 'Burstable',
    };
  }
  const unready = { reason: 'ContainersNotReady', message: 'containers with unready status: [main]' };
  return {
    phase: waiting && !WAYS[way].ended ? 'Pending' : 'Running',
    conditions: [
      condition('PodReadyToStartContainers', true),
      condition('Initialized', true),
      condition('Ready', !waiting && !lost, waiting ? unready : {}),
      condition('ContainersReady', !waiting, unready),
      condition('PodScheduled', true),
    ],
    hostIP: mark('J'),
    hostIPs: [{ ip: mark('J') }],
    podIP: mark('I'),
    podIPs: [{ ip: mark('I') }],
    startTime: times.started,
    containerStatuses: spec.containers.map((one) => containerStatus(one, way, times)),
    qosClass: 'Burstable',
  };
}

/** @param {{ shape: number, way?: string, lost?: boolean, times: { started: string, ended: string, stopped: string } }} what */
export function podTemplate({ shape, way, lost = false, times }) {
  const pending = WAYS[way]?.pending !== undefined;
  const spec = { ...podSpec(shape, way), ...(pending ? {} : { nodeName: `node-${mark('W')}` }) };
  const labels = { app, 'app.kubernetes.io/part-of': names.namespace, 'pod-template-hash': mark('H'), tier: shape % 2 ? 'back' : 'front' };
  const own = status(spec, way, lost, times);
  const metadata = {
    name: names.podName,
    generateName: `${app}-${mark('H')}-`,
    namespace: names.namespace,
    uid: mark('U'),
    resourceVersion: mark('V'),
    creationTimestamp: times.started,
    labels,
    annotations: { 'checksum/config': mark('C') },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `${app}-${mark('H')}`,
        uid: mark('O'),
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
  const { generateName, labels: _, annotations, ownerReferences } = metadata;
  const { nodeName: _node, tolerations: _tolerations, priority: _priority, ...asked } = spec;
  const { qosClass: _class, ...posted } = own;
  const written = { ...posted, ...(pending ? {} : { containerStatuses: [] }) };
  const managedFields = [
    managed('kube-controller-manager', times.started, {
      metadata: { generateName, annotations, labels, ownerReferences: ownerReferences.map(({ uid }) => ({ uid })) },
      spec: asked,
    }),
    managed(pending ? 'kube-scheduler' : 'kubelet', times.started, { status: written }, 'status'),
  ];
  return { metadata: { ...metadata, managedFields }, spec, status: own };
}
