import {
  defineCause,
  excludes,
  imageIn,
  minutes,
  namesOf,
  notByContainers,
  on,
  proves,
  pullLine,
  registryAnswers,
  supports,
} from '../../define-cause.ts';

const refused = pullLine(
  [
    'SignatureValidationFailed',
    'signature validation failed',
    'Source image rejected',
    'is rejected by policy',
    'A signature was required, but no signature exists',
    'None of the signatures were accepted',
    'no valid trust data',
    'remote trust data does not exist',
    'blocked pull of',
  ],
  /(?<reason>A signature was required, but no signature exists|None of the signatures were accepted|Invalid GPG signature|Signature for [^\n"]{1,120} is not accepted|is rejected by policy|cryptographic signature verification failed)|Source image rejected: (?<other>[^\n"]{3,200})|signature validation failed(?:: (?<why>[^\n"]{3,200}))?|SignatureValidationFailed|(?<trust>no valid trust data|remote trust data does not exist) for|image verifier (?<verifier>\S{1,100}) blocked pull of/i,
  { must: [], may: [/policy (?<policy>\/[^\s:"\\]{3,200}\.json)/] },
);
const noPolicy = pullLine(
  ['policy.json', 'loading signature policy', 'getting policy'],
  /(?:open|stat) (?<file>\/[^\s:"\\]{3,200}policy\.json): no such file|invalid policy in \\*"(?<invalid>[^"\\]{3,200})|(?:loading|getting) (?:signature )?policy[^\n]{0,200}?(?:no such file|invalid|unable|cannot)/i,
  { must: [] },
);
const otherAnswer = registryAnswers('unknown', 'denied', 'throttled');

export const cause = defineCause({
  id: 'image-signature-or-policy-denied',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'creating', 'init-stuck', 'create-error', 'other-trouble'],
  wakesOn: [on('container.waiting', { reason: 'SignatureValidationFailed' })],

  text: {
    name: 'Image signature not accepted',
    title: 'The signature policy of the node refuses image {image}: {reason}',
    why: 'The runtime of the node checks images against a signature policy (/etc/containers/policy.json for CRI-O, an image verifier for containerd, content trust for Docker) before it uses them. {image} is rejected: {reason}. Registry and credentials are fine; every node with this policy refuses it.',
  },

  clues: {
    refused: proves(refused, notByContainers),
    waiting: proves('container.waiting', ({ reason }) => reason === 'SignatureValidationFailed'),
    noPolicy: proves(noPolicy, notByContainers),
    workload: supports('pod.event', ({ reason, message }) => reason === 'Failed' && /signature/i.test(message)),
    otherAnswer: excludes(otherAnswer),
  },
  says: {
    refused: 'the runtime refuses the image by policy: {reason}',
    waiting: 'the container waits with SignatureValidationFailed',
    noPolicy: 'the signature policy file itself is missing or wrong: {file}',
    workload: 'the failed pull names the signature',
    otherAnswer: 'the registry has no such image, or does not hand it out',
  },
  slots: (place, { refused: said, noPolicy: file, waiting }) => {
    const path = file?.fields['file'] ?? file?.fields['invalid'] ?? '/etc/containers/policy.json';
    const fields = said?.fields ?? {};
    const told = fields['reason'] ?? fields['other'] ?? fields['why'] ?? fields['trust'];
    return {
      ...namesOf(place),
      image: imageIn(said) ?? imageIn(file) ?? 'of the pod',
      reference: imageIn(said) ?? imageIn(file) ?? 'IMAGE',
      reason: (
        told ??
        (file && !said ? `no usable policy in ${path}` : waiting?.message?.slice(0, 120)) ??
        'its signature was not accepted'
      ).trim(),
      file: path,
    };
  },

  fixes: [
    {
      say: 'See what the policy asks for and which signatures the image has',
      risk: 'reads-only',
      steps: [
        { say: 'policy and look-aside locations', run: 'cat {{file}}; ls -l /etc/containers/registries.d', on: 'node' },
        { say: 'cosign signatures of the image', run: 'cosign tree {{reference}}' },
        {
          say: 'signatures checked by containerd 2',
          run: 'grep -n -A5 image-verifier /etc/containerd/config.toml; ls /opt/containerd/image-verifier/bin',
          on: 'node',
        },
      ],
    },
    {
      say: 'Sign the image with the key the policy trusts, or use the signed release of it',
      risk: 'restarts-pods',
      steps: [
        { say: 'sign what is in the registry (by digest)', run: 'cosign sign --key KEY {{reference}}' },
        { say: 'copied images lose their signatures: copy them along', run: 'cosign copy {{reference}} REGISTRY/NAME:TAG' },
        { say: 'try again', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'an event Pulled',
    },
    {
      say: 'Or adjust the policy on the nodes: allow this registry or give it the right key',
      risk: 'touches-node',
      steps: [
        {
          say: 'add the scope of the registry in {file} (type sigstoreSigned or signedBy with its key; insecureAcceptAnything switches the check off)',
          on: 'node',
        },
        {
          say: 'CRI-O reads it at each pull; OpenShift: change the image.config or ClusterImagePolicy instead of the file',
          run: 'systemctl reload crio',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/images/image_manager.go (evalCRIPullErr)',
    'containers/image signature/policy_eval.go, policy_config.go',
    'containerd plugins/imageverifier, docs/image-verification.md',
    'moby cli trust',
  ],
});
