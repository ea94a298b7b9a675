import { describe, expect, it } from 'vitest';
import { languageOf } from './language.ts';

const { translate } = languageOf({
  language: 'xx',
  name: 'Test',
  frames: {},
  texts: { 'the pod': 'POD', '{what} is gone': '{what} WEG' },
  slots: {
    ' through a proxy': ' ÜBER PROXY',
    'at present held by {1}': 'GEHALTEN VON {1}',
    'port {1}': 'ANSCHLUSS {1}',
    '{1} of {2} nodes': 'VON {2} KNOTEN {1}',
    'its file{1} is missing': 'DATEI{1} FEHLT',
  },
  plans: { 'edit {1}': '[{1}]' },
});

describe('another language', () => {
  it.each([
    ['the pod', 'POD'],
    ['{what} is gone', '{what} WEG'],
    [' through a proxy', ' ÜBER PROXY'],
    ['at present held by nginx', 'GEHALTEN VON nginx'],
    ['at present held by the pod', 'GEHALTEN VON POD'],
    ['port 80', 'ANSCHLUSS 80'],
    ['port is not a number', 'port is not a number'],
    ['3 of 5 nodes', 'VON 5 KNOTEN 3'],
    ['its file through a proxy is missing', 'DATEI ÜBER PROXY FEHLT'],
  ])('says %s', (english, expected) => {
    expect(translate(english)).toBe(expected);
  });

  it('leaves alone what it does not know', () => {
    for (const text of ['web-0', 'something else entirely', '']) expect(translate(text)).toBe(text);
  });
});
