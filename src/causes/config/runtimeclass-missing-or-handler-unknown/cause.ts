import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const absent = line(
  ['pod rejected: RuntimeClass', 'runtimeclass.node.k8s.io', 'RuntimeHandler from RuntimeClass', 'runtimeclasses.node.k8s.io'],
  ['object-events', 'pod-events', 'kubelet-log', 'workload'],
  /(?:RuntimeClass|runtimeclass(?:es)?\.node\.k8s\.io) \\*"(?<name>[^"\\\s]{1,253})\\*" not found/,
);
const noHandler = line(
  ['failed to get sandbox runtime', 'is configured', 'failed to find runtime handler', 'RuntimeHandler "', 'RuntimeHandler \\"'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /no runtime for \\*"(?<containerd>[^"\\\s]{1,100})\\*" is configured|failed to find runtime handler (?<crio>[\w.-]{1,100}) from runtime list|RuntimeHandler \\*"(?<docker>[^"\\\s]{1,100})\\*" not supported/,
);
const noShim = line(
  ['binary not installed', 'containerd-shim-', 'runtime path:'],
  ['pod-events', 'kubelet-log', 'containerd-log'],
  /runtime \\*"(?<runtime>[\w./-]{1,100})\\*" binary not installed \\*"(?<shim>[\w./-]{1,100})|exec: \\*"(?<missing>containerd-shim-(?!runc)[\w-]{1,60})\\*": executable file not found|fork\/exec (?<path>[\w./-]{1,100}\/(?:containerd-shim-(?!runc)[\w-]{1,60}|runsc|kata-runtime|crun|youki)): no such file or directory/,
);
const overhead = line(["Overhead doesn't match RuntimeClass"], ['object-events', 'workload']);

/** The runtime of NVIDIA has a cause of its own. */
const NVIDIA = /^nvidia/;

function handlerIn(fields: Readonly<Record<string, string>> | undefined): string | undefined {
  return fields?.['containerd'] ?? fields?.['crio'] ?? fields?.['docker'];
}

export const cause = defineCause({
  id: 'runtimeclass-missing-or-handler-unknown',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'no-pods', 'pending', 'create-error', 'failed', 'init-stuck', 'other-trouble'],
  effectOf: ['containerd-config-version-or-path-mismatch', 'nvidia-runtime-missing'],

  text: {
    name: 'RuntimeClass or handler unknown',
    title: 'RuntimeClass of the pod cannot be used: {broken}',
    why: 'runtimeClassName of the pod chooses a RuntimeClass, the RuntimeClass names a handler, and the runtime of the node must have that handler in its configuration and its shim installed. Here {broken}, so no sandbox of the pod can be made.',
  },

  clues: {
    absent: proves(absent),
    noHandler: proves(noHandler, ({ fields }) => !NVIDIA.test(handlerIn(fields) ?? '')),
    noShim: proves(noShim),
    overhead: supports(overhead),
    handlerOfDriver: supports(noHandler, ({ fields }) => NVIDIA.test(handlerIn(fields) ?? '')),
    className: supports('pod.runtime-class'),
    well: excludes('pod.status', isWell),
  },
  says: {
    absent: 'there is no RuntimeClass {name}',
    noHandler: 'the runtime of the node has no handler {name}',
    noShim: 'the shim {name} is not installed on the node',
    overhead: 'the overhead of the pod differs from that of its RuntimeClass',
    handlerOfDriver: 'the runtime of the node has no handler {name}',
    className: 'the pod asks for the RuntimeClass {className}',
    well: 'the pod runs and is ready',
  },
  slots: (place, { absent: gone, noHandler: unknown, noShim: shim, handlerOfDriver: driver, className }) => {
    const handler = handlerIn((unknown ?? driver)?.fields);
    const binary = shim?.fields['shim'] ?? shim?.fields['missing'] ?? shim?.fields['path'];
    const name = gone?.fields['name'] ?? handler ?? binary ?? 'it names';
    const broken = gone
      ? `the RuntimeClass ${name} does not exist in the cluster`
      : handler !== undefined
        ? `the runtime of the node knows no handler called ${handler}`
        : binary !== undefined
          ? `the program ${binary} of the handler is not installed on the node`
          : 'the RuntimeClass does not fit the pod';
    return {
      ...namesOf(place),
      name,
      handler: handler ?? 'HANDLER',
      className: className?.name ?? name,
      broken,
    };
  },

  fixes: [
    {
      say: 'See the RuntimeClasses, and the handlers of the node',
      risk: 'reads-only',
      steps: [
        { say: 'NAME and HANDLER', run: 'kubectl get runtimeclass', on: 'cluster' },
        {
          say: 'what containerd has',
          run: "containerd config dump | grep -nE 'runtimes\\.|runtime_type|BinaryName'; ls -l /usr/local/bin/containerd-shim-* /usr/bin/containerd-shim-* 2>/dev/null",
          on: 'node',
        },
        { say: 'what CRI-O has', run: "crio config 2>/dev/null | grep -nA4 'crio.runtime.runtimes'", on: 'node' },
      ],
    },
    {
      say: 'Create the RuntimeClass {className}, or take runtimeClassName out of the pod',
      risk: 'restarts-pods',
      for: ['absent'],
      steps: [
        {
          say: 'create it; its handler must be called as in the configuration of the runtime',
          run: 'printf "apiVersion: node.k8s.io/v1\\nkind: RuntimeClass\\nmetadata: {name: {{className}}}\\nhandler: {{handler}}\\n" | kubectl apply -f -',
          on: 'cluster',
        },
        { say: 'or use the usual runtime', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'runtimeClassName',
          value: { ask: 'runtimeClass', says: 'a RuntimeClass that exists, with a handler that the nodes have' },
        },
      ],
      verified: 'the sandbox of the pod is made',
    },
    {
      say: 'Configure the handler {handler} on every node that runs such pods, install its shim and restart the runtime',
      risk: 'touches-node',
      for: ['noHandler', 'noShim', 'handlerOfDriver'],
      steps: [
        {
          say: 'in /etc/containerd/config.toml, below the runtimes table of its version: [… .containerd.runtimes.{handler}] with runtime_type',
          run: 'systemctl restart containerd',
          on: 'node',
        },
        {
          say: 'for CRI-O: [crio.runtime.runtimes.{handler}] with runtime_path in /etc/crio/crio.conf.d',
          run: 'systemctl restart crio',
          on: 'node',
        },
        { say: 'nodes without it: keep such pods away with scheduling.nodeSelector of the RuntimeClass' },
      ],
      verified: 'the sandbox of the pod is made',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes plugin/pkg/admission/runtimeclass/admission.go, pkg/kubelet/runtimeclass/runtimeclass_manager.go',
    'containerd internal/cri/server/sandbox_run.go (getSandboxRuntime), core/runtime/v2/shim_manager.go',
    'cri-o pkg/config/config.go',
  ],
});
