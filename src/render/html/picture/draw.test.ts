import { describe, expect, it } from 'vitest';
import { largeReport } from '../../../../test/html/large-report.ts';
import { NODE_INCIDENT } from '../../../../test/html/node-incident.ts';
import { drawPicture } from './draw.ts';
import { sceneOf } from './scene.ts';

function drawn(): string {
  const [first] = largeReport().incidents;
  return drawPicture(sceneOf(first ?? NODE_INCIDENT), 'certain').toString();
}

describe('drawPicture', () => {
  it('groups victims there is no room for, in both widths', () => {
    expect(drawn()).toContain('+29 more');
    expect(drawn()).toContain('+30 more');
  });

  it('tells in words what it shows', () => {
    const picture = drawPicture(sceneOf(NODE_INCIDENT), 'probable').toString();
    expect(picture).toContain('<desc>cluster, in it node heron-2. The fault sits at containerd. It hits 3 victims');
    expect(picture.match(/role="img"/g)).toHaveLength(2);
  });

  it('breaks the lines of what is not proven', () => {
    expect(drawPicture(sceneOf(NODE_INCIDENT), 'probable').toString()).toContain('lines dashed');
    expect(drawn()).not.toContain('dashed');
  });

  it('keeps every coordinate a number inside the picture', () => {
    const width = 680;
    for (const [, x, w] of drawn().matchAll(/<svg x="([^"]+)" y="[^"]+" width="([^"]+)"/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(0);
      expect(Number(x) + Number(w)).toBeLessThanOrEqual(width);
    }
    expect(drawn()).not.toMatch(/NaN|Infinity|undefined/);
  });
});
