import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const shared = line(
  'is part of applications',
  ['objects', 'object-events', 'container-log', 'prose'],
  /(?<object>[\w.-]{1,60}\/(?:[\w.-]{1,253}\/)?[\w.:-]{1,253}) is part of applications (?<one>[\w./-]{1,253}) and (?<other>[\w./-]{1,253})/,
);
const warned = line(
  ['SharedResourceWarning', 'FailOnSharedResource', 'Shared resource found'],
  ['objects', 'object-events', 'container-log', 'prose'],
);
const since = line(['Synced to '], [], /^Sync Status:[ \t]{1,30}Synced to /m);

export const cause = defineCause({
  id: 'argocd-shared-resource',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed', 'no-pods'],

  text: {
    name: 'Object of two Argo CD applications',
    title: 'Two Argo CD applications claim the same object: {object} is part of {which} (SharedResourceWarning)',
    why: 'Argo CD marks every object it applies with the application it belongs to. {object} is rendered by {which}: each sync takes it over from the other, so both are OutOfSync in turn, its content changes back and forth, and pruning in one deletes it for both. With FailOnSharedResource the sync fails.',
  },

  clues: {
    shared: proves(shared),
    warned: supports(warned),
    since: excludes(since),
  },
  says: {
    shared: '{object} is part of {which}',
    warned: 'an application has the condition SharedResourceWarning',
    since: 'the application is synced by now',
  },
  slots: (_place, { shared: both }) => ({
    object: both?.fields['object'] ?? 'an object',
    which: both ? `${both.fields['one']} and ${both.fields['other']}` : 'two applications',
  }),

  fixes: [
    {
      say: 'Find both applications: the same path or chart twice, two with the same namespace and names, or one that contains the other (app of apps)',
      risk: 'reads-only',
      steps: [
        {
          say: 'sources and destinations of all applications',
          run: "kubectl get applications -A -o custom-columns='NS:.metadata.namespace,APP:.metadata.name,REPO:.spec.source.repoURL,PATH:.spec.source.path,TO:.spec.destination.namespace'",
          on: 'cluster',
        },
        {
          say: 'two Argo CD instances, or Helm with the same label: the tracking id in an annotation tells them apart',
          run: 'kubectl -n argocd get configmap argocd-cm -o jsonpath=\'{.data.application\\.resourceTrackingMethod}{" "}{.data.application\\.instanceLabelKey}\'',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Keep {object} in one of them only: take it out of the other, give it another name or namespace, or make a third application of what both need',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'so that pruning does not delete it: annotate it first, and take that off later',
          run: 'kubectl -n NAMESPACE annotate KIND NAME argocd.argoproj.io/sync-options=Prune=false',
          on: 'cluster',
        },
        { say: 'after the change in Git, the owner takes it back', run: 'argocd app sync APP --resource GROUP:KIND:NAME', on: 'cluster' },
      ],
      verified: 'neither application has the condition SharedResourceWarning',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['argoproj/argo-cd controller/state.go', 'argoproj/argo-cd docs/user-guide/sync-options.md: FailOnSharedResource'],
});
