import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, supports } from '../../define-cause.ts';

const notSynced = line(
  [
    'caches to sync: timed out waiting for cache to be synced',
    'timed out waiting for cache to be synced',
    'timed out waiting for caches to sync',
    'Informer to sync',
    'Could not wait for Cache to sync',
    'failed to sync cache: timed out',
    'failed to sync caches',
    'waiting for informer caches to sync',
    'context deadline exceeded with timeout',
  ],
  'container-log',
  /failed to wait for (?<controller>[\w./-]{1,100}) caches to sync|timed out waiting for caches? to (?:be synced|sync)(?: for Kind \*?(?<kind>[\w.]{1,100}))?|failed waiting for \*?(?<informer>[\w.]{1,100}) Informer to sync|Could not wait for Cache to sync|failed to sync cache: timed out waiting|failed to sync caches|failed (?:to|waiting) [^\n]{0,20}informer caches to sync|failed to sync \*?(?<object>[\w.]{1,100}): context deadline exceeded with timeout/i,
);
const loop = supports('pod.symptom', ({ symptom }) => symptom === 'crash-loop' || symptom === 'restarts');

export const cause = defineCause({
  id: 'controller-cache-not-synced',
  area: 'control-plane',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],
  effectOf: ['rbac-denied-in-app', 'crd-missing', 'api-version-removed', 'apiserver-down', 'api-priority-or-rate-limited'],

  text: {
    name: 'Controller cannot watch its objects',
    title:
      '{workload} cannot list or watch {kind}, and ends: missing rights (RBAC), a missing CRD, or an API server that answers too slowly',
    why: 'A controller first lists every kind of object it works with, and gives up when one of the lists is not answered within two minutes or so. For {kind} no answer came. Either its ServiceAccount may not list and watch that kind (a ClusterRole that is not bound, or only a Role where it watches all namespaces), the CustomResourceDefinition is not there or not in that version, its conversion webhook fails, or the API server is slow, throttles, or has too many such objects for the memory and CPU the controller has. What failed stands further up in its log ("failed to list", "forbidden", "could not find the requested resource").',
  },

  clues: {
    notSynced: supports(notSynced, byContainers),
    loop,
    well: excludes('pod.status', isWell),
  },
  says: {
    notSynced: 'its list of {kind} was not complete in time',
    loop: 'it is restarted again and again',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { notSynced: said }) => ({
    ...namesOf(place),
    workload: place.name,
    kind: said?.fields['kind'] ?? said?.fields['informer'] ?? said?.fields['controller'] ?? 'one of its kinds',
  }),

  fixes: [
    {
      say: 'Find the list that fails, further up in its log, and what its account may do',
      risk: 'reads-only',
      steps: [
        {
          say: 'the lines before it gave up',
          run: 'kubectl -n {{namespace}} logs {{target}} --previous | grep -iE "failed to (list|watch)|forbidden|no matches|requested resource|throttl" | tail',
          on: 'cluster',
        },
        { say: 'definitions it may need', run: 'kubectl get crd', on: 'cluster' },
        {
          say: 'bindings of its account',
          run: 'kubectl get clusterrolebindings,rolebindings -A -o wide | grep {{namespace}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Install the definitions and the roles of the same version as the controller, then restart it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Helm leaves CRDs alone at an upgrade: apply them by hand',
          run: 'helm show crds CHART | kubectl apply --server-side -f -',
          on: 'cluster',
        },
        { say: 'start it anew', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'its log goes on after "Starting workers"',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'controller-runtime pkg/internal/controller/controller.go, pkg/internal/source/kind.go',
    'client-go tools/cache/shared_informer.go',
  ],
});
