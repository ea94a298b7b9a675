import type { ValueType } from './values.ts';

/** A field podcause may change in a pod template. Whatever is not here (privileges, host paths, host network) is for people. */
interface FieldRule {
  readonly pattern: RegExp;
  readonly type: ValueType;
  /** Parts of the dotted field; what is left after them is one key, dots and all. */
  readonly parts?: number;
  readonly onlyUnset?: true;
}

const RESOURCE = '[a-z0-9](?:[-a-z0-9./]{0,120}[a-z0-9])?';
const PROBE = '(?:liveness|readiness|startup)Probe';
const INDEX = '(?:0|[1-9]\\d{0,2})';
const ENV = '[A-Za-z_][A-Za-z0-9_]{0,200}';
const NAME = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';

const rule = (pattern: string, type: ValueType, parts?: number): FieldRule => ({
  pattern: new RegExp(`^${pattern}$`),
  type,
  ...(parts !== undefined ? { parts } : {}),
});

const unset = (pattern: string): FieldRule => ({ ...rule(pattern, 'anything'), onlyUnset: true });

const OF_CONTAINER: readonly FieldRule[] = [
  rule(`resources\\.(?:limits|requests)\\.${RESOURCE}`, 'quantity', 3),
  rule('image', 'image'),
  rule('imagePullPolicy', 'text'),
  rule('(?:command|args)', 'texts'),
  rule(`(?:command|args)\\.${INDEX}`, 'text'),
  rule('workingDir', 'path'),
  rule(`env\\.${ENV}`, 'text'),
  rule(`env\\.${ENV}\\.valueFrom\\.(?:secretKeyRef|configMapKeyRef)\\.name`, 'name'),
  rule(`env\\.${ENV}\\.valueFrom\\.(?:secretKeyRef|configMapKeyRef)\\.key`, 'text'),
  rule(`env\\.${ENV}\\.valueFrom\\.(?:secretKeyRef|configMapKeyRef)\\.optional`, 'boolean'),
  rule(`envFrom\\.${INDEX}\\.(?:configMapRef|secretRef)\\.name`, 'name'),
  rule(`envFrom\\.${INDEX}\\.(?:configMapRef|secretRef)\\.optional`, 'boolean'),
  rule(`${PROBE}\\.(?:initialDelay|timeout|period|terminationGracePeriod)Seconds`, 'integer'),
  rule(`${PROBE}\\.(?:failure|success)Threshold`, 'integer'),
  rule(`${PROBE}\\.httpGet\\.path`, 'path'),
  rule(`${PROBE}\\.httpGet\\.scheme`, 'text'),
  rule(`${PROBE}\\.(?:httpGet|tcpSocket|grpc)\\.port`, 'port'),
  rule(`${PROBE}\\.exec\\.command`, 'texts'),
  unset(PROBE),
  rule(`ports\\.${INDEX}\\.hostPort`, 'integer'),
  rule('securityContext\\.(?:runAsUser|runAsGroup)', 'integer'),
  rule('securityContext\\.(?:runAsNonRoot|readOnlyRootFilesystem)', 'boolean'),
  unset('lifecycle\\.(?:postStart|preStop)'),
];

const OF_POD: readonly FieldRule[] = [
  rule('(?:serviceAccountName|priorityClassName|runtimeClassName|schedulerName)', 'name'),
  rule('nodeSelector\\.[A-Za-z0-9](?:[-A-Za-z0-9_./]{0,300}[A-Za-z0-9])?', 'text', 2),
  rule('(?:terminationGracePeriodSeconds|activeDeadlineSeconds)', 'integer'),
  rule('securityContext\\.(?:fsGroup|runAsUser|runAsGroup)', 'integer'),
  rule('securityContext\\.runAsNonRoot', 'boolean'),
  rule('securityContext\\.fsGroupChangePolicy', 'text'),
  rule('enableServiceLinks', 'boolean'),
  rule('dnsPolicy', 'text'),
  rule(`imagePullSecrets\\.${INDEX}\\.name`, 'name'),
  rule(`volumes\\.${NAME}\\.configMap\\.name`, 'name'),
  rule(`volumes\\.${NAME}\\.secret\\.secretName`, 'name'),
  rule(`volumes\\.${NAME}\\.persistentVolumeClaim\\.claimName`, 'name'),
  rule(`volumes\\.${NAME}\\.(?:configMap|secret)\\.optional`, 'boolean'),
  unset('(?:affinity|topologySpreadConstraints|nodeSelector|nodeName)'),
];

export interface Field {
  readonly of: 'container' | 'pod';
  readonly type: ValueType;
  readonly parts: readonly string[];
  readonly onlyUnset: boolean;
}

/** Undefined for every field that podcause leaves alone. */
export function fieldOf(text: string, container: boolean): Field | undefined {
  if (text.length > 500) return undefined;
  return (container ? undefined : matching(OF_POD, 'pod', text)) ?? matching(OF_CONTAINER, 'container', text);
}

function matching(rules: readonly FieldRule[], of: Field['of'], text: string): Field | undefined {
  const match = rules.find(({ pattern }) => pattern.test(text));
  return match && { of, type: match.type, parts: partsOf(text, match.parts), onlyUnset: match.onlyUnset === true };
}

function partsOf(text: string, most: number | undefined): string[] {
  const parts = text.split('.');
  return most === undefined || parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join('.')];
}

/** Fields of other objects, by kind. */
const OF_OBJECT: Readonly<Record<string, readonly FieldRule[]>> = {
  ConfigMap: [rule('data\\.[A-Za-z0-9][-\\w.]{0,252}', 'text', 2)],
  Service: [
    rule('spec\\.selector\\.[A-Za-z0-9](?:[-\\w./]{0,300}[A-Za-z0-9])?', 'text', 3),
    rule(`spec\\.ports\\.${INDEX}\\.targetPort`, 'port'),
    rule('spec\\.publishNotReadyAddresses', 'boolean'),
  ],
  ResourceQuota: [rule(`spec\\.hard\\.${RESOURCE}`, 'quantity', 3)],
  PersistentVolumeClaim: [rule('spec\\.resources\\.requests\\.storage', 'quantity')],
  PodDisruptionBudget: [rule('spec\\.(?:minAvailable|maxUnavailable)', 'integer')],
  Deployment: [rule('spec\\.(?:replicas|progressDeadlineSeconds|revisionHistoryLimit)', 'integer'), rule('spec\\.paused', 'boolean')],
  StatefulSet: [rule('spec\\.replicas', 'integer')],
  Job: [rule('spec\\.(?:backoffLimit|activeDeadlineSeconds|parallelism)', 'integer'), rule('spec\\.suspend', 'boolean')],
  CronJob: [rule('spec\\.suspend', 'boolean'), rule('spec\\.startingDeadlineSeconds', 'integer')],
};

export function objectFieldOf(kind: string, text: string): Omit<Field, 'of'> | undefined {
  if (text.length > 500 || !Object.hasOwn(OF_OBJECT, kind)) return undefined;
  const match = OF_OBJECT[kind]?.find(({ pattern }) => pattern.test(text));
  return match && { type: match.type, parts: partsOf(text, match.parts), onlyUnset: false };
}
