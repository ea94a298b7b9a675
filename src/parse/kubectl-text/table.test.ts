import { describe, expect, it } from 'vitest';
import { viewFrom } from './lines.ts';
import { cutRow, readRows } from './table.ts';
import { parseHeader } from './table-header.ts';

function names(line: string): readonly string[] | undefined {
  return parseHeader(line)?.columns.map((column) => column.name);
}

describe('parseHeader', () => {
  it('keeps names of two words together, with columns and without', () => {
    const expected = ['NAME', 'STATUS', 'ACCESS MODES', 'AGE'];
    expect(names('NAME   STATUS   ACCESS MODES   AGE')).toEqual(expected);
    expect(names('NAME STATUS ACCESS MODES AGE')).toEqual(expected);
    expect(names('NAME\tSTATUS\tACCESS MODES\tAGE')).toEqual(expected);
    expect(names('| NAME | STATUS | ACCESS MODES | AGE |')).toEqual(expected);
  });

  it('splits columns that lost the gap between them, and only those it knows', () => {
    expect(names('NAME  READY STATUS   AGE')).toEqual(['NAME', 'READY', 'STATUS', 'AGE']);
    expect(names('NAME   SYNC STATUS   HEALTH STATUS')).toEqual(['NAME', 'SYNC STATUS', 'HEALTH STATUS']);
  });

  it('refuses prose and other headers', () => {
    expect(names('NAME')).toBeUndefined();
    expect(names('NAME of the pod')).toBeUndefined();
    expect(names('CONTAINER ID   IMAGE')).toBeUndefined();
    expect(names('x'.repeat(5000))).toBeUndefined();
  });
});

describe('cutRow', () => {
  const always = () => true;

  function cut(header: string, row: string): Record<string, string> | undefined {
    const parsed = parseHeader(header);
    const cells = parsed && cutRow(parsed, row, always);
    return cells && Object.fromEntries(cells);
  }

  it('leaves empty cells empty where columns stand in line', () => {
    expect(cut('NAME   CLASS   ADDRESS   PORTS   AGE', 'web    nginx             80      4d')).toEqual({
      NAME: 'web',
      CLASS: 'nginx',
      ADDRESS: '',
      PORTS: '80',
      AGE: '4d',
    });
  });

  it('leaves empty cells empty between tabs', () => {
    expect(cut('NAME\tCLASS\tADDRESS\tAGE', 'web\tnginx\t\t4d')).toEqual({ NAME: 'web', CLASS: 'nginx', ADDRESS: '', AGE: '4d' });
  });

  it('keeps what belongs to a cell in spite of blanks', () => {
    expect(cut('NAME RESTARTS AGE', 'web 2 (15s ago) 4d')).toEqual({ NAME: 'web', RESTARTS: '2 (15s ago)', AGE: '4d' });
    expect(cut('NAME OS-IMAGE AGE', 'w1 Some Linux 9 4d')).toEqual({ NAME: 'w1', 'OS-IMAGE': 'Some Linux 9', AGE: '4d' });
  });

  it('gives up on a row that fits no way', () => {
    const header = parseHeader('NAME   AGE');
    expect(header && cutRow(header, 'one two three four', () => false)).toBeUndefined();
  });
});

describe('readRows', () => {
  it('stops before the line that does not fit', () => {
    const lines = ['a', 'b', '', 'c', '', '', 'd'];
    const block = readRows(viewFrom(lines, 0), 0, (line) => new Map([['NAME', line]]));
    expect(block.rows.map((row) => row.line)).toEqual([0, 1, 3]);
    expect(block.next).toBe(4);
  });
});
