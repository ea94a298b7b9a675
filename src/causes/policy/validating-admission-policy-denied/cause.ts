import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['object-events', 'workload', 'control-plane-log', 'objects'] as const;
const denied = line(
  ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'],
  CHANNELS,
  /(?:Validating|Mutating)AdmissionPolicy [\\"'‘’“”]{1,8}(?<policy>[^\s\\"'‘’“”]{1,253})[\\"'‘’“”]{1,8} with binding [\\"'‘’“”]{1,8}(?<binding>[^\s\\"'‘’“”]{1,253})[\\"'‘’“”]{1,8} denied request:? ?(?<reason>[\s\S]{0,500})/,
);
const misconfigured = line(
  ['failed to configure binding', 'resulted in error', 'failed to configure policy'],
  CHANNELS,
  /(?:failed to configure (?:binding|policy)|expression .{1,300} resulted in error|no such key|compilation error)[\s\S]{0,300}/,
);
const warned = line(
  'Validation failed for ',
  [],
  /Warning: Validation failed for (?:Validating|Mutating)AdmissionPolicy|validation_failure[\s\S]{0,200}validationActions[\s\S]{0,40}Audit/,
);

export const cause = defineCause({
  id: 'validating-admission-policy-denied',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble', 'volume-pending'],

  text: {
    name: 'CEL admission policy refuses',
    title: "ValidatingAdmissionPolicy '{policy}' (binding '{binding}') denies {name}: {reason}",
    why: "The API server itself evaluates the CEL expressions of the ValidatingAdmissionPolicy '{policy}', which the binding '{binding}' puts into force with the action Deny. The object does not satisfy them: {reason}. Refused pods never come into being; the controller reports FailedCreate.",
  },

  clues: {
    denied: proves(denied),
    misconfigured: supports(misconfigured, ({ fields }) => fields !== undefined),
    warned: excludes(warned),
  },
  says: {
    denied: "the policy '{policy}' denied the request: {reason}",
    misconfigured: 'the expression itself could not be evaluated for this object',
    warned: 'the policy only warns or audits: nothing was refused',
  },
  slots: (place, { denied: no }) => ({
    ...namesOf(place),
    name: place.name,
    policy: no?.fields['policy'] ?? 'NAME',
    binding: no?.fields['binding'] ?? 'NAME',
    reason: (no?.fields['reason'] ?? '').replace(/\s+/g, ' ').trim().slice(0, 200) || 'its expression is false',
  }),

  fixes: [
    {
      say: "Change the object so that it satisfies the policy '{policy}': {reason}",
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the expressions, and to what they apply',
          run: 'kubectl get validatingadmissionpolicy {{policy}} -o yaml; kubectl get validatingadmissionpolicybinding {{binding}} -o yaml',
          on: 'cluster',
        },
        { say: 'correct the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      verified: 'the object is stored, and the controller has the event SuccessfulCreate',
    },
    {
      say: 'If the policy is wrong or too wide: narrow its binding, or let it only warn for a while',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'no longer deny',
          run: `kubectl patch validatingadmissionpolicybinding {{binding}} --type=merge -p '{"spec":{"validationActions":["Warn","Audit"]}}'`,
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: ['kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go'],
});
