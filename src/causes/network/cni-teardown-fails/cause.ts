import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const fails = line(
  [
    'failed to destroy network for sandbox',
    'failed to teardown pod',
    'failed (delete): ',
    'error removing pod',
    'failed to destroy network for pod sandbox',
  ],
  CHANNELS,
  /(?:failed to destroy network for (?:pod )?sandbox|failed to teardown pod [\\"“”]{1,8}[\w.-]{1,253}[\\"“”]{1,8} network|error removing pod \S{1,320} from CNI network [\\"“”]{1,8}(?<network>[\w.-]{1,80}))(?:[\s\S]{0,200}?plugin type=[\\"“”]{1,8}(?<plugin>[\w.-]{1,80})[\\"“”]{1,8}(?: name=\S{1,100})? failed \(delete\))?(?:[^\n]{0,300}: (?<error>[^\n:"\\]{5,160}))?/,
);
const stuck = supports('pod.symptom', ({ symptom }) => symptom === 'stuck-terminating');
const addFails = line(
  ['failed to setup network for sandbox', 'failed to set up sandbox container', 'failed to set up pod'],
  CHANNELS,
  /failed to (?:setup network for sandbox|set up sandbox container|set up pod)/,
);

export const cause = defineCause({
  id: 'cni-teardown-fails',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['stuck-terminating', 'creating', 'other-trouble'],
  effectOf: [
    'calico-cni-unauthorized',
    'calico-nodename-missing',
    'cilium-agent-down',
    'cni-binary-missing',
    'cni-conf-invalid-or-duplicate',
    'cni-agent-unreachable',
    'cni-plugin-cannot-run',
    'cni-cache-corrupt',
    'flannel-subnet-env-missing',
    'apiserver-down',
    'kube-proxy-down-or-mode-unsupported',
  ],

  text: {
    name: 'Pod network cannot be removed',
    title: 'The CNI plugin {plugin} on {node} cannot tear the pod network down: {error}',
    why: 'Before a pod can go, the runtime asks the CNI plugin {plugin} to remove its network. On {node} that call fails ({error}), so the sandbox stays and the kubelet tries again for ever: the pod remains in Terminating. The plugin or the agent behind it is at fault, not the pod.',
  },

  clues: {
    fails: proves(fails),
    stuck,
    addFails: excludes(addFails),
  },
  says: {
    fails: 'removing the network of the sandbox failed: {error}',
    stuck: 'a pod does not end',
    addFails: 'the plugin already fails to set networks up',
  },
  slots: (place, { fails: said }) => ({
    node: place.name,
    plugin: said?.fields['plugin'] ?? said?.fields['network'] ?? 'of the pod network',
    error: said?.fields['error']?.trim() ?? 'see its message',
  }),

  fixes: [
    {
      say: 'See why the plugin {plugin} fails: its agent on {node} first',
      risk: 'reads-only',
      steps: [
        { say: 'the whole message', run: "journalctl -u kubelet --since -15min | grep -m3 'failed to destroy network'", on: 'node' },
        {
          say: 'the daemon of the network add-on on this node',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -Ei "calico|cilium|flannel|weave|multus|antrea|ovn"',
          on: 'cluster',
        },
        { say: 'sandboxes that wait', run: 'crictl pods --state NotReady', on: 'node' },
      ],
    },
    {
      say: 'Cure the plugin: restart the daemon of the network add-on on {node}, bring back its binary or configuration',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'delete its pod; pods that wait in Terminating go by themselves after it',
          run: 'kubectl -n kube-system delete pod NETWORK-POD-OF-{{node}}',
          on: 'cluster',
        },
        {
          say: 'the plugin was uninstalled while pods still used it: put the binary and file back until they are gone',
          run: 'ls -l /opt/cni/bin /etc/cni/net.d',
          on: 'node',
        },
      ],
      verified: 'the pods that were Terminating are gone',
    },
    {
      say: 'Only if the plugin will not come back: remove the sandbox by force (its address stays reserved)',
      risk: 'may-lose-data',
      steps: [
        { say: 'by its id', run: 'crictl rmp -f SANDBOX', on: 'node' },
        { say: 'and only then the object', run: 'kubectl delete pod POD -n NAMESPACE --grace-period=0 --force', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd internal/cri/server/sandbox_stop.go',
    'kubernetes pkg/kubelet/kuberuntime/kuberuntime_manager.go',
    'kubernetes (until 1.23) pkg/kubelet/dockershim/network/plugins.go',
  ],
});
