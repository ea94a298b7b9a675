// Pages of 500 pods each as an API server answers, with managed fields, 2 % of the pods sick: node bench/make-pages.mjs FOLDER ENCODER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, encoder] = process.argv.slice(2);
const { encode, page, POD } = await import(encoder);
const PAGES = 10;
const PODS = 500;

let state = 7;
const random = (limit) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return (state >>> 8) % limit;
};
const hex = (length) => Array.from({ length }, () => random(16).toString(16)).join('');
const uid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
const time = '2025-06-11T04:05:01Z';

const owned = (...names) => Object.fromEntries(names.map((name) => [name, {}]));
const CONTAINER_FIELDS = {
  ...owned('.', 'f:args', 'f:image', 'f:imagePullPolicy', 'f:name', 'f:terminationMessagePath', 'f:terminationMessagePolicy'),
  'f:env': {
    '.': {},
    'k:{"name":"SETTING_0"}': owned('.', 'f:name', 'f:value'),
    'k:{"name":"SETTING_1"}': owned('.', 'f:name', 'f:value'),
  },
  'f:livenessProbe': {
    ...owned('.', 'f:failureThreshold', 'f:periodSeconds', 'f:successThreshold', 'f:timeoutSeconds'),
    'f:httpGet': owned('.', 'f:path', 'f:port', 'f:scheme'),
  },
  'f:ports': { '.': {}, 'k:{"containerPort":8080,"protocol":"TCP"}': owned('.', 'f:containerPort', 'f:name', 'f:protocol') },
  'f:resources': { '.': {}, 'f:limits': owned('.', 'f:cpu', 'f:memory'), 'f:requests': owned('.', 'f:cpu', 'f:memory') },
  'f:volumeMounts': { '.': {}, 'k:{"mountPath":"/etc/app"}': owned('.', 'f:mountPath', 'f:name') },
};
const FIELDS = {
  'f:metadata': {
    'f:annotations': owned('.', 'f:checksum/config', 'f:kubectl.kubernetes.io/restartedAt'),
    'f:generateName': {},
    'f:labels': owned('.', 'f:app', 'f:pod-template-hash', 'f:team'),
    'f:ownerReferences': { '.': {}, 'k:{"uid":"5f0c9a52-6c1e-4b7e-8d0f-3f2b7b0d9a11"}': {} },
  },
  'f:spec': {
    'f:containers': { 'k:{"name":"main"}': CONTAINER_FIELDS },
    ...owned(
      'f:dnsPolicy',
      'f:enableServiceLinks',
      'f:restartPolicy',
      'f:schedulerName',
      'f:securityContext',
      'f:terminationGracePeriodSeconds',
    ),
    'f:volumes': { '.': {}, 'k:{"name":"config"}': { '.': {}, 'f:configMap': owned('.', 'f:defaultMode', 'f:name'), 'f:name': {} } },
  },
};
const CONDITION_FIELDS = owned('.', 'f:lastProbeTime', 'f:lastTransitionTime', 'f:status', 'f:type');
const STATUS_FIELDS = {
  'f:status': {
    'f:conditions': Object.fromEntries(
      ['ContainersReady', 'Initialized', 'PodReadyToStartContainers', 'Ready'].map((type) => [`k:{"type":"${type}"}`, CONDITION_FIELDS]),
    ),
    ...owned('f:containerStatuses', 'f:hostIP', 'f:hostIPs', 'f:phase', 'f:podIP', 'f:startTime'),
    'f:podIPs': { '.': {}, 'k:{"ip":"10.12.13.14"}': owned('.', 'f:ip') },
  },
};

const sickStatus = (name, namespace) => ({
  state: {
    waiting: { reason: 'CrashLoopBackOff', message: `back-off 5m0s restarting failed container=main pod=${name}_${namespace}(${uid()})` },
  },
  lastState: {
    terminated: {
      exitCode: 137,
      reason: 'OOMKilled',
      startedAt: time,
      finishedAt: '2025-06-11T04:06:41Z',
      containerID: `containerd://${hex(64)}`,
    },
  },
  ready: false,
  restartCount: 12,
});

