import { defineCause, excludes, line, minutes, namesOf, notByContainers, proves } from '../../define-cause.ts';

const PRINTED_BY = ['object-events', 'workload', 'pod-events', 'control-plane-log'] as const;

const lookedUpInVain = line(
  'error looking up service account',
  PRINTED_BY,
  /error looking up service account (?<namespace>[^/\s]{1,63})\/(?<name>[^:\s]{1,253}): serviceaccounts? \\*"[^"\\]{1,253}\\*" not found/i,
);
/** The account was deleted under pods that were made while it was there. */
const noTokenFor = line(
  ['failed to fetch token', 'serviceaccounts "', 'serviceaccount "'],
  ['pod-events', 'kubelet-log'],
  /failed to (?:fetch|create) token[\s\S]{0,200}?serviceaccounts? \\*"(?<name>[^"\\]{1,253})\\*" not found/i,
);
const otherReason = line(
  ['exceeded quota', 'violates PodSecurity', 'denied the request', 'unable to validate against any'],
  [],
  /is forbidden: (?:exceeded quota|violates PodSecurity|unable to validate)|admission webhook \\*"[^"\\]{1,253}\\*" denied the request/i,
);

export const cause = defineCause({
  id: 'service-account-missing',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'creating', 'init-stuck'],

  text: {
    name: 'ServiceAccount does not exist',
    title: 'ServiceAccount {name} does not exist in {where}',
    why: 'The pod template names the ServiceAccount {name}. The API server looks it up whenever a pod is created and refuses the pod when it is not there, so the controller cannot create a single one; the kubelet likewise gets no token for it.',
  },

  clues: {
    refused: proves(lookedUpInVain, notByContainers),
    noToken: proves(noTokenFor, notByContainers),
    allThere: excludes('workload.replicas', ({ desired, ready }) => desired !== undefined && desired > 0 && ready === desired),
    other: excludes(otherReason),
  },
  says: {
    refused: 'the API server refuses the pods: no ServiceAccount {name}',
    noToken: 'the kubelet gets no token: no ServiceAccount {name}',
    allThere: 'all replicas are there and ready by now',
    other: 'the pods are refused for another reason: quota, security or webhook',
  },
  slots: (place, { refused, noToken }) => {
    const namespace = refused?.fields['namespace'] ?? place.namespace ?? '?';
    return {
      ...namesOf({ ...place, namespace }),
      name: refused?.fields['name'] ?? noToken?.fields['name'] ?? 'of the pod',
    };
  },

  fixes: [
    {
      say: 'See which ServiceAccounts there are',
      risk: 'reads-only',
      steps: [
        {
          say: 'look for a near miss, or the right one in another namespace',
          run: 'kubectl get serviceaccounts --all-namespaces',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Create ServiceAccount {name} in {where}; the controller tries again by itself',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'apply the manifest or chart it belongs to, with its roles; by hand',
          run: 'kubectl -n {{namespace}} create serviceaccount {{name}}',
          on: 'cluster',
        },
      ],
      verified: 'pods of the workload appear within a few minutes (the controller backs off up to 17 minutes)',
    },
    {
      say: 'Or name an existing one in the pod template',
      risk: 'restarts-pods',
      steps: [{ say: 'spec.serviceAccountName of the template; without it the pods use "default"', on: 'cluster' }],
      changes: [
        { do: 'workload-set', field: 'serviceAccountName', value: { ask: 'serviceAccount', says: 'a ServiceAccount of the namespace' } },
      ],
      verified: 'pods of the workload appear within a few minutes (the controller backs off up to 17 minutes)',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes plugin/pkg/admission/serviceaccount/admission.go', 'kubernetes pkg/kubelet/token/token_manager.go'],
});
