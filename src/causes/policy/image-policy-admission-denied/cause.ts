import { defineCause, excludes, excludesEverywhere, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['object-events', 'workload', 'control-plane-log', 'objects', 'container-log'] as const;
const webhook = line(
  ['denied the request', 'image policy webhook backend denied'],
  CHANNELS,
  /(?:admission webhook [\\"'“”]{1,8}(?<webhook>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} denied the request:? ?|image policy webhook backend denied one or more images:? ?)(?<reason>[\s\S]{1,700})/i,
);
const verification = line(
  ['image verification failed', 'no matching signatures', 'failed to verify image', 'unverified image', 'failed to verify signature'],
  CHANNELS,
  /(?:image verification failed|no matching signatures|failed to verify (?:image|signature)|unverified image)(?: for)?:? ?(?<reason>[^\n]{0,400})/i,
);
const alwaysPull = line(
  ['Unsupported value: "Never"', 'AlwaysPullImages'],
  CHANNELS,
  /imagePullPolicy: Unsupported value: [\\"]{1,4}\w{2,20}[\\"]{1,4}: supported values: [\\"]{1,4}Always/,
);
const node = line(['SignatureValidationFailed', 'Source image rejected'], [], /SignatureValidationFailed|Source image rejected/);

const IMAGE =
  /signature|cosign|notary|attestation|unverified image|image verification|trust data|must be an image digest|untrusted|allowed (?:registr|repo)|not (?:from|in) (?:an? |the )?(?:allowed|approved|trusted)|invalid image repo|disallowed (?:registry|image)|unknown image registry|registry .{0,40}(?:not allowed|not permitted)|image .{0,80}(?:not allowed|not permitted|not come from)|denied one or more images/i;
const NAMED =
  /(?<image>(?:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}(?::\d{2,5})?\/)(?:[a-z0-9._/-]{1,200})(?::[\w.-]{1,128})?(?:@sha256:[a-f0-9]{6,64})?|[a-z0-9._-]{2,60}(?:\/[a-z0-9._-]{1,100}){1,4}:[\w.-]{1,128})/;

function tell(reason: string): string {
  const text = reason
    .replace(/\\n|\\t|\s+/g, ' ')
    .replace(/^resource \S{1,300} was blocked due to the following policies /, '')
    .trim();
  return text.length > 180 ? `${text.slice(0, 179)}…` : text;
}

export const cause = defineCause({
  id: 'image-policy-admission-denied',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble'],

  text: {
    name: 'Image policy refuses',
    title: 'The image policy{webhook} refuses {image} for {name}: {reason}',
    why: 'An admission check looks at every image before a pod is stored: its registry must be on an allow-list, or its signature must verify. {image} does not pass: {reason}. The pod is never created, so nothing is pulled and no pod shows an error.',
  },

  clues: {
    webhook: proves(webhook, ({ fields }) => fields['webhook'] === undefined || IMAGE.test(fields['reason'] ?? '')),
    verification: supports(verification),
    alwaysPull: proves(alwaysPull),
    node: excludesEverywhere(excludes(node)),
  },
  says: {
    webhook: 'the admission check refused the image: {reason}',
    verification: 'a signature could not be verified: {reason}',
    alwaysPull: 'the cluster (AlwaysPullImages) allows only imagePullPolicy Always',
    node: 'the runtime of the node rejects the signature; the pod was admitted',
  },
  slots: (place, { webhook: no, verification: sign, alwaysPull: always }) => {
    const reason = no?.fields['reason'] ?? sign?.fields['reason'] ?? '';
    const image = NAMED.exec(reason.replace(/https?:\/\/\S{0,200}/g, ''))?.groups?.['image'];
    return {
      ...namesOf(place),
      name: place.name,
      webhook: no?.fields['webhook'] === undefined ? '' : ` (webhook ${no.fields['webhook']})`,
      image: image ?? 'the image',
      imageField: always && !no && !sign ? '' : 'image',
      reason: tell(reason) || (always ? 'imagePullPolicy must be Always' : 'it is not approved'),
    };
  },

  fixes: [
    {
      say: 'Use an approved image: push {image} to an allowed registry, or sign it, and name it by digest where the policy asks for it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'what the policies allow (those kinds that the cluster has)',
          run: 'kubectl get clusterimagepolicies,clusterpolicies,constraints -A 2>/dev/null; kubectl get validatingwebhookconfigurations',
          on: 'cluster',
        },
        { say: 'is there a signature', run: 'cosign tree {{image}}; cosign verify --key KEY.pub {{image}}', on: 'cluster' },
        { say: 'put the approved image into the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: '{{imageField}}',
          value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' },
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
    {
      say: 'If the image is legitimate: add its registry or key to the policy',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the policy or constraint that the message names; keep the pattern as narrow as it can be',
          run: 'kubectl edit clusterimagepolicy NAME || kubectl edit clusterpolicy NAME || kubectl edit CONSTRAINT-KIND NAME',
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'kubernetes plugin/pkg/admission/imagepolicy/admission.go',
    'kubernetes plugin/pkg/admission/alwayspullimages/admission.go',
    'sigstore policy-controller pkg/webhook/validator.go',
  ],
});
