import { deepNamespace, deepPod } from '../collect/cluster/deep-pod.ts';
import type { ClusterScope } from '../collect/cluster/lists.ts';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { planLive } from '../live/plan.ts';
import { inertLines } from '../render/inert.ts';
import { DEEP, deepScript } from './deep.ts';
import { EXIT } from './errors.ts';
import type { LiveFlags } from './live-flags.ts';
import { write } from './output.ts';

/** What would be asked, and with `--deep` what would be created; nothing of it is done. */
export async function printPlan(port: ClusterPort, scope: ClusterScope, flags: LiveFlags): Promise<number> {
  const plan = planLive(scope);
  if (flags.output === 'json') {
    const deep = flags.deep ? { creates: manifests(flags) } : {};
    await write(`${JSON.stringify({ server: port.server, context: port.context, scope, plan, ...deep }, null, 2)}\n`);
    return EXIT.healthy;
  }
  const lines = [`podcause would ask ${port.context ?? 'the cluster'} (${port.server}), reading only:`, ''];
  for (const { what, requests, atMost } of plan) {
    lines.push(`  ${what}; at most ${atMost}`);
    for (const request of requests) lines.push(`      ${request}`);
  }
  lines.push('', 'Beyond the lists only what an open question asks for is fetched.');
  if (flags.deep) lines.push('', ...deepLines(flags));
  await write(`${inertLines(lines.join('\n'))}\n`);
  return EXIT.healthy;
}

function manifests(flags: LiveFlags): unknown[] {
  const namespace = 'podcause-XXXXXXXX';
  const pod = {
    namespace,
    node: 'NODE',
    image: flags.deepImage ?? DEEP.image,
    script: deepScript(),
    secondsAtMost: DEEP.startSeconds + DEEP.runSeconds,
  };
  return [deepNamespace(namespace), deepPod(pod)];
}

function deepLines(flags: LiveFlags): string[] {
  return [
    'With --deep, after asking, it would create these for each suspect node and one healthy twin, and remove them again:',
    ...manifests(flags).flatMap((manifest) => ['', JSON.stringify(manifest, null, 2)]),
  ];
}
