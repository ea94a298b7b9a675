import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { listObjects } from './api.ts';
import type { LiveObject } from './cluster-plan.ts';

/** Undefined where it may not be read; why is in the notes. */
export type Listed = readonly LiveObject[] | undefined;

/** Reads pods and budgets of a namespace once, however many steps ask. */
export class Surroundings {
  private readonly port: ClusterPort;
  private readonly lists = new Map<string, Promise<Listed>>();
  readonly notes = new Set<string>();

  constructor(port: ClusterPort) {
    this.port = port;
  }

  pods(namespace: string): Promise<Listed> {
    return this.listed('pods', namespace, ['v1']);
  }

  budgets(namespace: string): Promise<Listed> {
    return this.listed('poddisruptionbudgets', namespace, ['policy/v1', 'policy/v1beta1']);
  }

  allPods(): Promise<Listed> {
    return this.listed('pods', undefined, ['v1']);
  }

  private listed(plural: string, namespace: string | undefined, versions: readonly string[]): Promise<Listed> {
    const key = `${plural}/${namespace ?? ''}`;
    const known = this.lists.get(key) ?? this.read(plural, namespace, versions);
    this.lists.set(key, known);
    return known;
  }

  private async read(plural: string, namespace: string | undefined, versions: readonly string[]): Promise<Listed> {
    for (const apiVersion of versions) {
      try {
        return await listObjects(this.port, { apiVersion, plural, ...(namespace !== undefined ? { namespace } : {}) });
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        if (error.kind !== 'not-found') {
          this.notes.add(`${plural}${namespace === undefined ? '' : ` of namespace ${namespace}`} could not be read: ${error.message}`);
          return undefined;
        }
      }
    }
    return [];
  }
}
