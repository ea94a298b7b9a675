import { describe, expect, it } from 'vitest';
import { padEnd, spread, truncate, truncateMiddle, truncateStart, widthOf } from './pad.ts';

describe('widths', () => {
  it('counts columns, not characters', () => {
    expect(widthOf('节点')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('\u001b[31mred\u001b[39m')).toBe(3);
    expect(padEnd('节点', 6)).toBe('节点  ');
  });

  it('spreads two texts over a line, or says that they would touch', () => {
    expect(spread('left', 'right', 12)).toBe('left   right');
    expect(spread('left', 'right', 10)).toBeUndefined();
  });
});

describe('truncation', () => {
  it('never cuts a wide character in half', () => {
    expect(truncate('节点工作机', 6, '…')).toBe('节点…');
    expect(widthOf(truncateMiddle('节点工作机二号', 9, '…'))).toBeLessThanOrEqual(9);
    expect(widthOf(truncateStart('节点工作机二号', 8, '…'))).toBeLessThanOrEqual(8);
  });

  it('keeps what matters: start, both ends, or end', () => {
    expect(truncate('abcdefgh', 5, '…')).toBe('abcd…');
    expect(truncateMiddle('shop/checkout-5f6b8c9d7-vntx', 15, '…')).toBe('shop/ch…d7-vntx');
    expect(truncateStart('deep/path/kubelet.log:12', 15, '…')).toBe('…kubelet.log:12');
  });

  it('leaves short text alone', () => {
    expect(truncate('abc', 3, '…')).toBe('abc');
    expect(truncateMiddle('abc', 3, '…')).toBe('abc');
    expect(truncateStart('abc', 3, '…')).toBe('abc');
  });
});
