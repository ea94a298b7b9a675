import { describe, expect, it } from 'vitest';
import { cgroupReport } from '../../test/samples/reports.ts';
import { render } from './index.ts';

describe('render', () => {
  it.each([
    ['terminal', /^ {2}1 cause · 3 pods/],
    ['json', /^\{\n {2}"version": 1/],
    ['yaml', /^version: 1\n/],
    ['markdown', /^## podcause: /],
    ['html', /^<!doctype html>/i],
  ] as const)('draws %s', (format, start) => {
    expect(render(cgroupReport, format)).toMatch(start);
  });

  it('hands options on', () => {
    expect(render(cgroupReport, 'terminal', { width: 40 })).not.toBe(render(cgroupReport, 'terminal'));
    expect(render(cgroupReport, 'html', { title: 'Tuesday night' })).toContain('Tuesday night');
  });
});
