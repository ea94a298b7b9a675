import { type Html, html, NOTHING } from '../escape.ts';
import { listed, say } from '../voice.ts';
import { clip, shorten, widthOf } from '../words.ts';
import type { Frame, Part, Scene, Tile } from './scene.ts';

interface Measures {
  readonly width: number;
  readonly columns: number;
  readonly mostTiles: number;
  readonly pad: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WIDE: Measures = { width: 680, columns: 3, mostTiles: 6, pad: 16 };
const NARROW: Measures = { width: 320, columns: 1, mostTiles: 5, pad: 9 };
const HEAD = 30;
const PART_HEIGHT = 50;
const TILE_HEIGHT = 66;
const GAP = 12;
const GUTTER = 22;
const NAME_COLUMN = 7.4;
const SMALL_COLUMN = 6.3;

function fits(text: string, width: number, column: number): string {
  return shorten(text, Math.max(4, Math.floor(width / column)));
}

function drawFrame(frame: Frame, box: Box, depth: number): Html {
  const kind = frame.kind.toLocaleUpperCase(say.language);
  const taken = widthOf(kind) * 8.6 + 32;
  const note = fits(frame.note ?? '', box.width / 3, SMALL_COLUMN);
  const room = box.width - taken - widthOf(note) * SMALL_COLUMN;
  return html`<svg x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"><title>${`${frame.kind} ${frame.name}`.trim()}</title><rect class="frame depth-${depth}" x="0.5" y="0.5" width="${box.width - 1}" height="${box.height - 1}" rx="10"/><text x="12" y="20"><tspan class="kind">${kind}</tspan><tspan class="frame-name" dx="8">${fits(frame.name, room, NAME_COLUMN)}</tspan></text>${
    note !== '' && html`<text class="trouble" x="${box.width - 12}" y="20" text-anchor="end">${note}</text>`
  }</svg>`;
}

function drawPart(part: Part, box: Box): Html {
  const left = part.faulty ? 34 : 14;
  const room = box.width - left - 8;
  const words = `${part.kind} ${part.name}`;
  const bolt = html`<circle class="bolt-ground" cx="19" cy="25" r="10"/><path class="bolt" d="M20.6 17.5 14.8 26h3.8l-1.2 6.5 5.8-8.6h-3.9z"/>`;
  return html`<svg x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"><title>${part.faulty ? say('html.picture.fault', { part: words }) : words}</title><rect class="${part.faulty ? 'part faulty' : 'part'}" x="1" y="1" width="${box.width - 2}" height="${box.height - 2}" rx="8"/>${part.faulty && bolt}<text class="small" x="${left}" y="20">${fits(part.kind, room, SMALL_COLUMN)}</text><text class="part-name" x="${left}" y="37">${fits(part.name, room, NAME_COLUMN)}</text></svg>`;
}

function drawTile(tile: Tile, box: Box): Html {
  const room = box.width - 22;
  const lines = [tile.note, tile.trouble].filter((line) => line !== '');
  const start = lines.length === 2 ? 22 : 28;
  return html`<svg x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"><title>${tile.full}</title><rect class="tile" x="0.5" y="0.5" width="${box.width - 1}" height="${box.height - 1}" rx="7"/><text class="tile-name" x="11" y="${start}">${fits(tile.name, room, NAME_COLUMN)}</text>${lines.map(
    (line, index) =>
      html`<text class="${line === tile.trouble ? 'trouble' : 'small'}" x="11" y="${start + 17 * (index + 1)}">${clip(line, Math.floor(room / SMALL_COLUMN))}</text>`,
  )}</svg>`;
}

function drawMore(count: number, names: readonly string[], box: Box): Html {
  return html`<svg x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"><title>${listed(names.slice(0, 40))}</title><rect class="tile rest" x="6.5" y="0.5" width="${box.width - 7}" height="${box.height - 7}" rx="7"/><rect class="tile rest" x="0.5" y="6.5" width="${box.width - 7}" height="${box.height - 7}" rx="7"/><text class="tile-name" x="14" y="${box.height / 2 + 8}">${say('more.count', { count })}</text></svg>`;
}

function partBoxes(scene: Scene, area: Box): readonly Box[] {
  const many = scene.parts.length;
  const width = Math.min(many === 1 ? 300 : 220, (area.width - GAP * (many - 1)) / many);
  return scene.parts.map((_, index) => ({ x: area.x + index * (width + GAP), y: area.y, width, height: PART_HEIGHT }));
}

/** Where there is little room the fault takes a row of its own, below the parts that are well. */
function stackedPartBoxes(scene: Scene, area: Box): readonly Box[] {
  const well = scene.parts.filter((part) => !part.faulty).length;
  const width = (area.width - GAP * (well - 1)) / well;
  const below = well === 0 ? 0 : PART_HEIGHT + GAP;
  let next = 0;
  return scene.parts.map((part) => {
    if (part.faulty) return { x: area.x, y: area.y + below, width: area.width, height: PART_HEIGHT };
    next += 1;
    return { x: area.x + (next - 1) * (width + GAP), y: area.y, width, height: PART_HEIGHT };
  });
}

function tileBoxes(count: number, measures: Measures, area: Box): readonly Box[] {
  const columns = measures.columns === 1 ? 1 : count === 4 || count < 3 ? 2 : measures.columns;
  const width = (area.width - GUTTER - GAP * (columns - 1)) / columns;
  const rowHeight = TILE_HEIGHT + (columns === 1 ? 10 : 26);
  return Array.from({ length: count }, (_, index) => ({
    x: area.x + GUTTER + (index % columns) * (width + GAP),
    y: area.y + 34 + Math.floor(index / columns) * rowHeight,
    width,
    height: TILE_HEIGHT,
  }));
}

function center(box: Box): number {
  return Math.round(box.x + box.width / 2);
}

/** One trunk beside the victims, a branch into the side of each. */
function sideLines(from: Box, tiles: readonly Box[]): string {
  const trunk = (tiles[0]?.x ?? 0) - GUTTER + 8;
  const bottom = from.y + from.height;
  const reach = Math.max(...tiles.map((tile) => tile.y + tile.height / 2));
  const start = Math.max(from.x + 14, trunk);
  const branches = tiles.map((tile) => `M${trunk} ${tile.y + tile.height / 2}H${tile.x}`).join('');
  return `M${start} ${bottom}V${bottom + 16}H${trunk}V${reach}${branches}`;
}

/** Straight down onto a victim where one stands below. */
function stemOf(from: Box, centers: readonly number[]): number {
  const below = centers.filter((x) => x > from.x + 10 && x < from.x + from.width - 10);
  return below[0] ?? center(from);
}

/** One bus above each row of victims, a drop onto each. */
function topLines(from: Box, tiles: readonly Box[]): string {
  const trunk = (tiles[0]?.x ?? 0) - GUTTER + 8;
  const firstRow = tiles[0]?.y ?? 0;
  const stemAt = stemOf(from, tiles.filter((tile) => tile.y === firstRow).map(center));
  const rows = [...new Set(tiles.map((tile) => tile.y))];
  const lines = rows.map((y) => {
    const centers = tiles.filter((tile) => tile.y === y).map(center);
    const ends = [...centers, y === firstRow ? stemAt : trunk, ...(rows.length > 1 ? [trunk] : [])];
    const bus = `M${Math.min(...ends)} ${y - 15}H${Math.max(...ends)}`;
    return bus + centers.map((x) => `M${x} ${y - 15}V${y}`).join('');
  });
  const stem = `M${stemAt} ${from.y + from.height}V${firstRow - 15}`;
  const lastRow = rows.at(-1) ?? firstRow;
  return `${stem}${rows.length > 1 ? `M${trunk} ${firstRow - 15}V${lastRow - 15}` : ''}${lines.join('')}`;
}

function frameBoxes(scene: Scene, measures: Measures, bottom: number): readonly Box[] {
  const deep = scene.frames.length;
  return scene.frames.map((_, index) => ({
    x: index * measures.pad,
    y: index * HEAD,
    width: measures.width - 2 * index * measures.pad,
    height: bottom + (deep - index) * measures.pad - index * HEAD,
  }));
}

function lineEnd(tile: Box, measures: Measures): Html {
  const [x, y] = measures.columns === 1 ? [tile.x, tile.y + tile.height / 2] : [center(tile), tile.y];
  return html`<circle class="end" cx="${x}" cy="${y}" r="3.5"/>`;
}

function drawScene(scene: Scene, measures: Measures, dashed: boolean, size: 'wide' | 'narrow'): Html {
  const deep = scene.frames.length;
  const inset = deep * measures.pad;
  const area = { x: inset, y: deep * HEAD + 4, width: measures.width - 2 * inset, height: 0 };
  const parts = (measures.columns === 1 ? stackedPartBoxes : partBoxes)(scene, area);
  const under = Math.max(...parts.map((part) => part.y)) + PART_HEIGHT;
  const shown = scene.count > measures.mostTiles ? scene.tiles.slice(0, measures.mostTiles - 1) : scene.tiles;
  const more = scene.count - shown.length;
  const tiles = tileBoxes(shown.length + (more > 0 ? 1 : 0), measures, { ...area, y: under });
  const last = tiles.at(-1);
  const bottom = last === undefined ? under : last.y + last.height;
  const frames = frameBoxes(scene, measures, bottom);
  const fault =
    parts[
      Math.max(
        0,
        scene.parts.findIndex((part) => part.faulty),
      )
    ];
  const lines = fault === undefined || tiles.length === 0 ? '' : (measures.columns === 1 ? sideLines : topLines)(fault, tiles);
  const height = bottom + inset;
  return html`<svg class="${size}" viewBox="0 0 ${measures.width} ${height}" width="${measures.width}" height="${height}" role="img"><title>${say('html.picture.title')}</title><desc>${scene.described}</desc>${scene.frames.map(
    (frame, index) => boxed(frames[index], (box) => drawFrame(frame, box, index)),
  )}<path class="${dashed ? 'lines dashed' : 'lines'}" d="${lines}"/>${scene.parts.map((part, index) => boxed(parts[index], (box) => drawPart(part, box)))}${shown.map(
    (tile, index) => boxed(tiles[index], (box) => drawTile(tile, box)),
  )}${
    more > 0 &&
    boxed(last, (box) =>
      drawMore(
        more,
        scene.tiles.slice(shown.length).map((tile) => tile.name),
        box,
      ),
    )
  }${tiles.map((tile) => lineEnd(tile, measures))}</svg>`;
}

function boxed(box: Box | undefined, draw: (box: Box) => Html): Html {
  return box === undefined ? NOTHING : draw(box);
}

/** Twice, once per width: text in a picture that is scaled down to a phone cannot be read. */
export function drawPicture(scene: Scene, confidence: string): Html {
  const dashed = confidence !== 'certain';
  const legend = scene.count > 0 ? say(dashed ? 'html.picture.unproven' : 'html.picture.victims', { count: scene.count }) : '';
  return html`<figure class="picture">${drawScene(scene, WIDE, dashed, 'wide')}${drawScene(scene, NARROW, dashed, 'narrow')}${legend !== '' && html`<figcaption class="sr">${legend}</figcaption>`}</figure>`;
}
