import {
  defineCause,
  excludes,
  imageIn,
  line,
  minutes,
  notAboutNode,
  notByContainers,
  on,
  proves,
  pullLine,
  waitsForImage,
  withContext,
} from '../../define-cause.ts';

const tooFast = pullLine(['pull QPS exceeded'], /pull QPS exceeded/, { must: [] });
/** A pull that was let through and failed has a reason of its own. */
const realFailure = line(
  [
    'manifest unknown',
    'pull access denied',
    'no basic auth credentials',
    'toomanyrequests',
    '429 too many requests',
    'failed to resolve reference',
    'no space left on device',
    'Error response from daemon',
  ],
  [],
  withContext(
    /manifest unknown|pull access denied|no basic auth credentials|toomanyrequests|429 too many requests|failed to resolve reference|no space left on device|Error response from daemon/,
    { must: [/\bpull/] },
  ),
);

export const cause = defineCause({
  id: 'kubelet-pull-qps-exceeded',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['image-pull'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Kubelet throttles image pulls',
    title: 'Kubelet of {node} throttles image pulls: pull QPS exceeded (registryPullQPS)',
    why: 'The kubelet limits the rate of pulls itself (registryPullQPS 5 per second, registryBurst 10 by default). Many pods starting at once on {node} exceed it; the kubelet then fails the pull of {image} without asking the registry, and the back-off makes the pods wait up to five minutes between tries.',
  },

  clues: {
    stuck: waitsForImage,
    tooFast: proves(tooFast, notByContainers),
    failed: excludes(realFailure, notAboutNode),
  },
  says: {
    stuck: 'a pod waits for its image',
    tooFast: 'the kubelet itself refuses the pull of {image}: pull QPS exceeded',
    failed: 'pulls are let through and fail for a reason of their own',
  },
  slots: (place, { tooFast }) => ({ node: place.name, image: imageIn(tooFast) ?? 'an image' }),

  fixes: [
    {
      say: 'Wait: the pulls get their turn one after another, unless the pods keep starting anew',
      risk: 'reads-only',
      steps: [
        {
          say: 'see whether fewer pods wait each minute',
          run: 'kubectl get pods --all-namespaces --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Raise the limit of the kubelet: registryPullQPS and registryBurst (0 means no limit)',
      risk: 'touches-node',
      steps: [
        {
          say: 'what is set now',
          run: "grep -nE 'registryPullQPS|registryBurst|serializeImagePulls' /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        {
          say: 'set for example registryPullQPS: 20 and registryBurst: 40 there; or the flags --registry-qps and --registry-burst in older installations',
          on: 'node',
        },
        { say: 'restart the kubelet; containers go on', run: 'systemctl restart kubelet', on: 'node' },
      ],
      changes: [
        { do: 'kubelet-set', key: 'registryPullQPS', value: 20 },
        { do: 'kubelet-set', key: 'registryBurst', value: 40 },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'no more events with pull QPS exceeded on {node}',
    },
    {
      say: 'Pull less: imagePullPolicy IfNotPresent with fixed tags, and images loaded on the nodes beforehand',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the policy Always counts against the limit at every start, even when the image is there',
          run: `kubectl -n NAMESPACE patch deployment NAME -p '{"spec":{"template":{"spec":{"containers":[{"name":"CONTAINER","imagePullPolicy":"IfNotPresent"}]}}}}'`,
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-set', field: 'imagePullPolicy', value: 'IfNotPresent' }],
      verified: 'no more events with pull QPS exceeded on {node}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/images/helpers.go (throttledImageService)', 'kubernetes pkg/kubelet/apis/config/types.go'],
});
