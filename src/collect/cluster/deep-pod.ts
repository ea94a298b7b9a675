/** The short-lived pod that reads one host (or, for a fix, changes it), and the namespace it lives in: nothing else is ever created. */

const LABELS = { 'app.kubernetes.io/name': 'podcause', 'app.kubernetes.io/component': 'deep' };

export interface DeepPod {
  readonly namespace: string;
  readonly node: string;
  readonly image: string;
  /** POSIX sh, run on the host's own file system. */
  readonly script: string;
  readonly secondsAtMost: number;
  /** For fixes only; a diagnosis reads. */
  readonly mayWrite?: boolean;
}

export function deepNamespace(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: { ...LABELS, 'pod-security.kubernetes.io/enforce': 'privileged' },
      annotations: { 'podcause/purpose': 'reads host configuration and journals for one diagnosis; safe to delete' },
    },
  };
}

/** Of two dollar signs in a command Kubernetes makes one, and of a name in brackets behind one it makes a value. */
function verbatim(text: string): string {
  return text.replaceAll('$', '$$$$');
}

export function deepPodName(node: string): string {
  return `read-${node.replaceAll('.', '-').slice(0, 50).replace(/-+$/, '')}`;
}

/**
 * Bound to its node by name, so that it needs no scheduler; with the host's pid, network and file system, read-only unless it
 * is there to change something; it ends by itself after its time even when nobody comes back for it.
 */
export function deepPod({ namespace, node, image, script, secondsAtMost, mayWrite = false }: DeepPod) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: deepPodName(node), namespace, labels: LABELS },
    spec: {
      nodeName: node,
      hostPID: true,
      hostNetwork: true,
      restartPolicy: 'Never',
      activeDeadlineSeconds: secondsAtMost,
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      tolerations: [{ operator: 'Exists' }],
      priorityClassName: 'system-node-critical',
      containers: [
        {
          name: 'read',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['chroot', '/host', '/bin/sh', '-c', verbatim(script)],
          env: [{ name: 'PODCAUSE_NODE', value: node }],
          securityContext: { privileged: true, readOnlyRootFilesystem: true },
          resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '256Mi' } },
          volumeMounts: [{ name: 'host', mountPath: '/host', readOnly: !mayWrite }],
        },
      ],
      volumes: [{ name: 'host', hostPath: { path: '/', type: 'Directory' } }],
    },
  };
}
