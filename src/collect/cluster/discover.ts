import { ClusterError, type ClusterPort } from './port.ts';

/** What the server serves, so that old and new ones are asked for what they have. */
export interface ServedApis {
  /** As the server reports it, e.g. `v1.31.4`; undefined when it does not say. */
  readonly serverVersion: string | undefined;
  /** The server's clock, epoch milliseconds. */
  readonly date: number;
  /** The first of these group versions that is served. */
  firstOf(versions: readonly string[]): string | undefined;
}

const LIMIT = 4 << 20;

/** Three small requests. A server that will not tell its groups is taken to have the newest of everything. */
export async function discover(port: ClusterPort): Promise<ServedApis> {
  const [version, groups] = await Promise.all([optional(port, '/version'), optional(port, '/apis')]);
  const served = groups === undefined ? undefined : groupVersionsIn(groups.value);
  return {
    serverVersion: textField(version?.value, 'gitVersion'),
    date: groups?.date ?? version?.date ?? Date.now(),
    firstOf: (versions) => versions.find((one) => !one.includes('/') || served === undefined || served.has(one)),
  };
}

interface Answered {
  readonly value: unknown;
  readonly date: number | undefined;
}

async function optional(port: ClusterPort, path: string): Promise<Answered | undefined> {
  try {
    const { body, date } = await port.request({ path, accept: 'application/json', limitBytes: LIMIT });
    return { value: JSON.parse(Buffer.from(body).toString('utf8')), date };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof ClusterError && (error.kind === 'forbidden' || error.kind === 'not-found')) return undefined;
    throw error;
  }
}

function groupVersionsIn(value: unknown): ReadonlySet<string> {
  const groups = listField(value, 'groups');
  return new Set(groups.flatMap((group) => listField(group, 'versions').flatMap((one) => textField(one, 'groupVersion') ?? [])));
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listField(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

function textField(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === 'string' ? text : undefined;
}
