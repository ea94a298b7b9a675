/** What the user named: `pod/web-0`, `deploy/api`, `node/worker-1`. */
export interface Target {
  /** Kubernetes kind. */
  readonly kind: string;
  readonly name: string;
}

const KINDS: Readonly<Record<string, string>> = {
  Pod: 'pod pods po',
  Node: 'node nodes no',
  Deployment: 'deployment deployments deploy',
  ReplicaSet: 'replicaset replicasets rs',
  StatefulSet: 'statefulset statefulsets sts',
  DaemonSet: 'daemonset daemonsets ds',
  Job: 'job jobs',
  CronJob: 'cronjob cronjobs cj',
  PersistentVolumeClaim: 'persistentvolumeclaim persistentvolumeclaims pvc',
};

const BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);

const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Undefined when it is no such thing, so that it may be a path. */
export function parseTarget(text: string): Target | undefined {
  const [word = '', name, ...rest] = text.split('/');
  const kind = BY_WORD.get(word.toLowerCase().replace(/\.(?:apps|batch)$/, ''));
  if (kind === undefined || name === undefined || rest.length > 0 || !NAME.test(name)) return undefined;
  return { kind, name };
}
