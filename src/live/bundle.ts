import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import type { Document, Page, Unread } from '../model/document.ts';
import type { ReportSource, Touched } from '../model/report.ts';
import { TOOL_VERSION } from '../model/tool-version.ts';
import type { Keeper } from './diagnose-live.ts';
import { sanitiseObject, sanitiseText } from './sanitise.ts';

export interface BundleHead {
  readonly source: ReportSource;
  /** What it was collected for, where that was not the whole cluster. */
  readonly about?: Touched;
}

/** Names come from the cluster and from archives: none of them may lead out of the folder. */
function inside(name: string): string {
  const parts = name.split('/').map((part) => (/^\.*$/.test(part) ? '_' : part.replaceAll(/[^\w.@:+-]/g, '_').slice(0, 200)));
  return parts.join('/');
}

interface Kept {
  readonly name: string;
  bytes: number;
  items?: number;
}

interface OpenList {
  readonly file: number;
  readonly kept: Kept;
  items: number;
}

/** Keeps redacted evidence in a folder of its own until it is packed; the folder goes away in any case. */
export class Bundle implements Keeper {
  private readonly folder = mkdtempSync(join(tmpdir(), 'podcause-'));
  private readonly lists = new Map<string, OpenList>();
  private readonly files = new Map<string, Kept>();
  private readonly missing: Unread[] = [];
  private readonly silent: string[] = [];
  private readonly count = { redactions: 0 };

  page(given: string, { bytes }: Page): void {
    const name = inside(given);
    const page = JSON.parse(Buffer.from(bytes).toString('utf8')) as { kind?: string; apiVersion?: string; items?: unknown[] };
    const list = this.lists.get(name) ?? this.openList(name, page.kind ?? 'List', page.apiVersion ?? 'v1');
    for (const item of page.items ?? []) {
      const text = JSON.stringify(sanitiseObject(item, this.count));
      list.kept.bytes += writeSync(list.file, `${list.items === 0 ? '' : ','}\n${text}`);
      list.items++;
    }
  }

  private openList(name: string, kind: string, apiVersion: string): OpenList {
    const kept = { name, bytes: 0 };
    const list = { file: openSync(this.pathOf(name), 'wx', 0o600), kept, items: 0 };
    kept.bytes += writeSync(list.file, `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"items":[`);
    this.lists.set(name, list);
    this.files.set(name, kept);
    return list;
  }

  document({ name: given, bytes }: Document): void {
    if (bytes === undefined) return;
    const name = inside(given);
    const { text, redactions } = sanitiseText(bytes, name);
    this.count.redactions += redactions;
    // A container that said nothing is told in the manifest; an empty file would look like one that got lost.
    if (text === '') {
      this.silent.push(name);
      return;
    }
    writeFileSync(this.pathOf(name), text, { mode: 0o600 });
    this.files.set(name, { name, bytes: Buffer.byteLength(text) });
  }

  unread(unread: Unread): void {
    this.missing.push(unread);
  }

  /** Writes the archive; returns what it holds. */
  async pack(target: string, head: BundleHead): Promise<{ files: number; missing: number; redactions: number }> {
    for (const { file, kept, items } of this.lists.values()) {
      kept.bytes += writeSync(file, '\n]}\n');
      kept.items = items;
      closeSync(file);
    }
    this.lists.clear();
    const files = [...this.files.values()];
    writeFileSync(join(this.folder, 'manifest.json'), `${JSON.stringify(this.manifest(head, files), null, 2)}\n`, { mode: 0o600 });
    // The manifest comes first: it says when all the rest was taken.
    await create({ gzip: true, file: target, cwd: this.folder, portable: true }, ['manifest.json', ...files.map(({ name }) => name)]);
    return { files: files.length, missing: this.missing.length, redactions: this.count.redactions };
  }

  private manifest({ source, about }: BundleHead, files: readonly Kept[]) {
    return {
      podcauseBundle: 1,
      tool: TOOL_VERSION,
      takenAt: source.takenAt,
      source,
      ...(about ? { about } : {}),
      redactions: this.count.redactions,
      files,
      empty: this.silent,
      missing: this.missing.map(({ doc, why, command, missed }) => ({ what: doc, why, command, missed })),
    };
  }

  remove(): void {
    for (const { file } of this.lists.values()) closeSync(file);
    this.lists.clear();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private pathOf(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }
}
