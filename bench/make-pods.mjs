// A `kubectl get pods -A -o json` of any size, 2 % of the pods sick, with a fixed seed: node bench/make-pods.mjs FILE PODS
import { closeSync, openSync, writeSync } from 'node:fs';

const [file, count = '150000'] = process.argv.slice(2);
let state = 7;
const random = (limit) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return (state >>> 8) % limit;
};
const hex = (length) => Array.from({ length }, () => random(16).toString(16)).join('');
const uid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
const total = Number(count);
const nodes = Math.max(1, Math.round(total / 30));

function pod(index) {
  const app = `svc-${index % 4000}`;
  const name = `${app}-${hex(9).replaceAll(/[013ae]/g, 'x')}-${hex(5).replaceAll(/[013ae]/g, 'k')}`;
  const namespace = `team-${index % 200}`;
  const sick = index % 50 === 0;
  const time = '2025-06-11T04:05:01Z';
  const waiting = {
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
  };
  const running = { state: { running: { startedAt: time } }, lastState: {}, ready: true, restartCount: 0 };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      annotations: { 'checksum/config': hex(64), 'kubectl.kubernetes.io/restartedAt': time },
      creationTimestamp: time,
      generateName: `${app}-`,
      labels: { app, 'pod-template-hash': hex(9), team: namespace },
      name,
      namespace,
      ownerReferences: [
        { apiVersion: 'apps/v1', blockOwnerDeletion: true, controller: true, kind: 'ReplicaSet', name: `${app}-7d9f6c5b8b`, uid: uid() },
      ],
      resourceVersion: String(random(1e8)),
      uid: uid(),
    },
    spec: {
      containers: [
        {
          env: Array.from({ length: 1 }, (_, n) => ({ name: `SETTING_${n}`, value: hex(24) })),
          image: `registry.example.org/${namespace}/${app}:1.${index % 90}`,
          imagePullPolicy: 'IfNotPresent',
          livenessProbe: {
            failureThreshold: 3,
            httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' },
            periodSeconds: 10,
            successThreshold: 1,
            timeoutSeconds: 1,
          },
          name: 'main',
          ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
          resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '100m', memory: '256Mi' } },
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          volumeMounts: [
            { mountPath: '/etc/app', name: 'config' },
            { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: 'kube-api-access', readOnly: true },
          ],
        },
      ],
      dnsPolicy: 'ClusterFirst',
      nodeName: `node-${index % nodes}`,
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      volumes: [
        { configMap: { defaultMode: 420, name: 'settings' }, name: 'config' },
        { emptyDir: {}, name: 'scratch' },
      ],
    },
    status: {
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        lastProbeTime: null,
        lastTransitionTime: time,
        status: sick && /Ready/.test(type) ? 'False' : 'True',
        type,
      })),
      containerStatuses: [
        {
          containerID: `containerd://${hex(64)}`,
          image: `registry.example.org/${namespace}/${app}:1.${index % 90}`,
          imageID: `registry.example.org/${namespace}/${app}@sha256:${hex(64)}`,
          name: 'main',
          started: !sick,
          ...(sick ? waiting : running),
        },
      ],
      hostIP: '10.0.0.1',
      phase: 'Running',
      podIP: `10.${random(250)}.${random(250)}.${random(250)}`,
      qosClass: 'Burstable',
      startTime: time,
    },
  };
}

const out = openSync(file, 'w');
writeSync(out, '{\n    "apiVersion": "v1",\n    "items": [\n');
let buffer = '';
for (let index = 0; index < total; index++) {
  buffer += `${JSON.stringify(pod(index), null, 4).replaceAll(/^/gm, '        ')}${index + 1 < total ? ',' : ''}\n`;
  if (buffer.length > 1 << 21) {
    writeSync(out, buffer);
    buffer = '';
  }
}
writeSync(out, `${buffer}    ],\n    "kind": "List",\n    "metadata": { "resourceVersion": "" }\n}\n`);
closeSync(out);
