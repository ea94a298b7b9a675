import { allPodsReady } from '../conditions.ts';
import { defineScenario, type Scenario } from '../scenario.ts';
import { applyManifest } from '../vm/observe.ts';

/** A pod on each node, and nothing wrong: what is tried on one node must not be felt on the other. */
export function soundNodes(id: string, title: string): Scenario {
  return defineScenario({
    id,
    title,
    on: 'worker-a',
    breakIt: (lab, namespace) => applyManifest(lab, namespace, ['worker-a', 'worker-b'].map(podOn).join('---\n')),
    until: { ...allPodsReady(), what: 'a pod runs on each node' },
    expect: 'healthy',
  });
}

function podOn(node: string): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: on-${node} }
spec:
  nodeName: ${node}
  terminationGracePeriodSeconds: 1
  containers:
    - name: web
      image: lab.local/busybox:1
      command: [sh, -c, "echo open; exec httpd -f -p 8080"]
`;
}
