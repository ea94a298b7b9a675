import { inParallel } from './had.ts';
import { isRecord, parsed } from './list-meta.ts';
import { type ClusterScope, LISTS, type ListKind, pathOf } from './lists.ts';
import { ClusterError, type ClusterPort } from './port.ts';

/** What deploy/rbac.yaml offers, from least to most; each has all rights of those before it. */
export const TIERS = ['namespace', 'cluster', 'deep'] as const;

export type Tier = (typeof TIERS)[number];

/** Rights to change something are a tier of their own beside `deep`: it stands on the cluster reader. */
export const FIXER = 'fixer';

export type Verb = 'get' | 'list' | 'create' | 'delete' | 'patch' | 'update';

/** One right that a diagnosis or a fix uses. */
export interface Right {
  readonly verb: Verb;
  /** Empty for the core group. */
  readonly group: string;
  /** Plural, with its subresource: `pods/log`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** The only namespace it is needed in. */
  readonly only?: string;
  /** The least tier that has it. */
  readonly tier: Tier | typeof FIXER;
  /** What it is for, in a few words. */
  readonly purpose: string;
}

/** Every right any request of a diagnosis needs; discovery and reviews of one's own rights are everybody's. */
export const RIGHTS: readonly Right[] = [
  ...LISTS.map(listRight),
  coreRight('get', 'pods/log', 'namespace', 'what failing containers said'),
  coreRight('get', 'configmaps', 'namespace', 'names and keys of configuration that pods refer to'),
  coreRight('get', 'serviceaccounts', 'namespace', 'pull secrets named by service accounts'),
  coreRight('get', 'secrets', 'deep', 'names and keys of secrets that pods refer to, never their values'),
  { ...coreRight('get', 'nodes/proxy', 'deep', 'configuration, health and logs of kubelets'), namespaced: false },
  { ...coreRight('create', 'namespaces', 'deep', 'a namespace of its own for --deep'), namespaced: false },
  { ...coreRight('delete', 'namespaces', 'deep', 'removal of that namespace'), namespaced: false },
  coreRight('create', 'pods', 'deep', 'the pod that reads a host for --deep'),
  coreRight('get', 'pods', 'deep', 'whether that pod has ended'),
  coreRight('delete', 'pods', 'deep', 'removal of that pod'),
];

function coreRight(verb: Verb, resource: string, tier: Right['tier'], purpose: string): Right {
  return { verb, group: '', resource, namespaced: true, tier, purpose };
}

const OWN_NAMESPACE = 'podcause';

/** What a fix may change, by group; read again before, so that nobody else's change is lost. */
const CHANGED: readonly (readonly [group: string, namespaced: boolean, resources: readonly string[]])[] = [
  ['', true, ['pods', 'services', 'persistentvolumeclaims', 'resourcequotas', 'replicationcontrollers']],
  ['', false, ['nodes', 'persistentvolumes', 'namespaces']],
  ['apps', true, ['deployments', 'replicasets', 'statefulsets', 'daemonsets']],
  ['batch', true, ['jobs', 'cronjobs']],
  ['policy', true, ['poddisruptionbudgets']],
  ['storage.k8s.io', false, ['volumeattachments']],
];

/** Every right that a fix needs beyond those of the cluster reader. */
export const FIX_RIGHTS: readonly Right[] = [
  ...CHANGED.flatMap(([group, namespaced, resources]) =>
    resources.flatMap((resource) => [
      { ...coreRight('get', resource, FIXER, 'the object before it is changed'), group, namespaced },
      { ...coreRight('patch', resource, FIXER, 'the change'), group, namespaced },
    ]),
  ),
  coreRight('patch', 'configmaps', FIXER, 'a setting that is no secret'),
  { ...coreRight('get', 'controllerrevisions', FIXER, 'the revision to go back to'), group: 'apps' },
  { ...coreRight('list', 'controllerrevisions', FIXER, 'which revisions there are'), group: 'apps' },
  coreRight('create', 'pods/eviction', FIXER, 'restarts within disruption budgets'),
  coreRight('delete', 'pods', FIXER, 'restarts of pods that do not run'),
  { ...coreRight('update', 'namespaces/finalize', FIXER, 'a finalizer that holds a namespace'), namespaced: false },
  coreRight('create', 'events', FIXER, 'who changed what, on the object itself'),
  { ...coreRight('create', 'namespaces', FIXER, 'the namespace of the journals, where it is missing'), namespaced: false },
  ...ownRights('', 'configmaps', ['list', 'create', 'update'], 'journals of fixes'),
  ...ownRights('coordination.k8s.io', 'leases', ['get', 'create', 'update'], 'one fix at a time'),
];

function ownRights(group: string, resource: string, verbs: readonly Verb[], purpose: string): Right[] {
  return verbs.map((verb) => ({ ...coreRight(verb, resource, FIXER, purpose), group, only: OWN_NAMESPACE }));
}

