import { describe, expect, it } from 'vitest';
import { ACTING } from '../../test/samples/acting.ts';
import { cgroupReport, hostileReport, sampleReports } from '../../test/samples/reports.ts';
import { renderJson } from './json.ts';

describe('renderJson', () => {
  it.each(Object.entries(sampleReports))('keeps every value of the %s report', (_, sample) => {
    expect(JSON.parse(renderJson(sample))).toEqual(sample);
  });

  it('writes the same text whatever order the report was built in', () => {
    const backwards = Object.fromEntries(Object.entries(cgroupReport).reverse());
    expect(renderJson(backwards as unknown as typeof cgroupReport)).toBe(renderJson(cgroupReport));
  });

  it('starts with the version, and names things before their details', () => {
    expect(renderJson(cgroupReport)).toMatch(/^\{\n {2}"version": 1,\n {2}"tool": \{\n {4}"name": "podcause"/);
    expect(renderJson(cgroupReport)).toMatch(/"doc": "config\.toml",\s+"at": \{\s+"lines": \[\s+12,\s+12\s+\]\s+\},\s+"quote"/);
  });

  it('holds nothing a terminal would act on', () => {
    expect(renderJson(hostileReport)).not.toMatch(ACTING);
  });
});
