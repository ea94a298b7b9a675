import { applyJsonPatch, equal, PatchRefused } from './testing-json-patch.ts';
import { metaOf, type Place, pathOf, placeOf, Refused, type Stored } from './testing-paths.ts';

export interface Asked {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly dryRun: boolean;
  readonly body: unknown;
}

export interface ApiOptions {
  /** Answered with 403. */
  readonly forbids?: (asked: Asked) => boolean;
  /** What admission makes of an object; a thrown Error is a refusal with its message. */
  readonly admits?: (object: Stored, asked: Asked) => Stored;
  /** Pods whose disruption budget allows nothing, by name. */
  readonly budgeted?: ReadonlySet<string>;
  /** Cuts the connection instead of answering: `before` anything is done, or `after` it. */
  readonly cuts?: (asked: Asked) => 'before' | 'after' | undefined;
}

/** What an API server does with a few requests: optimistic locking, JSON patches, dry runs, evictions, finalizers. */
export class Store {
  readonly objects = new Map<string, Stored>();
  private readonly options: ApiOptions;
  private version = 100;

  constructor(objects: readonly Stored[], options: ApiOptions) {
    this.options = options;
    for (const [index, object] of objects.entries()) {
      const metadata = { uid: `uid-${index}`, resourceVersion: String(++this.version), generation: 1, ...metaOf(object) };
      this.objects.set(pathOf(object), { ...structuredClone(object), metadata });
    }
  }

  judged(asked: Asked, contentType: string, query: URLSearchParams): { status: number; answer: unknown } {
    try {
      if (this.options.forbids?.(asked)) throw new Refused(403, `${asked.method} ${asked.path} is forbidden for this user`);
      return { status: asked.method === 'POST' ? 201 : 200, answer: this.done(asked, contentType, query) };
    } catch (error) {
      if (error instanceof PatchRefused) return refusal(422, `the server rejected our request: ${error.message}`);
      if (error instanceof Refused) return refusal(error.status, error.message);
      return refusal(422, error instanceof Error ? error.message : 'refused');
    }
  }

  private done(asked: Asked, contentType: string, query: URLSearchParams): unknown {
    const place = placeOf(asked.path);
    switch (asked.method) {
      case 'GET':
        return place.named ? this.get(place.object) : this.list(place.collection, query.get('labelSelector'));
      case 'PATCH':
        return this.put(asked, place.object, patchedBy(this.get(place.object), contentType, asked.body));
      case 'PUT':
        return this.replace(asked, place);
      case 'POST':
        return place.sub === 'eviction' ? this.evict(asked, place.object) : this.create(asked, place.collection);
      case 'DELETE':
        return this.remove(asked, place.object, (asked.body as Stored | undefined)?.['preconditions']);
      default:
        throw new Refused(405, 'method not allowed');
    }
  }

  private get(path: string): Stored {
    const object = this.objects.get(path);
    if (!object) throw new Refused(404, `${path.split('/').slice(-2).join(' ')} not found`);
    return object;
  }

