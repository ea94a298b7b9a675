import { type EntityId, nodeId, podId, workloadId } from '../../model/entity.ts';
import { TextPool } from './text-pool.ts';

/** A namespace and how ids of its pods begin. */
interface Place {
  readonly namespace: string | undefined;
  readonly prefix: string;
}

/** Ids that the pods of a list share, made once and found by the bytes of their names. */
export class PodNames {
  readonly nodes = new TextPool(nodeId);
  readonly kinds = new TextPool((kind) => kind);
  readonly owners = new TextPool((name) => new Owner(name));
  readonly places: TextPool<Place>;

  /** `given` is the namespace of pods that name none. */
  constructor(given?: string) {
    this.places = new TextPool((name) => ({ namespace: name || given, prefix: podId(name || given, '') }));
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
