import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'object-events', 'container-log', 'prose'] as const;

/** Said where something was to be made in it. */
const refused = line(
  ['namespaces "', 'namespaces \\"'],
  SAID_BY,
  /(?:error when (?:creating|applying|patching)|failed to (?:create|apply|perform)|dry-run failed|(?:INSTALLATION|UPGRADE) FAILED|[Ee]rror creating|server-side apply failed|not be created|create: )[^\n]{0,300}?namespaces \\*"(?<name>[a-z0-9.-]{1,63})\\*" not found/,
);
const absent = line(['namespaces "', 'namespaces \\"'], SAID_BY, /namespaces \\*"(?<name>[a-z0-9.-]{1,63})\\*" not found/);
const made = line('namespace/', [], /namespace\/[a-z0-9.-]{1,63} created/);

export const cause = defineCause({
  id: 'namespace-missing',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'no-pods', 'failed'],

  text: {
    name: 'Namespace does not exist',
    title: 'Namespace {namespace} does not exist, so nothing can be created in it',
    why: 'The API server makes no namespace by itself: objects for {namespace} are refused (namespaces "{namespace}" not found) until somebody creates it. kubectl, Flux and Helm do not do so unless told; in a list of manifests it must come before what lives in it. A misspelt name and the kubeconfig of another cluster look the same.',
  },

  clues: {
    refused: proves(refused),
    absent: supports(absent),
    made: excludes(made),
  },
  says: {
    refused: 'an object is refused because namespace {namespace} is not there',
    absent: 'the API server does not find namespace {namespace}',
    made: 'the namespace was created since',
  },
  slots: (_place, { refused: create, absent: told }) => ({ namespace: create?.fields['name'] ?? told?.fields['name'] ?? 'NAMESPACE' }),

  fixes: [
    {
      say: 'See whether it is there under another name, or in another cluster',
      risk: 'reads-only',
      steps: [
        {
          say: 'the namespaces of this cluster, and which cluster it is',
          run: 'kubectl config current-context; kubectl get namespaces',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Create namespace {namespace} before what lives in it',
      risk: 'reads-only',
      steps: [
        { say: 'by hand', run: 'kubectl create namespace {{namespace}}', on: 'cluster' },
        { say: 'Helm', run: 'helm upgrade --install RELEASE CHART --namespace {{namespace}} --create-namespace', on: 'cluster' },
        {
          say: 'Argo CD: the sync option CreateNamespace=true; Flux: a Namespace in an earlier Kustomization, or install.createNamespace of the HelmRelease',
          run: 'argocd app set APP --sync-option CreateNamespace=true',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get namespace {namespace} shows Active, and the apply goes through',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go',
    'argoproj/argo-cd docs/user-guide/sync-options.md: CreateNamespace',
  ],
});