  private list(collection: string, selector: string | null): unknown {
    const all = collection.replace(/^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\/([a-z]+)$/, '$1/(?:namespaces/[^/]+/)?$2');
    const pattern = new RegExp(`^${all}/[^/]+$`);
    const wanted = selector === null ? [] : selector.split(',').map((one) => one.split('='));
    const items = [...this.objects].filter(([path, object]) => {
      const labels = (metaOf(object)['labels'] ?? {}) as Stored;
      return (
        pattern.test(path) &&
        wanted.every(([key = '', value]) => (value === undefined ? Object.hasOwn(labels, key) : labels[key] === value))
      );
    });
    return {
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(this.version) },
      items: items.map(([, object]) => object),
    };
  }

  private replace(asked: Asked, place: Place): Stored {
    const before = this.get(place.object);
    const given = asked.body as Stored;
    const version = metaOf(given)['resourceVersion'];
    if (version !== undefined && version !== metaOf(before)['resourceVersion']) throw new Refused(409, 'the object has been modified');
    const after = place.sub === 'finalize' ? { ...before, spec: given['spec'] } : given;
    return this.put(asked, place.object, after);
  }

  private put(asked: Asked, path: string, given: Stored): Stored {
    const before = this.get(path);
    const admitted = this.options.admits?.(structuredClone(given), asked) ?? given;
    const generation = Number(metaOf(before)['generation'] ?? 1) + (equal(before['spec'], admitted['spec']) ? 0 : 1);
    const resourceVersion = equal(before, admitted) ? metaOf(before)['resourceVersion'] : String(this.version + 1);
    const after = { ...admitted, metadata: { ...metaOf(admitted), uid: metaOf(before)['uid'], generation, resourceVersion } };
    if (asked.dryRun) return after;
    this.version++;
    if (isFree(after)) this.objects.delete(path);
    else this.objects.set(path, after);
    return after;
  }

  private create(asked: Asked, collection: string): Stored {
    const given = asked.body as Stored;
    const name = metaOf(given)['name'] ?? `${String(metaOf(given)['generateName'])}${this.version}`;
    const path = `${collection}/${String(name)}`;
    if (this.objects.has(path)) throw new Refused(409, `${String(name)} already exists`);
    const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
    if (namespace !== undefined && namespace !== 'default' && !this.hasNamespace(namespace))
      throw new Refused(404, `namespaces "${namespace}" not found`);
    const admitted = this.options.admits?.(structuredClone(given), asked) ?? given;
    this.version += asked.dryRun ? 0 : 1;
    const metadata = { ...metaOf(admitted), name, uid: `uid-made-${this.version}`, generation: 1, resourceVersion: String(this.version) };
    const made = { ...admitted, metadata };
    if (!asked.dryRun) this.objects.set(path, made);
    return made;
  }

  /** A namespace is there by its own object, or because something was put into it from the start. */
  private hasNamespace(name: string): boolean {
    return [...this.objects.keys()].some((path) => path === `/api/v1/namespaces/${name}` || path.includes(`/namespaces/${name}/`));
  }

  private evict(asked: Asked, path: string): unknown {
    const name = path.split('/').at(-1) ?? '';
    const { deleteOptions } = asked.body as { readonly deleteOptions?: Stored };
    this.checkUid(this.get(path), deleteOptions?.['preconditions']);
    if (this.options.budgeted?.has(name)) throw new Refused(429, "Cannot evict pod as it would violate the pod's disruption budget.");
    this.remove(asked, path, deleteOptions?.['preconditions']);
    return { kind: 'Status', status: 'Success' };
  }

  private remove(asked: Asked, path: string, preconditions: unknown): unknown {
    const object = this.get(path);
    this.checkUid(object, preconditions);
    if (asked.dryRun) return object;
    this.version++;
    const deletionTimestamp = metaOf(object)['deletionTimestamp'] ?? '2026-01-01T00:00:00Z';
    const ending = { ...object, metadata: { ...metaOf(object), deletionTimestamp, resourceVersion: String(this.version) } };
    if (isFree(ending)) this.objects.delete(path);
    else this.objects.set(path, ending);
    return ending;
  }

  private checkUid(object: Stored, preconditions: unknown): void {
    const uid = (preconditions as Stored | undefined)?.['uid'];
    if (uid !== undefined && uid !== metaOf(object)['uid']) throw new Refused(409, 'the UID in the precondition does not match');
  }
}

/** Deleted, and held by nothing. */
function isFree(object: Stored): boolean {
  const held = [metaOf(object)['finalizers'], (object['spec'] as Stored | undefined)?.['finalizers']];
  return metaOf(object)['deletionTimestamp'] !== undefined && held.every((list) => !Array.isArray(list) || list.length === 0);
}

function patchedBy(object: Stored, contentType: string, body: unknown): Stored {
  if (contentType === 'application/json-patch+json') return applyJsonPatch(object, body as readonly unknown[]) as Stored;
  if (contentType === 'application/merge-patch+json') return merged(object, body) as Stored;
  throw new Refused(415, `the body of the request was in an unknown format: ${contentType}`);
}

function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Stored = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...(target as Stored) } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function refusal(code: number, message: string): { status: number; answer: unknown } {
  return { status: code, answer: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code } };
}
