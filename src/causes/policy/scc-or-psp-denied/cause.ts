import { defineCause, excludes, line, minutes, namesOf, proves } from '../../define-cause.ts';

const CHANNELS = ['object-events', 'workload', 'control-plane-log', 'objects'] as const;
const scc = line(
  ['security context constraint: [', 'against any security context constraint', 'not usable by user or serviceaccount'],
  CHANNELS,
  /(?:security context constraint: \[|against any security context constraint|Forbidden: not usable by user or serviceaccount)(?<details>[\s\S]{0,3000})/,
);
const psp = line(
  ['PodSecurityPolicy: unable to admit pod', 'unable to validate against any pod security policy'],
  CHANNELS,
  /(?:PodSecurityPolicy: unable to admit pod|unable to validate against any pod security policy): \[(?<details>[\s\S]{0,1500})/,
);
/** Policies are demanded, and there is none at all: PodSecurityPolicy up to 1.24, early OpenShift. */
const noPolicy = line('no providers available to validate pod request', CHANNELS);
const standards = line('violates PodSecurity', [], /violates PodSecurity [\\"'“”]/);

/** What the constraint objects to, in its own words: field and value. */
function objectionOf(details: string): string | undefined {
  const found =
    /(?<field>\.?(?:spec|containers|initContainers|securityContext)[\w.[\]]{0,120}): (?:Invalid value: (?<value>[^:]{1,80})|Forbidden): (?<text>[^,\]]{1,160})/.exec(
      details,
    )?.groups;
  if (!found) return undefined;
  return `${found['field']}${found['value'] ? ` = ${found['value']}` : ''}: ${found['text']?.trim()}`;
}

export const cause = defineCause({
  id: 'scc-or-psp-denied',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble'],

  text: {
    name: 'Security constraint refuses',
    title: 'No {kind} allows the pods of {name}: {objection}',
    why: 'A pod is only created when one {kind} that its ServiceAccount may use allows all it asks for. None does: {objection}. So the API server refuses every pod, and the controller reports FailedCreate.',
  },

  clues: {
    scc: proves(scc),
    psp: proves(psp),
    noPolicy: proves(noPolicy),
    standards: excludes(standards),
  },
  says: {
    scc: 'unable to validate against any security context constraint: {objection}',
    psp: 'PodSecurityPolicy admits the pod by no policy: {objection}',
    noPolicy: 'there is no policy that the pod could be checked against',
    standards: 'Pod Security Admission refuses it (namespace label)',
  },
  slots: (place, { scc: openshift, psp: old, noPolicy: empty }) => {
    const details = openshift?.fields['details'] ?? old?.fields['details'] ?? '';
    const users = /must be in the ranges: \[(?<range>[\d, ]{3,40})\]/.exec(details)?.groups?.['range'];
    const isPsp = openshift === undefined && (old ?? empty) !== undefined;
    return {
      ...namesOf(place),
      name: place.name,
      kind: isPsp ? 'PodSecurityPolicy' : 'SecurityContextConstraints (SCC)',
      objection:
        objectionOf(details) ??
        (empty && !openshift && !old ? 'the admission plugin is on, but no policy exists that the account may use' : undefined) ??
        (/^\s*\]/.test(details) ? 'its ServiceAccount may use none' : 'its ServiceAccount may use none that allows this'),
      users: users === undefined ? '' : ` (the namespace has the user ids ${users})`,
    };
  },

  fixes: [
    {
      say: 'Let the pod ask for less: remove fixed runAsUser, fsGroup, hostPath, host ports and added capabilities{users}',
      risk: 'restarts-pods',
      steps: [
        { say: 'what the message objects to: {objection}', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
        {
          say: 'OpenShift picks the user id of the namespace where none is set; images must work with an arbitrary user of group 0',
          run: 'kubectl get namespace {{namespace}} -o yaml | grep openshift.io/sa.scc',
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
    {
      say: 'Grant the ServiceAccount an SCC that allows it (the narrowest that does), if the program needs it',
      risk: 'restarts-pods',
      steps: [
        { say: 'which would do', run: 'oc -n {{namespace}} adm policy scc-subject-review -f POD.yaml; oc get scc', on: 'cluster' },
        {
          say: 'grant it to the ServiceAccount of the workload',
          run: 'oc -n {{namespace}} adm policy add-scc-to-user nonroot-v2 -z SERVICEACCOUNT',
          on: 'cluster',
        },
        {
          say: 'PodSecurityPolicy (Kubernetes up to 1.24): bind a role with the verb use on a policy to the ServiceAccount',
          run: 'kubectl -n {{namespace}} create rolebinding psp --clusterrole=ROLE --serviceaccount={{namespace}}:SERVICEACCOUNT',
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'openshift apiserver-library-go pkg/securitycontextconstraints/sccadmission/admission.go',
    'kubernetes 1.24 plugin/pkg/admission/security/podsecuritypolicy/admission.go',
  ],
});