/** `#####` stands for the number of the page, filled in when it is read. */
function pod(index) {
  const address = `10.${random(250)}.${random(250)}.${random(250)}`;
  const number = random(4000);
  const app = `svc-${number}`;
  const name = `${app}-#####-${hex(5).replaceAll(/[013ae]/g, 'k')}`;
  const namespace = `team-${number % 200}`;
  const sick = index % 50 === 0;
  const image = `registry.example.org/${namespace}/${app}:1.${index % 90}`;
  const managed = (manager, fields, subresource) => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...subresource,
  });
  return {
    metadata: {
      name,
      generateName: `${app}-`,
      namespace,
      uid: uid(),
      resourceVersion: String(random(1e8)),
      creationTimestamp: time,
      labels: { app, 'pod-template-hash': hex(9), team: namespace },
      annotations: { 'checksum/config': hex(64), 'kubectl.kubernetes.io/restartedAt': time },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-7d9f6c5b8b`, uid: uid(), controller: true, blockOwnerDeletion: true },
      ],
      managedFields: [managed('kube-controller-manager', FIELDS), managed('kubelet', STATUS_FIELDS, { subresource: 'status' })],
    },
    spec: {
      volumes: [
        { name: 'config', configMap: { name: 'settings', defaultMode: 420 } },
        {
          name: 'kube-api-access-x7k2p',
          projected: {
            sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }, { configMap: { name: 'kube-root-ca.crt' } }],
            defaultMode: 420,
          },
        },
      ],
      containers: [
        {
          name: 'main',
          image,
          args: ['--config=/etc/app/app.conf', '--listen=:8080'],
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          env: [
            { name: 'SETTING_0', value: hex(24) },
            { name: 'SETTING_1', value: hex(24) },
          ],
          resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '100m', memory: '256Mi' } },
          volumeMounts: [
            { name: 'config', mountPath: '/etc/app' },
            { name: 'kube-api-access-x7k2p', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
          ],
          livenessProbe: {
            httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      nodeName: `node-${random(5000)}`,
      securityContext: {},
      schedulerName: 'default-scheduler',
      tolerations: ['not-ready', 'unreachable'].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: {
      phase: 'Running',
      conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: sick && /^(?:Containers)?Ready/.test(type) ? 'False' : 'True',
        lastProbeTime: null,
        lastTransitionTime: time,
      })),
      hostIP: '10.0.0.1',
      hostIPs: [{ ip: '10.0.0.1' }],
      podIP: address,
      podIPs: [{ ip: address }],
      startTime: time,
      containerStatuses: [
        {
          name: 'main',
          ...(sick
            ? sickStatus(name, namespace)
            : { state: { running: { startedAt: time } }, lastState: {}, ready: true, restartCount: 0 }),
          image,
          imageID: `registry.example.org/${namespace}/${app}@sha256:${hex(64)}`,
          containerID: `containerd://${hex(64)}`,
          started: !sick,
        },
      ],
      qosClass: 'Burstable',
    },
  };
}

/** On the wire, managed fields are JSON in bytes. */
function wired(one) {
  const managedFields = one.metadata.managedFields.map((entry) => ({ ...entry, fieldsV1: { Raw: JSON.stringify(entry.fieldsV1) } }));
  return { ...one, metadata: { ...one.metadata, managedFields } };
}

mkdirSync(folder, { recursive: true });
for (let number = 0; number < PAGES; number++) {
  const items = Array.from({ length: PODS }, (_, index) => pod(number * PODS + index));
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '4711' }, items };
  writeFileSync(join(folder, `${number}.json`), JSON.stringify(list));
  writeFileSync(
    join(folder, `${number}.pb`),
    page(
      'PodList',
      'v1',
      items.map((one) => encode(wired(one), POD)),
    ),
  );
}
