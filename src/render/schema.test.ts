import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import schema from '../../schema/report.schema.json' with { type: 'json' };
import { cgroupReport, sampleReports } from '../../test/samples/reports.ts';
import type { Area, Risk } from '../model/cause.ts';
import type { Channel, Extent } from '../model/channel.ts';
import type { Symptom } from '../model/facts.ts';
import type { Confidence, Report } from '../model/report.ts';
import { renderJson } from './json.ts';

const validate = new Ajv2020({ strict: true, strictRequired: false, allErrors: true }).compile(schema);

function problems(value: unknown): string[] {
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** A copy that a test may break. */
// biome-ignore lint/suspicious/noExplicitAny: it is broken in ways no type allows
function copy(): any {
  return structuredClone(cgroupReport);
}

describe('the report schema', () => {
  it.each(Object.entries(sampleReports))('accepts the %s report', (_, sample) => {
    expect(problems(JSON.parse(renderJson(sample)))).toEqual([]);
  });

  // biome-ignore lint/suspicious/noExplicitAny: it is broken in ways no type allows
  it.each<[string, (broken: any) => void]>([
    ['another version', (broken) => (broken.version = 2)],
    ['an unknown verdict', (broken) => (broken.verdict = 'maybe')],
    ['an unknown field', (broken) => (broken.extra = 1)],
    ['an unknown field deep inside', (broken) => (broken.incidents[0].because[0].cited[0].page = 1)],
    ['a missing field', (broken) => delete broken.coverage.pods],
    ['a confidence in percent', (broken) => (broken.incidents[0].confidence = 0.8)],
    ['a citation without a place', (broken) => (broken.incidents[0].because[0].cited[0].at = {})],
    ['a line range of one number', (broken) => (broken.incidents[0].because[0].cited[0].at.lines = [3])],
    ['a line zero', (broken) => (broken.incidents[0].because[0].cited[0].at.lines = [0, 1])],
    ['an unknown symptom', (broken) => (broken.incidents[0].victims[0].symptoms = ['sad'])],
    ['an unknown risk', (broken) => (broken.incidents[0].fixes[0].risk = 'none')],
    ['a step without words', (broken) => delete broken.incidents[0].fixes[0].steps[0].say],
    ['an incident number zero', (broken) => (broken.incidents[0].number = 0)],
    ['an unknown channel', (broken) => (broken.incidents[0].asks[0].channel = 'radio')],
    ['a negative count', (broken) => (broken.incidents[0].victimCount = -1)],
    ['an excluding reason', (broken) => (broken.incidents[0].because[0].role = 'excludes')],
    ['a report without a tool', (broken) => delete broken.tool],
  ])('rejects %s', (_, damage) => {
    const broken = copy();
    damage(broken);
    expect(problems(broken)).not.toEqual([]);
  });

  it('closes every object and uses every definition', () => {
    const text = JSON.stringify(schema);
    expect(text.match(/"type":"object"/g)?.length).toBe(text.match(/"additionalProperties":false/g)?.length);
    for (const name of Object.keys(schema.$defs)) expect(text).toContain(`"#/$defs/${name}"`);
  });

  it('requires and allows the fields of the model', () => {
    const fields: Record<keyof Report, true> = {
      version: true,
      tool: true,
      source: true,
      verdict: true,
      incidents: true,
      undecided: true,
      elsewhere: true,
      ruledOut: true,
      history: true,
      coverage: true,
      excerpts: true,
      failures: true,
      timings: true,
    };
    expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(fields).sort());
    const optional = ['source', 'elsewhere'];
    expect([...schema.required, ...optional].sort()).toEqual(Object.keys(fields).sort());
  });

  it('knows every word of the model', () => {
    const confidences: Record<Confidence, true> = { certain: true, probable: true, possible: true };
    const risks: Record<Risk, true> = {
      'reads-only': true,
      'restarts-pods': true,
      'moves-pods': true,
      'touches-node': true,
      'may-lose-data': true,
    };
    const extents: Record<Extent, true> = { whole: true, excerpt: true, denied: true, failed: true, expired: true };
    const areas: Record<Area | 'unknown', true> = {
      app: true,
      config: true,
      image: true,
      scheduling: true,
      probe: true,
      resource: true,
      storage: true,
      network: true,
      runtime: true,
      kubelet: true,
      node: true,
      'control-plane': true,
      policy: true,
      unknown: true,
    };
    const symptoms: Record<Symptom, true> = {
      'crash-loop': true,
      restarts: true,
      pending: true,
      creating: true,
      'init-stuck': true,
      'init-crash': true,
      'image-pull': true,
      'config-error': true,
      'create-error': true,
      oom: true,
      evicted: true,
      failed: true,
      'not-ready': true,
      'stuck-terminating': true,
      'no-pods': true,
      'node-not-ready': true,
      'kubelet-down': true,
      'runtime-down': true,
      'control-plane-down': true,
      'volume-pending': true,
      'other-trouble': true,
    };
    const channels: Record<Channel, true> = {
      'pod-status': true,
      'pod-spec': true,
      'pod-events': true,
      'node-status': true,
      'node-events': true,
      workload: true,
      'object-events': true,
      objects: true,
      'container-log': true,
      'kubelet-log': true,
      'containerd-log': true,
      'docker-log': true,
      'crio-log': true,
      'kernel-log': true,
      'system-log': true,
      'unit-state': true,
      'kubelet-config': true,
      'kubelet-health': true,
      'containerd-config': true,
      'docker-config': true,
      'crio-config': true,
      'runtime-state': true,
      'cgroup-paths': true,
      'cgroup-version': true,
      'host-os': true,
      'host-versions': true,
      'host-tools': true,
      'host-state': true,
      'apparmor-state': true,
      'control-plane-log': true,
      'kubeadm-output': true,
      prose: true,
    };
    const { confidence, risk, extent, area, symptom, channel } = schema.$defs;
    const words = [confidence, risk, extent, area, symptom, channel].map((one) => one.enum);
    expect(words).toEqual([confidences, risks, extents, areas, symptoms, channels].map(Object.keys));
  });
});
