import { describe, expect, it } from 'vitest';
import { DARK, LIGHT, type Theme } from './theme.ts';

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

const PAIRS: readonly (readonly [text: keyof Theme, on: readonly (keyof Theme)[]])[] = [
  ['ink', ['ground', 'surface', 'sunken', 'hit', 'bad-tint']],
  ['soft', ['ground', 'surface', 'sunken', 'hit', 'bad-tint']],
  ['link', ['ground', 'surface', 'hit']],
  ['bad', ['ground', 'surface', 'bad-tint']],
  ['warn', ['ground', 'surface', 'warn-tint']],
  ['good', ['ground', 'surface', 'good-tint']],
  ['calm', ['surface']],
  ['sure', ['ground', 'surface', 'sure-tint']],
  ['on-sure', ['sure']],
  ['on-mark', ['mark']],
];

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
] as const)('the %s theme', (_, theme) => {
  it.each(PAIRS.flatMap(([text, on]) => on.map((ground) => [text, ground] as const)))('reads %s on %s', (text, ground) => {
    expect(contrast(theme[text], theme[ground])).toBeGreaterThanOrEqual(4.5);
  });
});
