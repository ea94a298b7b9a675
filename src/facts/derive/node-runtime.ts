import type { EntityId } from '../../model/entity.ts';
import type { Fact } from '../../model/facts.ts';
import { versionAtLeast } from '../../model/version.ts';
import type { FactBase } from '../fact-base.ts';
import { citedOf } from './cited.ts';

/** As the kubelet reports it; a node that is about to move to containerd still says Docker until its new kubelet runs. */
export function deriveDockerRuntime(base: FactBase): void {
  for (const { about, runtime, runtimeVersion, cited } of base.all('node.info')) {
    if (runtime !== 'docker') continue;
    base.add({ kind: 'node.docker-runtime', about, cited, ...(runtimeVersion !== undefined ? { version: runtimeVersion } : {}) });
  }
}

/** Where pods run by Docker, a containerd that answers nobody is the one below it. */
export function deriveDockerLink(base: FactBase): void {
  for (const mute of base.all('runtime.setting').filter(isMuteContainerd)) {
    const [docker] = base.of('node.docker-runtime', mute.about);
    if (!docker) continue;
    const cited = citedOf([mute, docker]);
    base.add({ ...mute, runtime: 'docker', key: 'containerd-link', value: 'lost', cited });
  }
}

function isMuteContainerd({ runtime, key, value }: Fact<'runtime.setting'>): boolean {
  return runtime === 'containerd' && key === 'answers' && value === 'no';
}

/** From kubelet 1.34 on, with a runtime that answers RuntimeConfig, the driver is asked for, never configured twice. */
export function deriveDriverFollowsRuntime(base: FactBase): void {
  for (const setting of base.all('kubelet.cgroup-driver')) {
    if (setting.source === 'cri') {
      base.add({ kind: 'node.driver-follows-runtime', about: setting.about, cited: setting.cited, how: 'log' });
    }
  }
  const nodes = new Set<EntityId>([...base.all('node.info'), ...base.all('host.version')].map(({ about }) => about));
  for (const node of nodes) {
    const kubelet = versionFact(base, node, 'kubelet');
    const runtime = versionFact(base, node, 'containerd') ?? versionFact(base, node, 'crio') ?? versionFact(base, node, 'cri-o');
    if (!kubelet || !runtime || !versionAtLeast(kubelet.version, '1.34')) continue;
    if (!versionAtLeast(runtime.version, runtime.component === 'containerd' ? '2.0' : '1.28')) continue;
    base.add({ kind: 'node.driver-follows-runtime', about: node, cited: citedOf([kubelet.fact, runtime.fact]), how: 'versions' });
  }
}

function versionFact(base: FactBase, node: EntityId, component: string): { version: string; component: string; fact: Fact } | undefined {
  const said = base.of('host.version', node).find((fact) => fact.component === component);
  if (said) return { version: said.version, component, fact: said };
  for (const info of base.of('node.info', node)) {
    const version = component === 'kubelet' ? info.kubeletVersion : info.runtime === component ? info.runtimeVersion : undefined;
    if (version !== undefined) return { version, component, fact: info };
  }
  return undefined;
}
