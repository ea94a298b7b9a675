import { Buffer } from 'node:buffer';

/**
 * Writes pods and other objects as Kubernetes does on the wire, for tests and measurements. The numbers are those of the public
 * `generated.proto` files, noted here a second time, by name, so that a slip in the reader's tables shows.
 */
type Plain = 'string' | 'int' | 'bool' | 'time' | 'micro' | 'strings' | 'map' | 'quantities' | 'port' | 'bytes';
/** `always`: Go writes it even when it is empty, since it is no pointer. */
interface Numbered {
  readonly number: number;
  readonly as: Plain | Spec | readonly [Spec];
  readonly always?: boolean;
}
export type Spec = Readonly<Record<string, Numbered>>;
type Value = Readonly<Record<string, unknown>>;

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

/** JSON has the members of these in the message around them. */
const INLINE: ReadonlySet<string> = new Set(['handler', 'volumeSource', 'localObjectReference']);

export function varint(value: number): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

export function delimited(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
}

function integer(number: number, value: number): Buffer {
  return Buffer.from([...varint(number * 8), ...varint(value)]);
}

export function encode(value: Value, spec: Spec): Buffer {
  const parts = Object.entries(spec)
    .sort(([, a], [, b]) => a.number - b.number)
    .flatMap(([name, field]) => encodeField(INLINE.has(name) ? value : value[name], field));
  return Buffer.concat(parts);
}

function encodeField(value: unknown, { number, as, always: written }: Numbered): Buffer[] {
  if (Array.isArray(as)) return asList(value).map((item) => delimited(number, encode(item as Value, as[0] as Spec)));
  if (typeof as === 'object') return value || written ? [delimited(number, encode((value ?? {}) as Value, as as Spec))] : [];
  if (as === 'strings') return asList(value).map((item) => delimited(number, Buffer.from(String(item))));
  if (as === 'map' || as === 'quantities') return mapEntries(value, as === 'map').map((entry) => delimited(number, entry));
  if ((value === undefined || value === null) && !written) return [];
  return [encodePlain(value, number, as as Plain)];
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapEntries(value: unknown, plain: boolean): Buffer[] {
  return Object.entries((value ?? {}) as Value).map(([key, item]) => {
    const text = Buffer.from(String(item));
    return Buffer.concat([delimited(1, Buffer.from(key)), delimited(2, plain ? text : delimited(1, text))]);
  });
}

function encodePlain(value: unknown, number: number, as: Plain): Buffer {
  switch (as) {
    case 'int':
      return integer(number, Number(value ?? 0));
    case 'bool':
      return integer(number, value === true ? 1 : 0);
    case 'time':
    case 'micro':
      return delimited(number, timestamp(value));
    case 'port':
      return delimited(number, Buffer.concat([integer(1, typeof value === 'number' ? 0 : 1), portValue(value)]));
    default:
      return delimited(number, Buffer.from(String(value ?? '')));
  }
}

function portValue(value: unknown): Buffer {
  const isNumber = typeof value === 'number';
  return Buffer.concat([integer(2, isNumber ? value : 0), delimited(3, Buffer.from(isNumber ? '' : String(value ?? '')))]);
}

/** Go's zero time has no bytes. */
function timestamp(value: unknown): Buffer {
  if (typeof value !== 'string' || value.startsWith('0001-')) return Buffer.alloc(0);
  const milliseconds = Date.parse(value);
  const seconds = Math.floor(milliseconds / 1000);
  return Buffer.concat([integer(1, seconds), integer(2, (milliseconds - seconds * 1000) * 1e6)]);
}

/** A list as a response body: the items of a page in the envelope of the API server. */
export function page(kind: string, apiVersion: string, items: readonly Uint8Array[], continues = ''): Buffer {
  const meta = Buffer.concat([delimited(1, Buffer.alloc(0)), delimited(2, Buffer.from('4711')), delimited(3, Buffer.from(continues))]);
  const list = Buffer.concat([delimited(1, meta), ...items.map((item) => delimited(2, item))]);
  return envelope(kind, apiVersion, list);
}

export function envelope(kind: string, apiVersion: string, raw: Uint8Array): Buffer {
  const type = Buffer.concat([delimited(1, Buffer.from(apiVersion)), delimited(2, Buffer.from(kind))]);
  const empty = Buffer.alloc(0);
  return Buffer.concat([Buffer.from('k8s\0'), delimited(1, type), delimited(2, raw), delimited(3, empty), delimited(4, empty)]);
}
