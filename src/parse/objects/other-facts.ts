import { CLUSTER, type EntityId, objectId } from '../../model/entity.ts';
import { isRecord, type JsonRecord, known, listOf, recordOf, textOf, timeOf } from './json-value.ts';
import { CLUSTER_WIDE } from './kinds.ts';
import type { ObjectReading } from './object-reading.ts';
import { stateFacts } from './object-states.ts';
import { referenceFacts } from './reference-facts.ts';

/** Any object that is no pod, node, event or workload: that it exists, and what it says of its state. Never its data. */
export function otherFacts(reading: ObjectReading, type: string, object: JsonRecord, pointer: string): void {
  const metadata = recordOf(object['metadata']);
  const name = textOf(metadata['name']);
  if (name === undefined) return;
  const namespace = CLUSTER_WIDE.has(type) ? undefined : (textOf(metadata['namespace']) ?? reading.options.namespace);
  const about = objectId(type, namespace, name);
  if (reading.listed) reading.lookout.listed('objects', about, namespace);
  else reading.lookout.single('objects', about, namespace, 'whole');
  reading.clock.see(metadata['creationTimestamp']);
  if (type === 'Lease') reading.clock.see(recordOf(object['spec'])['renewTime']);
  reading.fact('object.exists', about, { type: reading.intern(type) }, reading.cite(`${pointer}/metadata/name`, `${type}/${name}`));
  // These have no status; what somebody put there instead is not told.
  const shown = type === 'ConfigMap' || type === 'Secret' ? { ...object, status: undefined } : object;
  objectStatusFacts(reading, type, shown, about, pointer);
  stateFacts(reading, type, about, object, pointer);
  referenceFacts(reading, type, about, object, pointer);
}

/** The part that a lone `status:` block can tell as well. */
export function objectStatusFacts(reading: ObjectReading, type: string, object: JsonRecord, about: EntityId, pointer: string): void {
  const status = recordOf(object['status']);
  const phase = phaseOf(type, object, status);
  if (phase !== undefined) {
    const detail = detailOf(type, object);
    const at = isRecord(object['status']) ? `${pointer}/status` : pointer;
    const quote = [`status: ${phase}`, detail].filter(Boolean).join(', ');
    reading.fact('object.status', about, { status: phase, ...known({ detail }) }, reading.cite(at, quote));
  }
  conditionSayings(reading, about, listOf(status['conditions']), `${pointer}/status/conditions`);
  const message = textOf(status['message']);
  if (message !== undefined) reading.say('objects', about, message, reading.cite(`${pointer}/status/message`, `message: ${message}`));
}

const DEFAULT_CLASS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'] as const;

/** In the words of `kubectl get`, so that the same fact from a listing says the same. */
function phaseOf(type: string, object: JsonRecord, status: JsonRecord): string | undefined {
  const metadata = recordOf(object['metadata']);
  if (type === 'StorageClass') {
    const annotations = recordOf(metadata['annotations']);
    return DEFAULT_CLASS.some((key) => annotations[key] === 'true') ? 'default' : undefined;
  }
  if (metadata['deletionTimestamp']) return 'Terminating';
  if (type === 'VolumeAttachment') return typeof status['attached'] === 'boolean' ? String(status['attached']) : undefined;
  if (type === 'Endpoints')
    return listOf(object['subsets']).some((item) => listOf(recordOf(item)['addresses']).length > 0) ? undefined : '<none>';
  return textOf(status['phase']);
}

/** Keys of `spec` (or of the object itself) that say more, under the names of kubectl's columns. */
const DETAILS: ReadonlyMap<string, readonly (readonly [key: string, column: string])[]> = new Map([
  [
    'PersistentVolumeClaim',
    [
      ['storageClassName', 'STORAGECLASS'],
      ['volumeName', 'VOLUME'],
    ],
  ],
  ['PersistentVolume', [['storageClassName', 'STORAGECLASS']]],
  [
    'StorageClass',
    [
      ['provisioner', 'PROVISIONER'],
      ['volumeBindingMode', 'VOLUMEBINDINGMODE'],
    ],
  ],
  [
    'VolumeAttachment',
    [
      ['attacher', 'ATTACHER'],
      ['nodeName', 'NODE'],
    ],
  ],
]);

function detailOf(type: string, object: JsonRecord): string | undefined {
  const holder = type === 'StorageClass' ? object : recordOf(object['spec']);
  const words = (DETAILS.get(type) ?? []).flatMap(([key, column]) => {
    const text = textOf(holder[key]);
    return text === undefined ? [] : `${column} ${text}`;
  });
  const claim = recordOf(holder['claimRef']);
  if (textOf(claim['name']) !== undefined) words.push(`CLAIM ${textOf(claim['namespace']) ?? ''}/${textOf(claim['name'])}`);
  const metadata = recordOf(object['metadata']);
  const finalizers = metadata['deletionTimestamp'] ? listOf(metadata['finalizers']).map(String) : [];
  if (finalizers.length > 0) words.push(`finalizers ${finalizers.join(' ')}`);
  return words.length === 0 ? undefined : words.join(', ');
}

/** Conditions of unknown kinds have no polarity we could know, so their words alone are handed on. */
function conditionSayings(reading: ObjectReading, about: EntityId, conditions: readonly unknown[], pointer: string): void {
  for (let index = 0; index < conditions.length; index++) {
    const condition = recordOf(conditions[index]);
    const message = textOf(condition['message']);
    const when = timeOf(condition['lastTransitionTime']);
    reading.clock.see(condition['lastTransitionTime']);
    if (message === undefined) continue;
    const quote = [`${textOf(condition['type']) ?? 'condition'}: ${textOf(condition['status']) ?? ''}`, message].join(' ');
    reading.say('objects', about, message, reading.cite(`${pointer}/${index}`, quote), when === undefined ? {} : { when });
  }
}

/** An answer of the API server in place of an object, e.g. a refusal. */
export function apiStatusFacts(reading: ObjectReading, object: JsonRecord, pointer: string): void {
  const message = textOf(object['message']);
  if (message === undefined || object['status'] === 'Success') return;
  reading.say('objects', CLUSTER, message, reading.cite(`${pointer}/message`, `message: ${message}`), {
    component: 'apiserver',
    level: 'error',
  });
}
