/**
 * Writes pods and other objects as Kubernetes does on the wire, for tests and measurements. The numbers are those of the public
 * `generated.proto` files, noted here a second time, by name, so that a slip in the reader's tables shows.
 */
export type Plain = 'string' | 'int' | 'bool' | 'time' | 'micro' | 'strings' | 'map' | 'quantities' | 'port' | 'bytes';
/** `always`: Go writes it even when it is empty, since it is no pointer. */
export interface Numbered {
  readonly number: number;
  readonly as: Plain | Spec | readonly [Spec];
  readonly always?: boolean;
}
export type Spec = Readonly<Record<string, Numbered>>;

function pointer(number: number, as: Numbered['as']): Numbered {
  return { number, as };
}

function always(number: number, as: Numbered['as']): Numbered {
  return { number, as, always: true };
}

const OWNER: Spec = {
  kind: always(1, 'string'),
  name: always(3, 'string'),
  uid: always(4, 'string'),
  apiVersion: always(5, 'string'),
  controller: pointer(6, 'bool'),
  blockOwnerDeletion: pointer(7, 'bool'),
};

const MANAGED: Spec = {
  manager: always(1, 'string'),
  operation: always(2, 'string'),
  apiVersion: always(3, 'string'),
  time: pointer(4, 'time'),
  fieldsType: always(6, 'string'),
  fieldsV1: pointer(7, { Raw: pointer(1, 'bytes') }),
};

export const METADATA: Spec = {
  name: always(1, 'string'),
  generateName: always(2, 'string'),
  namespace: always(3, 'string'),
  selfLink: always(4, 'string'),
  uid: always(5, 'string'),
  resourceVersion: always(6, 'string'),
  generation: always(7, 'int'),
  creationTimestamp: always(8, 'time'),
  deletionTimestamp: pointer(9, 'time'),
  deletionGracePeriodSeconds: pointer(10, 'int'),
  labels: pointer(11, 'map'),
  annotations: pointer(12, 'map'),
  ownerReferences: pointer(13, [OWNER]),
  finalizers: pointer(14, 'strings'),
  managedFields: pointer(17, [MANAGED]),
};

const PROBE: Spec = {
  handler: always(1, { httpGet: pointer(2, { path: always(1, 'string'), port: always(2, 'port'), scheme: always(4, 'string') }) }),
  timeoutSeconds: always(3, 'int'),
  periodSeconds: always(4, 'int'),
  successThreshold: always(5, 'int'),
  failureThreshold: always(6, 'int'),
};

const CONTAINER: Spec = {
  name: always(1, 'string'),
  image: always(2, 'string'),
  command: pointer(3, 'strings'),
  args: pointer(4, 'strings'),
  workingDir: always(5, 'string'),
  ports: pointer(6, [
    { name: always(1, 'string'), hostPort: always(2, 'int'), containerPort: always(3, 'int'), protocol: always(4, 'string') },
  ]),
  env: pointer(7, [{ name: always(1, 'string'), value: always(2, 'string') }]),
  resources: always(8, { limits: pointer(1, 'quantities'), requests: pointer(2, 'quantities') }),
  volumeMounts: pointer(9, [{ name: always(1, 'string'), readOnly: always(2, 'bool'), mountPath: always(3, 'string') }]),
  livenessProbe: pointer(10, PROBE),
  terminationMessagePath: always(13, 'string'),
  imagePullPolicy: always(14, 'string'),
  stdin: always(16, 'bool'),
  stdinOnce: always(17, 'bool'),
  tty: always(18, 'bool'),
  terminationMessagePolicy: always(20, 'string'),
  restartPolicy: pointer(24, 'string'),
};

const SOURCE: Spec = {
  hostPath: pointer(1, { path: always(1, 'string') }),
  emptyDir: pointer(2, { medium: always(1, 'string') }),
  configMap: pointer(19, { localObjectReference: always(1, { name: always(1, 'string') }), defaultMode: pointer(3, 'int') }),
  projected: pointer(26, {
    sources: pointer(1, [
      {
        configMap: pointer(3, { localObjectReference: always(1, { name: always(1, 'string') }) }),
        serviceAccountToken: pointer(4, { expirationSeconds: pointer(2, 'int'), path: always(3, 'string') }),
      },
    ]),
    defaultMode: pointer(2, 'int'),
  }),
  ephemeral: pointer(29, { volumeClaimTemplate: pointer(1, { metadata: always(1, METADATA) }) }),
};

const SPEC: Spec = {
  volumes: pointer(1, [{ name: always(1, 'string'), volumeSource: always(2, SOURCE) }]),
  containers: pointer(2, [CONTAINER]),
  restartPolicy: always(3, 'string'),
  terminationGracePeriodSeconds: pointer(4, 'int'),
  dnsPolicy: always(6, 'string'),
  nodeSelector: pointer(7, 'map'),
  serviceAccountName: always(8, 'string'),
  nodeName: always(10, 'string'),
  hostNetwork: always(11, 'bool'),
  hostPID: always(12, 'bool'),
  hostIPC: always(13, 'bool'),
  schedulerName: always(19, 'string'),
  initContainers: pointer(20, [CONTAINER]),
  tolerations: pointer(22, [
    {
      key: always(1, 'string'),
      operator: always(2, 'string'),
      value: always(3, 'string'),
      effect: always(4, 'string'),
      tolerationSeconds: pointer(5, 'int'),
    },
  ]),
  priorityClassName: always(24, 'string'),
  priority: pointer(25, 'int'),
  preemptionPolicy: pointer(31, 'string'),
};

const STATE: Spec = {
  waiting: pointer(1, { reason: always(1, 'string'), message: always(2, 'string') }),
  running: pointer(2, { startedAt: always(1, 'time') }),
  terminated: pointer(3, {
    exitCode: always(1, 'int'),
    signal: always(2, 'int'),
    reason: always(3, 'string'),
    message: always(4, 'string'),
    startedAt: always(5, 'time'),
    finishedAt: always(6, 'time'),
    containerID: always(7, 'string'),
  }),
};

const CONTAINER_STATUS: Spec = {
  name: always(1, 'string'),
  state: always(2, STATE),
  lastState: always(3, STATE),
  ready: always(4, 'bool'),
  restartCount: always(5, 'int'),
  image: always(6, 'string'),
  imageID: always(7, 'string'),
  containerID: always(8, 'string'),
  started: pointer(9, 'bool'),
};

const STATUS: Spec = {
  phase: always(1, 'string'),
  conditions: pointer(2, [
    {
      type: always(1, 'string'),
      status: always(2, 'string'),
      lastProbeTime: always(3, 'time'),
      lastTransitionTime: always(4, 'time'),
      reason: always(5, 'string'),
      message: always(6, 'string'),
    },
  ]),
  message: always(3, 'string'),
  reason: always(4, 'string'),
  hostIP: always(5, 'string'),
  podIP: always(6, 'string'),
  startTime: pointer(7, 'time'),
  containerStatuses: pointer(8, [CONTAINER_STATUS]),
  qosClass: always(9, 'string'),
  initContainerStatuses: pointer(10, [CONTAINER_STATUS]),
  podIPs: pointer(12, [{ ip: always(1, 'string') }]),
  hostIPs: pointer(16, [{ ip: always(1, 'string') }]),
  ephemeralContainerStatuses: pointer(13, [CONTAINER_STATUS]),
};

export const POD: Spec = { metadata: always(1, METADATA), spec: always(2, SPEC), status: always(3, STATUS) };
