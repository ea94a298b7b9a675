export type Stored = Record<string, unknown>;

/** An answer other than a good one. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `/apis/apps/v1/namespaces/shop/deployments/web`. */
export function pathOf(object: Stored): string {
  const version = String(object['apiVersion']);
  const { namespace, name } = metaOf(object);
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  const within = namespace === undefined ? '' : `/namespaces/${String(namespace)}`;
  return `${root}${within}/${String(object['kind']).toLowerCase()}s/${String(name)}`;
}

export function metaOf(object: Stored): Stored {
  return (object['metadata'] ?? {}) as Stored;
}

const PATH =
  /^(?<root>\/api\/v1|\/apis\/[^/]+\/[^/]+)\/(?<within>namespaces\/[^/]+\/(?!finalize(?:$|\?)))?(?<plural>[a-z]+)(?:\/(?<name>[^/]+)(?:\/(?<sub>[a-z]+))?)?$/;

export interface Place {
  readonly collection: string;
  readonly object: string;
  readonly named: boolean;
  readonly sub: string | undefined;
}

export function placeOf(path: string): Place {
  const groups = PATH.exec(path)?.groups;
  if (!groups) throw new Refused(404, 'the server could not find the requested resource');
  const collection = `${groups['root']}/${groups['within'] ?? ''}${groups['plural']}`;
  return { collection, object: `${collection}/${groups['name'] ?? ''}`, named: groups['name'] !== undefined, sub: groups['sub'] };
}
