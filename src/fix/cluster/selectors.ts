import { isRecord } from '../../collect/cluster/list-meta.ts';
import { recordAt, recordsAt, textsAt } from './meta.ts';

/** Whether labels are what a label selector wants; an empty selector takes all, none takes nothing. */
export function selects(selector: unknown, labels: Readonly<Record<string, unknown>>): boolean {
  if (!isRecord(selector)) return false;
  const equal = Object.entries(recordAt(selector, ['matchLabels'])).every(([key, value]) => labels[key] === value);
  return equal && recordsAt(selector, ['matchExpressions']).every((expression) => holds(expression, labels));
}

function holds(expression: Readonly<Record<string, unknown>>, labels: Readonly<Record<string, unknown>>): boolean {
  const key = String(expression['key']);
  const has = Object.hasOwn(labels, key);
  const isListed = has && textsAt(expression, ['values']).includes(String(labels[key]));
  switch (expression['operator']) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return has;
    case 'DoesNotExist':
      return !has;
    default:
      return false;
  }
}

export function labelsOf(object: unknown): Readonly<Record<string, unknown>> {
  return recordAt(object, ['metadata', 'labels']);
}
