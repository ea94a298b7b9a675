import type { FactKinds } from '../../model/facts.ts';
import { parseDuration } from './ages.ts';
import type { Cells } from './table.ts';
import { isNone, someText } from './values.ts';

type Status = FactKinds['object.status'];

/** The first of these columns that holds something is the status of any kind that has no rule of its own. */
const STATUS_COLUMNS = [
  'STATUS',
  'STATE',
  'PHASE',
  'COMPLETIONS',
  'ENDPOINTS',
  'ATTACHED',
  'CONDITION',
  'READY',
  'READYTOUSE',
  'AVAILABLE',
];
const DETAIL_COLUMNS = [
  'STORAGECLASS',
  'VOLUME',
  'CLAIM',
  'COMPLETIONS',
  'REASON',
  'PV',
  'NODE',
  'SERVICE',
  'SIGNERNAME',
  'REQUESTOR',
  'REQUESTER',
];

function detailOf(cells: Cells, columns: readonly string[], but?: string): Pick<Status, 'detail'> {
  const details = columns.flatMap((name) => {
    const value = name === but ? undefined : someText(cells.get(name));
    return value === undefined ? [] : [`${name} ${value}`];
  });
  return details.length > 0 ? { detail: details.join(', ') } : {};
}

function statusOfService(cells: Cells): Status | undefined {
  if (cells.get('TYPE') !== 'LoadBalancer') return undefined;
  const address = cells.get('EXTERNAL-IP') ?? '';
  return address === '<pending>' ? { status: 'pending', detail: 'LoadBalancer without an address' } : undefined;
}

function statusOfCronJob(cells: Cells): Status | undefined {
  const suspended = /^true$/i.test(cells.get('SUSPEND') ?? '');
  return { status: suspended ? 'suspended' : 'scheduled', ...detailOf(cells, ['SCHEDULE', 'ACTIVE', 'LAST SCHEDULE']) };
}

function statusOfIngress(cells: Cells): Status | undefined {
  const address = someText(cells.get('ADDRESS'));
  const noClass = cells.get('CLASS') === '<none>' ? 'CLASS <none>, ' : '';
  const { detail = '' } = detailOf(cells, ['CLASS', 'HOSTS']);
  const more = noClass + detail === '' ? {} : { detail: noClass + detail };
  return address === undefined ? { status: 'no address', ...more } : { status: address, ...more };
}

function statusOfScaler(cells: Cells): Status | undefined {
  const targets = cells.get('TARGETS') ?? '';
  return targets === '' ? undefined : { status: targets, ...detailOf(cells, ['REFERENCE', 'REPLICAS']) };
}

const OF_KIND: Readonly<Record<string, (cells: Cells) => Status | undefined>> = {
  StorageClass: (cells) => ((cells.get('NAME') ?? '').endsWith('(default)') ? { status: 'default' } : undefined),
  Service: statusOfService,
  CronJob: statusOfCronJob,
  Ingress: statusOfIngress,
  HorizontalPodAutoscaler: statusOfScaler,
  PodDisruptionBudget: (cells) => {
    const allowed = someText(cells.get('ALLOWED DISRUPTIONS'));
    return allowed === undefined ? undefined : { status: `allowed disruptions ${allowed}` };
  },
  ClusterOperator: (cells) => {
    const isNot = cells.get('AVAILABLE') === 'False' ? 'unavailable' : cells.get('DEGRADED') === 'True' ? 'degraded' : 'available';
    const message = someText(cells.get('MESSAGE'));
    return { status: isNot, ...(message === undefined ? {} : { detail: message }) };
  },
  Lease: (cells) => (isNone(cells.get('HOLDER')) ? undefined : { status: 'held', ...detailOf(cells, ['HOLDER']) }),
  ResourceQuota: (cells) =>
    isNone(cells.get('REQUEST')) ? undefined : { status: cells.get('REQUEST') ?? '', ...detailOf(cells, ['LIMIT']) },
};

/** The state of one row of a listing, in the words of the listing. */
export function statusOfRow(kind: string, cells: Cells): Status | undefined {
  const ageSeconds = parseDuration(cells.get('AGE') ?? '');
  const status = Object.hasOwn(OF_KIND, kind) ? OF_KIND[kind]?.(cells) : statusOfAny(cells);
  return status && ageSeconds !== undefined ? { ...status, ageSeconds } : status;
}

function statusOfAny(cells: Cells): Status | undefined {
  const cell = STATUS_COLUMNS.find((name) => cells.get(name));
  const status = cell === undefined ? undefined : cells.get(cell);
  return status === undefined ? undefined : { status, ...detailOf(cells, DETAIL_COLUMNS, cell) };
}