function listRight({ plural, versions, namespaced, only }: ListKind): Right {
  const version = versions[0] ?? 'v1';
  return {
    verb: 'list',
    group: version.includes('/') ? (version.split('/', 1)[0] ?? '') : '',
    resource: plural,
    namespaced,
    ...(only !== undefined ? { only } : {}),
    tier: namespaced && only === undefined ? 'namespace' : 'cluster',
    purpose: plural,
  };
}

export interface RightAnswer {
  readonly right: Right;
  /** Undefined where the server would not say and trying would change something or has no object to try on. */
  readonly allowed: boolean | undefined;
  /** The server's own words where it gives any. */
  readonly reason?: string;
}

export interface RightsFound {
  readonly answers: readonly RightAnswer[];
  /** The largest tier all of whose rights are there. */
  readonly tier: Tier | undefined;
  /** Whether everything a fix may need is there too; undefined where nobody says. */
  readonly mayFix: boolean | undefined;
  /** `asked`: by reviews. `tried`: reviews are refused here, so lists were tried and the rest is open. */
  readonly how: 'asked' | 'tried';
}

const WIDTH = 8;

/** What of all that podcause may use is allowed to us, without using it. Throws where there is no getting through at all. */
export async function checkRights(
  port: ClusterPort,
  scope: ClusterScope,
  rights: readonly Right[] = [...RIGHTS, ...FIX_RIGHTS],
): Promise<RightsFound> {
  try {
    const answers = await inParallel(rights, WIDTH, (right) => review(port, scope, right));
    return { answers, tier: tierOf(answers), mayFix: mayFix(answers), how: 'asked' };
  } catch (error) {
    if (!(error instanceof ClusterError) || !REVIEWS_REFUSED.has(error.kind)) throw error;
  }
  const answers = await inParallel(rights, WIDTH, (right) => attempt(port, scope, right));
  return { answers, tier: tierOf(answers), mayFix: mayFix(answers), how: 'tried' };
}

const REVIEWS_REFUSED: ReadonlySet<string> = new Set(['forbidden', 'not-found', 'invalid', 'server-error']);

function namespaceOf(right: Right, scope: ClusterScope): string | undefined {
  if (right.only !== undefined) return right.only;
  return right.namespaced ? scope.namespace : undefined;
}

async function review(port: ClusterPort, scope: ClusterScope, right: Right): Promise<RightAnswer> {
  const { verb, group } = right;
  const [resource, subresource] = right.resource.split('/', 2);
  const namespace = namespaceOf(right, scope);
  const { body } = await port.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    accept: 'application/json',
    limitBytes: 1024 * 1024,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {
        resourceAttributes: {
          verb,
          group,
          resource,
          ...(subresource ? { subresource } : {}),
          ...(namespace !== undefined ? { namespace } : {}),
        },
      },
    },
  });
  const answer = parsed(Buffer.from(body).toString());
  const status = isRecord(answer) ? answer['status'] : undefined;
  if (!isRecord(status) || typeof status['allowed'] !== 'boolean') {
    throw new ClusterError('invalid', 'The server answers a review of our rights with something else.');
  }
  const reason = [status['reason'], status['evaluationError']].filter((words) => typeof words === 'string' && words !== '').join('; ');
  return { right, allowed: status['allowed'], ...(reason ? { reason: reason.slice(0, 500) } : {}) };
}

/** One object of the list is asked for: that is what the right is for. Others have no harmless trial. */
async function attempt(port: ClusterPort, scope: ClusterScope, right: Right): Promise<RightAnswer> {
  const kind = right.verb === 'list' ? LISTS.find(({ plural }) => plural === right.resource) : undefined;
  const namespace = namespaceOf(right, scope);
  for (const version of kind?.versions ?? []) {
    const path = kind && pathOf(kind, version, namespace === undefined ? {} : { namespace });
    if (path === undefined) break;
    try {
      await port.request({ path: `${path}?limit=1`, limitBytes: 64 * 1024 });
      return { right, allowed: true };
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind === 'unauthorized' || error.kind === 'unreachable') throw error;
      if (error.kind === 'forbidden') return { right, allowed: false, reason: error.message };
      if (error.kind !== 'not-found') return { right, allowed: undefined, reason: error.message };
    }
  }
  return { right, allowed: undefined };
}

function tierOf(answers: readonly RightAnswer[]): Tier | undefined {
  const missing = answers.filter(({ allowed }) => allowed !== true).map(({ right }) => right.tier);
  const places = missing.flatMap((tier) => (tier === FIXER ? [] : [TIERS.indexOf(tier)]));
  return TIERS[Math.min(TIERS.length, ...places) - 1];
}

function mayFix(answers: readonly RightAnswer[]): boolean | undefined {
  const allowed = answers.filter(({ right }) => right.tier === FIXER).map((answer) => answer.allowed);
  if (allowed.includes(false)) return false;
  return allowed.includes(undefined) ? undefined : true;
}
