import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ACTING } from '../../test/samples/acting.ts';
import { cgroupReport, hostileReport, sampleReports } from '../../test/samples/reports.ts';
import { inertDeep } from './inert.ts';
import { renderYaml } from './yaml.ts';

describe('renderYaml', () => {
  it.each(Object.entries(sampleReports))('can be read back: the %s report', (_, sample) => {
    expect(parse(renderYaml(sample))).toEqual(inertDeep(sample));
  });

  it('has no anchors, although samples share objects', () => {
    const shared = cgroupReport.incidents[0]?.because[0]?.cited[0];
    const twice = { ...cgroupReport, history: [{ says: 'x', about: 'x', cited: shared === undefined ? [] : [shared, shared] }] };
    expect(renderYaml(twice)).not.toMatch(/[&*]a\d/);
  });

  it('does not fold long quotes, and keeps line ranges on one line', () => {
    expect(renderYaml(cgroupReport)).toMatch(/\n +lines: \[ 12, 12 \]\n/);
    expect(renderYaml(cgroupReport)).toMatch(/quote: 'Mar 03 [^\n]*pod="kube-system\/kube-proxy-7xk2m"'\n/);
  });

  it('holds nothing a terminal would act on', () => {
    expect(renderYaml(hostileReport)).not.toMatch(ACTING);
  });
});
