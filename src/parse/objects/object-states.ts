import { type EntityId, objectId } from '../../model/entity.ts';
import { exactQuantityOf, isRecord, type JsonRecord, known, listOf, numberOf, recordOf, textOf, timeOf } from './json-value.ts';
import { type ObjectReading, secondsBefore } from './object-reading.ts';

/** What an object of one kind says beyond its phase. */
type StateReader = (reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string) => void;

const READERS: ReadonlyMap<string, StateReader> = new Map([
  ['ResourceQuota', quotaFacts],
  ['Lease', leaseFacts],
  ['EndpointSlice', sliceFacts],
  ['PodDisruptionBudget', budgetFacts],
  ['VolumeAttachment', attachmentSayings],
  ['CSINode', driverFacts],
  ['ConfigMap', keyFacts],
  ['Secret', keyFacts],
]);

export function stateFacts(reading: ObjectReading, type: string, about: EntityId, object: JsonRecord, pointer: string): void {
  READERS.get(type)?.(reading, about, object, pointer);
}

function tell(reading: ObjectReading, about: EntityId, status: string, detail: string | undefined, pointer: string): void {
  const cited = reading.cite(pointer, [`status: ${status}`, detail].filter(Boolean).join(', '));
  reading.fact('object.status', about, { status, ...known({ detail }) }, cited);
}

/** Limits that are used up; a quota with room left says nothing. */
function quotaFacts(reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string): void {
  const status = recordOf(object['status']);
  const hard = recordOf(status['hard']);
  const full = Object.entries(recordOf(status['used'])).flatMap(([resource, used]) => {
    const [amount, limit] = [exactQuantityOf(used), exactQuantityOf(hard[resource])];
    return amount === undefined || limit === undefined || amount < limit ? [] : `${resource} ${String(used)}/${String(hard[resource])}`;
  });
  if (full.length > 0) tell(reading, about, 'full', full.join(', '), `${pointer}/status/used`);
}

/** A lease that nobody renewed in time: its holder is gone, hangs, or cannot reach the API server. */
function leaseFacts(reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string): void {
  const spec = recordOf(object['spec']);
  const renewed = timeOf(spec['renewTime']);
  const lasts = numberOf(spec['leaseDurationSeconds']);
  const holder = textOf(spec['holderIdentity']);
  if (renewed === undefined || lasts === undefined || holder === undefined) return;
  const cited = reading.cite(`${pointer}/spec/renewTime`, `renewTime: ${textOf(spec['renewTime'])}, lasts ${lasts} s`);
  reading.later((now) => {
    const ago = secondsBefore(now, renewed);
    if (ago === undefined || ago <= lasts) return;
    const detail = `HOLDER ${holder}, renewed ${ago} s ago, lasts ${lasts} s`;
    reading.fact('object.status', about, { status: 'expired', detail }, cited, renewed);
  });
}

const SERVICE_LABEL = 'kubernetes.io/service-name';

/** In the words of `kubectl get endpoints`: nobody answers for the service. */
function sliceFacts(reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string): void {
  const endpoints = listOf(object['endpoints']);
  // A condition that is not given counts as true.
  const ready = endpoints.filter((item) => recordOf(recordOf(item)['conditions'])['ready'] !== false).length;
  if (ready > 0) return;
  const service = textOf(recordOf(recordOf(object['metadata'])['labels'])[SERVICE_LABEL]);
  const words = [
    service === undefined ? undefined : `SERVICE ${service}`,
    endpoints.length > 0 ? `0 of ${endpoints.length} ready` : undefined,
  ];
  tell(reading, about, '<none>', words.filter(Boolean).join(', ') || undefined, `${pointer}/endpoints`);
}

/** A budget that lets no pod be evicted: drains wait for it. */
function budgetFacts(reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string): void {
  const status = recordOf(object['status']);
  const [allowed, expected] = [numberOf(status['disruptionsAllowed']), numberOf(status['expectedPods'])];
  if (allowed !== 0 || expected === undefined || expected === 0) return;
  const detail = `ALLOWED DISRUPTIONS 0, healthy ${numberOf(status['currentHealthy']) ?? 0}, wanted ${numberOf(status['desiredHealthy']) ?? 0}`;
  tell(reading, about, 'blocked', detail, `${pointer}/status/disruptionsAllowed`);
}

function attachmentSayings(reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string): void {
  const status = recordOf(object['status']);
  for (const key of ['attachError', 'detachError']) {
    const error = status[key];
    const message = isRecord(error) ? textOf(error['message']) : undefined;
    if (message === undefined) continue;
    const when = timeOf(recordOf(error)['time']);
    const cited = reading.cite(`${pointer}/status/${key}/message`, `${key}: ${message}`);
    reading.say('objects', about, message, cited, { level: 'error', ...(when === undefined ? {} : { when }) });
  }
}

/** Each driver that registered on the node. */
function driverFacts(reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string): void {
  const drivers = listOf(recordOf(object['spec'])['drivers']);
  for (let index = 0; index < drivers.length; index++) {
    const name = textOf(recordOf(drivers[index])['name']);
    if (name !== undefined) part(reading, about, 'CSINodeDriver', name, `${pointer}/spec/drivers/${index}`);
  }
}

/** Objects up to this many in a document are worth their keys. */
const KEYED_OBJECTS = 200;
const KEYS = 100;

/** The names of the keys, and never what they hold. */
function keyFacts(reading: ObjectReading, about: EntityId, object: JsonRecord, pointer: string): void {
  if (reading.objects > KEYED_OBJECTS) return;
  const type = about.startsWith('Object/Secret/') ? 'SecretKey' : 'ConfigMapKey';
  // The name is cited, not the key: whoever looks up the place of a key sees its value.
  for (const field of ['data', 'binaryData'])
    for (const key of Object.keys(recordOf(object[field])).slice(0, KEYS)) part(reading, about, type, key, `${pointer}/metadata/name`);
}

const PART = /^[\w.-]{1,253}$/;

/** A named part of an object: `Object/SecretKey/<namespace>/<secret>/<key>`. */
function part(reading: ObjectReading, about: EntityId, type: string, name: string, pointer: string): void {
  if (!PART.test(name)) return;
  const [, , namespace = '', ...whole] = about.split('/');
  const id = objectId(type, namespace, `${whole.join('/')}/${name}`);
  reading.fact('object.exists', id, { type }, reading.cite(pointer, `${type} ${whole.join('/')}/${name}`));
}
