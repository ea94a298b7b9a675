import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const refused = line(
  [
    'because it is being terminated',
    'unable to create new content in namespace',
    'NamespaceTerminating',
    'object is being deleted: namespaces',
  ],
  ['object-events', 'workload', 'control-plane-log', 'objects', 'container-log'],
  /(?:unable to create new content in namespace (?<namespace>[a-z0-9.-]{1,63}) )?because it is being terminated|unable to create new content in namespace (?<other>[a-z0-9.-]{1,63})|object is being deleted: namespaces [\\"]{1,4}(?<again>[a-z0-9.-]{1,63})[\\"]{1,4} already exists/,
);
const contentLeft = line(
  ['Some resources are remaining', 'Some content in the namespace has finalizers remaining', 'Discovery failed for some groups'],
  ['objects'],
  /(?<left>Some resources are remaining: [^\n]{3,200}|Some content in the namespace has finalizers remaining: [^\n]{3,200}|Discovery failed for some groups[^\n]{3,200})/,
);
// No channel: whoever makes it anew says so in the same place.
const again = line('namespace/', [], /namespace\/[a-z0-9.-]{1,63} created/);
const LONG_SECONDS = 120;

function nameOf(about: string): string | undefined {
  return /^(?:Object\/Namespace\/[^/]*|Namespace)\/(?<name>[a-z0-9.-]{1,63})$/.exec(about)?.groups?.['name'];
}

export const cause = defineCause({
  id: 'namespace-terminating',
  area: 'control-plane',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['no-pods', 'stuck-terminating', 'other-trouble'],
  effectOf: ['aggregated-api-down'],
  wakesOn: [on('object.status', { status: 'Terminating' })],

  text: {
    name: 'Namespace is being deleted',
    title: '{which} is being deleted (Terminating): nothing new can be created in it',
    why: 'Somebody deleted {which}. While it is Terminating the API server refuses every new object in it, pods among them, and removes what there is; it goes when all content is gone. {left}',
  },

  clues: {
    refused: proves(refused),
    terminating: supports(
      'object.status',
      ({ about, status, ageSeconds }) =>
        status === 'Terminating' && nameOf(about) !== undefined && (ageSeconds ?? LONG_SECONDS) >= LONG_SECONDS,
    ),
    contentLeft: supports(contentLeft),
    again: excludes(again),
  },
  says: {
    refused: 'the API server refuses new content: the namespace is being terminated',
    terminating: 'kubectl lists the namespace as Terminating',
    contentLeft: 'it still waits: {what}',
    again: 'the namespace has been made anew since',
  },
  slots: (place, { refused: no, terminating, contentLeft: rest }) => {
    const namespace =
      no?.fields['namespace'] ??
      no?.fields['other'] ??
      no?.fields['again'] ??
      nameOf(terminating?.about ?? '') ??
      (place.kind === 'Namespace' ? place.name : 'NAMESPACE');
    const what = rest?.fields['left'];
    return {
      namespace,
      which: /^[a-z0-9-]{1,63}$/.test(namespace) ? `namespace ${namespace}` : 'the namespace',
      what: what ?? 'for its content',
      left:
        what === undefined
          ? 'If it does not go for minutes, an object in it still has a finalizer, or an aggregated API does not answer.'
          : `It is held up: ${what}.`,
    };
  },

  fixes: [
    {
      say: 'See what holds it up: its conditions name remaining objects, finalizers, or an API that does not answer',
      risk: 'reads-only',
      steps: [
        {
          say: 'the conditions',
          run: `kubectl get namespace {{namespace}} -o jsonpath='{range .status.conditions[*]}{.type}{": "}{.message}{"\\n"}{end}'`,
          on: 'cluster',
        },
        {
          say: 'what is left in it',
          run: 'kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl get -n {{namespace}} --ignore-not-found --show-kind --no-headers',
          on: 'cluster',
        },
        { say: 'APIs that do not answer', run: "kubectl get apiservices | grep -v ' True '", on: 'cluster' },
      ],
    },
    {
      say: 'Wait until it is gone, then create the namespace and deploy anew; or deploy into another namespace',
      risk: 'restarts-pods',
      steps: [
        { say: 'wait', run: 'kubectl wait --for=delete namespace/{{namespace}} --timeout=5m', on: 'cluster' },
        { say: 'a deletion cannot be taken back; create it again', run: 'kubectl create namespace {{namespace}}', on: 'cluster' },
      ],
      verified: 'kubectl get namespace {namespace} shows Active',
    },
    {
      say: 'Last resort: remove the finalizers of what is left; what they were to clean up is then yours',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'on each object that still carries one',
          run: `kubectl -n {{namespace}} patch KIND NAME --type=merge -p '{"metadata":{"finalizers":null}}'`,
          on: 'cluster',
        },
      ],
      verified: 'the namespace is gone',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go',
    'kubernetes pkg/controller/namespace/deletion/namespaced_resources_deleter.go',
  ],
});
