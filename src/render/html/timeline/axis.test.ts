import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '../../../model/report.ts';
import { axesOf } from './axis.ts';

function entry(time: Partial<TimelineEntry>): TimelineEntry {
  return { what: 'Restart', about: 'shop/web-0', tone: 'bad', count: 1, cited: [], ...time };
}

const NOON = Date.UTC(2025, 4, 4, 12, 0, 0);

describe('axesOf', () => {
  it('draws ages with now at the right and older to the left', () => {
    const [axis] = axesOf([entry({ ago: 600 }), entry({ ago: 0 }), entry({ ago: 400, untilAgo: 120 })]);
    expect(axis?.kind).toBe('age');
    const [oldest, now, bar] = axis?.marks ?? [];
    expect(oldest?.from).toBeLessThan(bar?.from ?? 0);
    expect(bar?.to).toBeGreaterThan(bar?.from ?? 100);
    expect(now?.from).toBeGreaterThan(bar?.to ?? 100);
    expect(bar?.when).toBe('2m ago, over 4m40s');
    expect(axis?.ticks.map((tick) => tick.label)).toContain('now');
  });

  it('takes the two ends of a span in either order', () => {
    const [one, other] = [
      { ago: 400, untilAgo: 120 },
      { ago: 120, untilAgo: 400 },
    ].map((time) => axesOf([entry(time)])[0]?.marks[0]);
    expect(one?.from).toBe(other?.from);
    expect(one?.to).toBe(other?.to);
  });

  it('draws clock times with round ticks', () => {
    const [axis] = axesOf([entry({ at: NOON }), entry({ at: NOON + 8 * 60_000 })]);
    expect(axis?.kind).toBe('clock');
    expect(axis?.ticks.map((tick) => tick.label)).toContain('12:04:00');
    expect(axis?.marks[0]?.when).toBe('12:00:00');
  });

  it('claims no order between ages and clock times', () => {
    expect(axesOf([entry({ at: NOON }), entry({ ago: 60 })]).map((axis) => axis.kind)).toEqual(['clock', 'age']);
  });

  it('gives recent times more room when one event is old', () => {
    const [axis] = axesOf([entry({ ago: 10 }), entry({ ago: 60 }), entry({ ago: 120 }), entry({ ago: 30 * 86_400 })]);
    expect(axis?.compressed).toBe(true);
    const [recent, , earlier] = axis?.marks ?? [];
    expect((recent?.from ?? 0) - (earlier?.from ?? 0)).toBeGreaterThan(5);
  });

  it('survives times that cannot be', () => {
    const axes = axesOf([
      entry({ at: Number.NaN }),
      entry({ ago: -5 }),
      entry({ ago: Number.POSITIVE_INFINITY }),
      entry({ at: 1e300 }),
      entry({}),
    ]);
    expect(axes).toEqual([]);
    const [axis] = axesOf([entry({ ago: 0 }), entry({ ago: 1e15 })]);
    expect(axis?.marks.every((mark) => mark.from >= 0 && mark.to <= 100)).toBe(true);
    expect(axis?.ticks.length).toBeLessThan(9);
  });
});
