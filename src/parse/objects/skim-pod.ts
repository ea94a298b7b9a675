import type { EntityId } from '../../model/entity.ts';
import type { ListManner } from './item-skim.ts';
import { timeOf } from './json-value.ts';
import { PodNames } from './pod-names.ts';
import { list, noneOf, object, oneOf, Shape, text, time, unwanted } from './shape.ts';
import { ShapeReader } from './shape-reader.ts';
import type { SkimmedPod } from './skimmed-pod.ts';

const NAME = 0;
const NAMESPACE = 1;
const NODE = 2;
const OWNER_KIND = 3;
const OWNER_NAME = 4;
const OWNERS = 5;
const CONTAINERS = 6;
const STATUSES = 7;

const OWNER = new Shape([oneOf('controller', true), text('kind', OWNER_KIND), text('name', OWNER_NAME)], { needs: ['controller'] });
const METADATA = new Shape(
  [
    text('name', NAME),
    text('namespace', NAMESPACE),
    time('creationTimestamp'),
    unwanted('deletionTimestamp'),
    list('ownerReferences', OWNER, OWNERS),
  ],
  { needs: ['name'] },
);

// A restart policy of its own may make an init container a sidecar, which counts as a container.
const INIT_CONTAINER = new Shape([unwanted('restartPolicy')]);
const SPEC = new Shape([list('containers', undefined, CONTAINERS), list('initContainers', INIT_CONTAINER), text('nodeName', NODE)]);

const CONDITION = new Shape([
  noneOf('type', 'DisruptionTarget', 'PodResizePending', 'PodResizeInProgress'),
  oneOf('status', 'True'),
  noneOf('reason', 'SchedulingGated'),
  time('lastTransitionTime'),
]);
const NOTHING = new Shape([], { closed: true });
const RUNNING = new Shape([object('running', new Shape([time('startedAt')]))], { needs: ['running'], closed: true });
const DONE = new Shape([object('terminated', new Shape([oneOf('exitCode', 0), time('finishedAt')]))], {
  needs: ['terminated'],
  closed: true,
});
const CONTAINER = new Shape([oneOf('ready', true), oneOf('restartCount', 0), object('state', RUNNING), object('lastState', NOTHING)], {
  needs: ['ready', 'state'],
});
const FINISHED_CONTAINER = new Shape([object('state', DONE), object('lastState', NOTHING)], { needs: ['state'] });
const STATUS = new Shape(
  [
    oneOf('phase', 'Running'),
    unwanted('reason'),
    list('conditions', CONDITION),
    list('containerStatuses', CONTAINER, STATUSES),
    list('initContainerStatuses', FINISHED_CONTAINER),
    unwanted('ephemeralContainerStatuses'),
  ],
  { needs: ['phase'] },
);

const POD_FIELDS = [
  oneOf('apiVersion', 'v1'),
  oneOf('kind', 'Pod'),
  object('metadata', METADATA),
  object('spec', SPEC),
  object('status', STATUS),
];
const POD = new Shape(POD_FIELDS, { needs: ['kind', 'metadata', 'spec', 'status'], closed: true });
/** Items of a `PodList` need not say that they are pods. */
const LISTED_POD = new Shape(POD_FIELDS, { needs: ['metadata', 'spec', 'status'], closed: true });

/**
 * What a list keeps of a healthy pod, read off its bytes: parsing thousands of pods, most of them well, would cost more than
 * all the rest. Only what is plainly well is taken; every other pod is left to the parser.
 */
export class PodSkim extends ShapeReader implements SkimmedPod {
  private readonly names: PodNames;
  about: EntityId = '';
  namespace: string | undefined;

  /** `given` is the namespace of pods that name none. */
  constructor(given?: string) {
    super();
    this.names = new PodNames(given);
  }

  /** Index after the pod that opens at `from`; -1 when it must be parsed. */
  read(bytes: Buffer, from: number, end: number, list: ListManner, newest: string): number {
    this.begin(bytes, from, end, list.orderly);
    const after = this.readElement(list.kind === 'PodList' ? LISTED_POD : POD, newest);
    if (after < 0 || this.countIn(OWNERS) > 1 || this.lengthOf(NAME) === 0) return -1;
    if (this.containers === 0 || this.containers !== this.countIn(STATUSES)) return -1;
    if (this.newest !== newest && timeOf(this.newest) === undefined) return -1;
    const place = this.pooled(NAMESPACE, this.names.places);
    this.namespace = place.namespace;
    this.about = this.names.about(place, bytes, this.startOf(NAME), this.endOf(NAME));
    return after;
  }

  get containers(): number {
    return this.countIn(CONTAINERS);
  }

  get node(): EntityId | undefined {
    return this.lengthOf(NODE) === 0 ? undefined : this.pooled(NODE, this.names.nodes);
  }

  /** A mirror pod is owned by its Node, which is no workload. */
  get workload(): EntityId | undefined {
    if (this.lengthOf(OWNER_KIND) === 0 || this.lengthOf(OWNER_NAME) === 0) return undefined;
    const kind = this.pooled(OWNER_KIND, this.names.kinds);
    return kind === 'Node' ? undefined : this.pooled(OWNER_NAME, this.names.owners).in(this.namespace, kind);
  }
}
