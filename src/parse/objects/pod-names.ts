import { type EntityId, nodeId, podId, workloadId } from '../../model/entity.ts';
import { TextPool } from './text-pool.ts';

/** A namespace and how ids of its pods begin. */
export interface Place {
  readonly namespace: string | undefined;
  readonly prefix: string;
}

const SCRATCH = 1024;

/** Ids that the pods of a list share, made once and found by the bytes of their names. */
export class PodNames {
  readonly nodes = new TextPool(nodeId);
  readonly kinds = new TextPool((kind) => kind);
  readonly owners = new TextPool((name) => new Owner(name));
  readonly places: TextPool<Place>;
  private readonly scratch = Buffer.alloc(SCRATCH);
  /** With what the scratch begins. */
  private written = '';

  /** `given` is the namespace of pods that name none. */
  constructor(given?: string) {
    this.places = new TextPool((name) => ({ namespace: name || given, prefix: podId(name || given, '') }));
  }

  /** The id of the pod whose name stands there, as one string rather than two joined: it becomes a key at once. */
  about(place: Place, bytes: Buffer, from: number, to: number): EntityId {
    const { scratch } = this;
    const { prefix } = place;
    if (prefix.length + to - from > SCRATCH) return prefix + bytes.toString('latin1', from, to);
    if (prefix !== this.written) {
      if (scratch.write(prefix, 'utf8') !== prefix.length) return prefix + bytes.toString('latin1', from, to);
      this.written = prefix;
    }
    let end = prefix.length;
    for (let at = from; at < to; at++) scratch[end++] = bytes[at] as number;
    return scratch.toString('latin1', 0, end);
  }
}

/** The workload of that name that was met last. */
class Owner {
  private readonly name: string;
  private kind = '';
  private namespace: string | undefined;
  private id: EntityId = '';

  constructor(name: string) {
    this.name = name;
  }

  in(namespace: string | undefined, kind: string): EntityId {
    if (this.kind !== kind || this.namespace !== namespace) {
      this.kind = kind;
      this.namespace = namespace;
      this.id = workloadId(kind, namespace, this.name);
    }
    return this.id;
  }
}
