import { isRecord } from '../../collect/cluster/list-meta.ts';
import type { ClusterChange } from '../../model/change.ts';
import { isName, isNamespace } from './refs.ts';
import { shown } from './values.ts';

const CONTAINER = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const FINALIZER = /^[A-Za-z0-9](?:[-A-Za-z0-9._/]{0,300}[A-Za-z0-9])?$/;
const OBJECT = /^[A-Za-z]{1,63}\/(?<rest>[^/]{1,253}(?:\/[^/]{1,253})?)$/;

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 500;
const container: Check = (value) => value === undefined || (typeof value === 'string' && CONTAINER.test(value));
const finalizer: Check = (value) => value === undefined || (typeof value === 'string' && FINALIZER.test(value));
const anything: Check = () => true;
const node: Check = (value) => typeof value === 'string' && isName(value);
const object: Check = (value) => {
  const rest = typeof value === 'string' ? OBJECT.exec(value)?.groups?.['rest'] : undefined;
  if (rest === undefined) return false;
  const [first = '', second] = rest.split('/');
  return second === undefined ? isName(first) : isNamespace(first) && isName(second);
};

const SHAPES: Readonly<Record<ClusterChange['do'], Readonly<Record<string, Check>>>> = {
  'workload-set': { container, field: text, value: anything },
  'workload-add': { field: text, value: isRecord },
  'workload-unset': { container, field: text },
  'object-set': { object, field: text, value: anything },
  'restart-pods': {},
  'remove-finalizer': { object, finalizer },
  uncordon: { node },
  'rollout-undo': {},
};

/** A report may come from anywhere: what of a change is not as it must be, in words. */
export function unsound(change: unknown): string | undefined {
  if (!isRecord(change)) return 'A change in the report is none.';
  const what = change['do'];
  const shape = typeof what === 'string' && Object.hasOwn(SHAPES, what) ? SHAPES[what as ClusterChange['do']] : undefined;
  if (!shape) return `The report wants a change of a kind that is not known: ${shown(what)}.`;
  const wrong = Object.entries(shape).find(([name, check]) => !check(change[name]));
  return wrong === undefined
    ? undefined
    : `The report wants ${shown(what)} with ${wrong[0]} ${shown(change[wrong[0]])}, which is no sound one.`;
}
