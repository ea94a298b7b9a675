import { containerId, type EntityId, podId } from '../../model/entity.ts';
import { cite, type Scope } from './scope.ts';

/** A container as the runtime knows it; parts the listing does not print are undefined. */
export interface Listed {
  readonly id: string;
  readonly state: string;
  readonly by: 'crictl' | 'docker' | 'ctr';
  readonly name?: string;
  readonly pod?: string;
  readonly namespace?: string;
  readonly podUid?: string;
  readonly sandbox?: string;
  readonly attempt?: number;
  readonly sinceText?: string;
  readonly exitCode?: number;
}

const DOCKER_NAME =
  /^\/?k8s_(?<name>[^_\s]{1,253})_(?<pod>[^_\s]{1,253})_(?<namespace>[^_\s]{1,63})_(?<uid>[0-9a-f-]{8,36})_(?<attempt>\d{1,9})$/;

interface DockerName {
  readonly name: string;
  readonly pod: string;
  readonly namespace: string;
  readonly uid: string;
  readonly attempt: number;
}

/** `k8s_<container>_<pod>_<namespace>_<uid>_<attempt>`, the name dockershim and cri-dockerd give. */
export function dockerName(text: string): DockerName | undefined {
  const groups = text.length < 700 ? DOCKER_NAME.exec(text)?.groups : undefined;
  if (!groups) return undefined;
  return {
    name: groups['name'] ?? '',
    pod: groups['pod'] ?? '',
    namespace: groups['namespace'] ?? '',
    uid: groups['uid'] ?? '',
    attempt: Number(groups['attempt']),
  };
}

/** Says which pod a container belongs to, as far as it was printed, and returns the container's id. */
function linkContainer(scope: Scope, listed: Listed): EntityId {
  const { sink } = scope;
  const alias = `cid:${listed.id}`;
  const pod = listed.pod ? podId(listed.namespace, listed.pod) : undefined;
  if (pod && listed.podUid) sink.edge({ type: 'alias', alias: `uid:${listed.podUid}`, entity: pod });
  if (pod && listed.sandbox) sink.edge({ type: 'alias', alias: `sandbox:${listed.sandbox}`, entity: pod });
  if (pod && listed.state === 'running' && scope.context.node) sink.edge({ type: 'runs-on', pod, node: scope.context.node });
  // Without the pod's name the id alone says more: another listing may know it.
  if (!listed.name || !pod) return alias;
  const entity = containerId(pod, listed.name);
  sink.edge({ type: 'alias', alias, entity });
  return entity;
}

export function listContainer(scope: Scope, listed: Listed, first: number, last = first): EntityId {
  const about = linkContainer(scope, listed);
  const { id, state, by, sinceText, attempt, exitCode } = listed;
  const cited = cite(scope, first, last);
  scope.sink.fact(
    'container.runtime-state',
    about,
    { id, state, by, ...(sinceText !== undefined ? { sinceText } : {}), ...(attempt !== undefined ? { attempt } : {}) },
    cited,
  );
  if (exitCode !== undefined) scope.sink.fact('container.terminated', about, { exitCode, which: 'last' }, cited);
  return about;
}

/** The pod sandbox is no container of the pod: only whose it is gets told. */
export function linkSandbox(scope: Scope, id: string, namespace: string | undefined, pod: string, uid?: string, ready = false): void {
  const entity = podId(namespace, pod);
  scope.sink.edge({ type: 'alias', alias: `sandbox:${id}`, entity });
  if (uid) scope.sink.edge({ type: 'alias', alias: `uid:${uid}`, entity });
  if (ready && scope.context.node) scope.sink.edge({ type: 'runs-on', pod: entity, node: scope.context.node });
}
