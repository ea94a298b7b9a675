import { describe, expect, it } from 'vitest';
import type { Citation } from '../model/citation.ts';
import { citationLabel, labelGroups, shortPointer, wholeLabel } from './citation-label.ts';

function lines(doc: string, first: number, last = first): Citation {
  return { doc, at: { lines: [first, last] }, quote: '' };
}

function pointer(doc: string, path: string): Citation {
  return { doc, at: { pointer: path, lines: [4, 9] }, quote: '' };
}

const LAST_STATE = '/items/7/status/containerStatuses/0/lastState';

describe('labels', () => {
  it('name document and line', () => {
    expect(citationLabel(lines('config.toml', 12))).toBe('config.toml:12');
    expect(citationLabel(lines('describe.txt', 9, 11))).toBe('describe.txt:9-11');
  });

  it('shorten pointers to the item and the field', () => {
    expect(citationLabel(pointer('pods.json', LAST_STATE))).toBe('pods.json#/items/7/…/lastState');
    expect(wholeLabel(pointer('pods.json', LAST_STATE))).toBe(`pods.json#${LAST_STATE}`);
    expect(shortPointer('/spec/nodeName')).toBe('/spec/nodeName');
    expect(shortPointer('')).toBe('');
  });

  it('put lines of one document together, once each, and count what they name', () => {
    const cited = [
      lines('kubelet.log', 2),
      lines('kubelet.log', 4),
      lines('kubelet.log', 4),
      lines('kubelet.log', 6),
      lines('kubelet.log', 8),
      lines('kern.log', 1),
    ];
    expect(labelGroups(cited)).toEqual([
      { label: 'kubelet.log:2,4,6', named: 3 },
      { label: 'kern.log:1', named: 1 },
    ]);
    expect(labelGroups([pointer('pods.json', '/items/7'), pointer('pods.json', '/items/8')])).toEqual([
      { label: 'pods.json#/items/7', named: 1 },
    ]);
    expect(labelGroups([])).toEqual([]);
  });
});
