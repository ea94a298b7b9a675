import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events'] as const;

const conflict = line(
  ['Apply failed with '],
  SAID_BY,
  /Apply failed with (?<count>\d{1,6}) conflicts?: conflicts? with [\\"]{1,4}(?<manager>[^"\\\n]{1,128})[\\"]{1,4}(?: with subresource [\\"]{1,4}\w{1,40}[\\"]{1,4})?(?: using (?<api>[\w./-]{1,120}))?:?[ \n-]{0,4}(?<field>\.[^\s,]{1,200})?/,
);
const advice = line(['they currently have other managers'], SAID_BY);
const forced = line(['serverside-applied'], [], /serverside-applied/);

export const cause = defineCause({
  id: 'apply-conflicts-with-other-manager',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed'],

  text: {
    name: 'Another manager owns the field',
    title: 'Server-side apply is refused: {manager} owns {field}',
    why: 'With server-side apply the API server keeps for every field who set it last (metadata.managedFields). The new manifest sets {field} to another value than {manager} did, so the whole apply is refused, until one of them gives the field up. {hint}',
  },

  clues: {
    conflict: proves(conflict),
    advice: supports(advice),
    forced: excludes(forced),
  },
  says: {
    conflict: 'the apply conflicts with the manager {manager}: {field}',
    advice: 'fields of the manifest have other managers',
    forced: 'it was applied since',
  },
  slots: (_place, { conflict: said }) => {
    const manager = said?.fields['manager']?.trim() ?? 'another manager';
    return {
      manager,
      field: said?.fields['field'] ?? 'fields of the manifest',
      hint: /client-side-apply|kubectl-(?:edit|patch|create)|before-first-apply/.test(manager)
        ? `${manager} is what an earlier kubectl (apply without --server-side, edit, patch) left: it may be taken over.`
        : /^(?:kube-controller-manager|clusterrole-aggregation-controller|[\w-]{0,60}autoscaler[\w-]{0,60}|keda[\w-]{0,60}|cainjector|cert-manager[\w-]{0,60})$/.test(
              manager,
            )
          ? `${manager} is a controller that will set it again: leave the field out of the manifest.`
          : 'Decide who shall own it; two that both insist would overwrite each other for ever.',
    };
  },

  fixes: [
    {
      say: 'See who owns what',
      risk: 'reads-only',
      steps: [{ say: 'managers of each field', run: 'kubectl get KIND NAME -n NAMESPACE -o yaml --show-managed-fields', on: 'cluster' }],
    },
    {
      say: 'Take the field over from {manager}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Argo CD does so by itself with ServerSideApply=true; Helm 4: --force-conflicts; Flux: the annotation kustomize.toolkit.fluxcd.io/ssa: Override',
          run: 'kubectl apply --server-side --force-conflicts -f FILE',
          on: 'cluster',
        },
      ],
      verified: 'kubectl says serverside-applied',
    },
    {
      say: 'Or leave it to {manager}: take {field} out of the manifest',
      risk: 'restarts-pods',
      steps: [{ say: 'and apply again', run: 'kubectl apply --server-side -f FILE', on: 'cluster' }],
      verified: 'kubectl says serverside-applied',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['structured-merge-diff merge/conflict.go', 'kubernetes staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go'],
});
