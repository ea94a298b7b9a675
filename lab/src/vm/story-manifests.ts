import { VM_TAINT } from './kubernetes.ts';

/** Pods of the stories belong on the VM and nowhere else; other pods are kept off it by its taint. */
export function onVm(indent: string): string {
  const lines = ['nodeSelector: { kubernetes.io/hostname: vm-a }', `tolerations: [{ key: ${VM_TAINT}, operator: Exists }]`];
  return lines.map((line) => `${indent}${line}`).join('\n');
}

const SERVES = `trap "exit 0" TERM; sleep 100000 & wait`;

export interface StoryWorkload {
  readonly kind: 'Deployment' | 'DaemonSet';
  readonly name: string;
  readonly container: string;
  readonly says: string;
  readonly replicas?: number;
  /** Lines of `resources:`; without them the pod is BestEffort. */
  readonly requests?: string;
}

/** A workload that says one line, stays up, and ends cleanly when asked. */
export function workload(story: StoryWorkload): string {
  return `apiVersion: apps/v1
kind: ${story.kind}
metadata: { name: ${story.name} }
spec:${story.kind === 'Deployment' ? `\n  replicas: ${story.replicas ?? 1}` : ''}
  selector: { matchLabels: { app: ${story.name} } }
  template:
    metadata: { labels: { app: ${story.name} } }
    spec:
${onVm('      ')}
      terminationGracePeriodSeconds: 5
      automountServiceAccountToken: false
      containers:
        - name: ${story.container}
          image: lab.local/busybox:1
          command: [sh, -c, 'echo "${story.says}"; ${SERVES}']${story.requests === undefined ? '' : `\n          resources: { requests: ${story.requests} }`}
`;
}

/** Two workloads that have nothing to do with each other, one of each usual class of service. */
export const unrelatedWorkloads = [
  workload({
    kind: 'Deployment',
    name: 'storefront',
    container: 'web',
    says: 'storefront listens on 8080',
    replicas: 2,
    requests: '{ cpu: 10m, memory: 16Mi }',
  }),
  workload({ kind: 'DaemonSet', name: 'node-agent', container: 'agent', says: 'agent reports every 30 s' }),
].join('---\n');
