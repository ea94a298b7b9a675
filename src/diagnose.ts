import { catalogue } from './causes/catalogue.ts';
import { deriveFacts } from './facts/derive/index.ts';
import { createFactBase } from './facts/fact-base.ts';
import type { Cause } from './model/cause.ts';
import type { Document, Unread } from './model/document.ts';
import type { Examined } from './model/finding.ts';
import type { Report } from './model/report.ts';
import { readDocuments } from './parse/read-documents.ts';
import { linesOf } from './reason/lines.ts';
import { reason } from './reason/reason.ts';
import { assembleReport } from './reason/report.ts';

export interface DiagnoseOptions {
  /** Causes to consider; the built-in catalogue unless given. */
  readonly causes?: readonly Cause[];
  /** `pod/NAME` or the like: its incident comes first. */
  readonly focus?: string;
  /** What collecting could not read; shown in the report. */
  readonly unread?: readonly Unread[];
  /** Off only for people who read their own secrets on their own screen. */
  readonly redact?: boolean;
  readonly onProgress?: (progress: { readonly doc: string; readonly bytes: number }) => void;
}

/** A document given as plain text. */
export interface TextDocument {
  readonly name: string;
  readonly text: string;
}

export type Documents = AsyncIterable<Document | TextDocument> | Iterable<Document | TextDocument>;

/** From evidence to a report: the only function that knows every stage. */
export async function diagnose(documents: Documents, options: DiagnoseOptions = {}): Promise<Report> {
  return (await diagnoseInDetail(documents, options)).report;
}

/** As `diagnose`, with every verdict: for the tests of causes. */
export async function diagnoseInDetail(
  documents: Documents,
  options: DiagnoseOptions = {},
): Promise<{ report: Report; examined: readonly Examined[] }> {
  const started = performance.now();
  const causes = options.causes ?? catalogue;
  const read = await readDocuments(withBytes(documents), linesOf(causes), options);
  const base = createFactBase(read.evidence);
  deriveFacts(base);
  const reasoned = reason(causes, base, options.focus);
  const unread = [...(options.unread ?? []), ...read.evidence.unread];
  const report = assembleReport({ reasoned, base, read: { ...read, unread }, milliseconds: performance.now() - started });
  return { report, examined: reasoned.examined };
}

async function* withBytes(documents: Documents): AsyncIterable<Document> {
  for await (const document of documents) {
    if ('text' in document) {
      const bytes = new TextEncoder().encode(document.text);
      yield { name: document.name, size: bytes.length, bytes };
    } else {
      yield document;
    }
  }
}
