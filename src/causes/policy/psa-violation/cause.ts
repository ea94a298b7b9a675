import { defineCause, line, minutes, namesOf, needs, proves, supports } from '../../define-cause.ts';

const violates = line(
  ['violates PodSecurity', 'violates podsecurity'],
  ['object-events', 'workload', 'control-plane-log'],
  /(?:pods [\\"'“”]{1,8}(?<pod>[a-z0-9.-]{1,253})[\\"'“”]{1,8} is forbidden: )?violates PodSecurity [\\"'“”]{1,8}(?<level>privileged|baseline|restricted)(?::(?<version>[\w.]{1,20}))?[\\"'“”]{1,8}:? ?(?<violations>[\s\S]{0,600})/i,
);
// No channel: a refusal says so itself; where only a warning was printed, nothing was refused.
const refused = line(['violates PodSecurity', 'violates podsecurity'], []);
const warned = line(
  'would violate PodSecurity',
  ['workload', 'object-events', 'control-plane-log'],
  /would violate PodSecurity [\\"'“”]{1,8}(?<level>privileged|baseline|restricted)/i,
);

/** What has to be written where, for each check of the two standards. */
const REMEDIES: readonly (readonly [check: RegExp, remedy: string])[] = [
  [/allowPrivilegeEscalation/, 'allowPrivilegeEscalation: false'],
  [/unrestricted capabilities|non-default capabilities/, 'capabilities: {drop: ["ALL"]}'],
  [/runAsNonRoot/, 'runAsNonRoot: true'],
  [/seccompProfile/, 'seccompProfile: {type: RuntimeDefault}'],
  [/runAsUser=0/, 'runAsUser other than 0'],
  [/privileged \(/, 'no privileged: true'],
  [/host namespaces/, 'no hostNetwork, hostPID, hostIPC'],
  [/hostPath volumes|restricted volume types/, 'no hostPath or other restricted volume types'],
  [/hostPort/, 'no hostPort'],
  [/procMount|AppArmor|appArmor|seLinuxOptions|forbidden sysctls|hostProcess|host probes|hostname/i, 'the default for what it names'],
];

function checksOf(violations: string): string {
  const named = [...violations.matchAll(/(?:^|\), )(?<check>[A-Za-z][\w !=./-]{2,60}?) \(/g)].map(({ groups }) => groups?.['check'] ?? '');
  return [...new Set(named)].slice(0, 5).join(', ');
}

export const cause = defineCause({
  id: 'psa-violation',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble'],

  text: {
    name: 'Pod Security Admission refuses',
    title: 'Pod Security Admission ({level}) forbids the pods of {name}: {checks}',
    why: "The namespace enforces the Pod Security standard {level} by its label pod-security.kubernetes.io/enforce, and the securityContext of the pod template breaks it: {checks}. The API server refuses every pod, so there is none to look at; only the controller's FailedCreate events tell.",
  },

  clues: {
    refused: needs(refused),
    violates: proves(violates),
    warned: supports(warned),
  },
  says: {
    refused: 'the API server refused a pod, it did not only warn',
    violates: 'it violates PodSecurity "{level}": {checks}',
    warned: 'applying it already printed a warning (would violate PodSecurity)',
  },
  slots: (place, { violates: said, warned: warning }) => {
    const violations = said?.fields['violations'] ?? '';
    const remedies = REMEDIES.flatMap(([check, remedy]) => (check.test(violations) ? [remedy] : []));
    const pod = said?.fields['pod'];
    return {
      ...namesOf(place),
      name: place.name === 'the workload' && pod !== undefined ? pod.replace(/-$/, '') : place.name,
      level: said?.fields['level'] ?? warning?.fields['level'] ?? 'restricted',
      checks: checksOf(violations) || 'its securityContext asks for more than is allowed',
      remedies: remedies.join(', ') || 'a securityContext as the standard demands',
    };
  },

  fixes: [
    {
      say: 'Make the pod template obey the standard {level}: set in securityContext {remedies}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'what the namespace enforces',
          run: "kubectl get namespace {{namespace}} --show-labels | tr ',' '\\n' | grep pod-security",
          on: 'cluster',
        },
        { say: 'set in securityContext of pod and containers: {remedies}', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
    {
      say: 'Where the program truly needs these rights (CNI, storage, monitoring agents), relax the namespace label',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'everything in this namespace may then do so; keep it to namespaces of system programs',
          run: 'kubectl label namespace {{namespace}} pod-security.kubernetes.io/enforce=privileged --overwrite',
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'kubernetes staging/src/k8s.io/pod-security-admission/admission/admission.go',
    'kubernetes staging/src/k8s.io/pod-security-admission/policy',
  ],
});
