import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['object-events', 'workload', 'control-plane-log', 'objects', 'container-log'] as const;
const denied = line(
  ['denied the request', 'denied request:'],
  CHANNELS,
  /admission webhook [\\"'“”]{1,8}(?<webhook>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} denied the request(?: without explanation|:? ?(?<reason>[\s\S]{0,700}))?/i,
);
const kyverno = line(
  'was blocked due to the following policies',
  CHANNELS,
  /resource (?<kind>[A-Z]\w{1,60})\/(?<object>[^\s]{1,300}) was blocked due to the following policies(?<reason>[\s\S]{0,500})/,
);
const subject = line('for resource violation', CHANNELS, /policy (?<kind>[A-Z]\w{1,60})\/(?<object>[^\s]{1,300}) for resource violation/);
const rule = line('validation error: ', CHANNELS, /(?<rule>[\w.-]{1,100}): [\\'"]{0,4}(?<reason>validation error: [^\n]{3,300})/i);
const blockedEvent = line(
  ['(blocked)', 'fail (blocked)'],
  ['object-events', 'pod-events'],
  /(?<kind>[A-Z]\w{1,60}) (?<object>[^\s:]{1,300}): \[(?<rule>[^\]]{1,200})\] fail \(blocked\)[;:]? ?(?<reason>[\s\S]{0,500})/,
);
/** Images are judged by a cause of their own. */
const IMAGE =
  /signature|cosign|notary|attestation|unverified image|image verification|trust data|must be an image digest|untrusted|allowed (?:registr|repo)|not (?:from|in) (?:an? |the )?(?:allowed|approved|trusted)|invalid image repo|disallowed (?:registry|image)|unknown image registry|registry .{0,40}(?:not allowed|not permitted)|image .{0,80}(?:not allowed|not permitted|not come from)/i;

/** Webhooks that speak for the ResourceQuota. */
const QUOTA = /(?:exceeded|failed) quota: /;

const auditOnly = line(
  ['ResourcePassed', 'PolicyViolation'],
  [],
  /\b(?:PolicyViolation|ResourcePassed)\b(?![\s\S]{0,600}blocked)[\s\S]{0,600}(?:\] fail;|audit)/i,
);

function rulesOf(reason: string): string | undefined {
  const gatekeeper = /^\s*\[(?<name>[^\]\s]{1,200})\] ?(?<text>[^\n]{0,300})/.exec(reason)?.groups;
  if (gatekeeper) return `${gatekeeper['name']} says ${gatekeeper['text']?.trim() || 'no'}`;
  return undefined;
}

function short(reason: string): string {
  const text = reason
    .replace(/^resource \S{1,300} was blocked due to the following policies\s*/, '')
    .replace(/\\n|\\t|\s+/g, ' ')
    .trim();
  return text.length > 180 ? `${text.slice(0, 179)}…` : text;
}

export const cause = defineCause({
  id: 'admission-webhook-denied',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble', 'volume-pending'],
  effectOf: ['image-policy-admission-denied'],

  text: {
    name: 'Admission policy refuses',
    title: 'The admission webhook {webhook} denies {name}: {reason}',
    why: 'The API server asked the webhook {webhook} (a policy engine such as Gatekeeper or Kyverno, or an operator that checks its own objects) before storing the object, and it was reached and said no: {reason}. A refused pod never comes into being, so the controller only reports FailedCreate.',
  },

  clues: {
    denied: proves(denied, ({ fields }) => !IMAGE.test(fields['reason'] ?? '') && !QUOTA.test(fields['reason'] ?? '')),
    kyverno: proves(kyverno, ({ fields }) => !IMAGE.test(fields['reason'] ?? '')),
    subject: supports(subject),
    rule: supports(rule),
    blockedEvent: supports(blockedEvent, ({ fields }) => !IMAGE.test(fields['reason'] ?? '')),
    auditOnly: excludes(auditOnly),
  },
  says: {
    denied: 'the webhook {webhook} denied the request: {reason}',
    kyverno: 'Kyverno blocked {object}: {reason}',
    subject: 'Kyverno names {object}',
    rule: 'the rule that refuses it: {reason}',
    blockedEvent: 'an event tells that a policy rule blocked {object}',
    auditOnly: 'the policy only audits: nothing was blocked',
  },
  slots: (place, { denied: no, kyverno: blocked, subject: of, rule: named, blockedEvent: told }) => {
    const text = [no, blocked, named, told].map((fact) => fact?.fields['reason']?.trim() ?? '').find((one) => one.length > 3) ?? '';
    const object =
      blocked?.fields['object'] ??
      of?.fields['object'] ??
      told?.fields['object'] ??
      /resource \w{1,60}\/(?<object>\S{1,300}) was blocked/.exec(text)?.groups?.['object'];
    return {
      ...namesOf(place),
      webhook: no?.fields['webhook'] ?? (blocked || told ? 'of Kyverno' : 'of a policy engine'),
      name: place.kind === 'Workload' && place.name !== 'the workload' ? place.name : (object ?? 'the object'),
      object: object ?? 'the object',
      reason: rulesOf(text) ?? (short(text) || 'without a reason'),
    };
  },

  fixes: [
    {
      say: 'Change the object so that it obeys the rule: {reason}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'who stands behind the webhook {webhook}',
          run: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml | grep -nE "^  +name: |namespace: |service:" | grep -B4 -A4 {{webhook}}',
          on: 'cluster',
        },
        {
          say: 'the policies in force (those kinds that the cluster has)',
          run: 'kubectl get constraints 2>/dev/null; kubectl get clusterpolicies,policies -A 2>/dev/null',
          on: 'cluster',
        },
        { say: 'correct what the message names in the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      verified: 'the object is stored, and the controller has the event SuccessfulCreate',
    },
    {
      say: 'If this object has good reasons, make an exception in the policy: exclude its namespace or add a PolicyException',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Gatekeeper: spec.match.excludedNamespaces of the constraint; Kyverno: exclude in the rule or a PolicyException; or set the policy to audit (dryrun, Audit) for a while',
          run: 'kubectl edit clusterpolicy NAME || kubectl edit CONSTRAINT-KIND NAME',
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go',
    'kyverno pkg/webhooks/utils/block.go',
    'gatekeeper pkg/webhook/policy.go',
  ],
});
