import { catalogue } from './causes/catalogue.ts';
import { deriveFacts } from './facts/derive/index.ts';
import { createFactBase, type FactBase } from './facts/fact-base.ts';
import { onlySince, onlyToldSince } from './facts/only-since.ts';
import type { Catalogue } from './model/cause.ts';
import type { Document, Unread } from './model/document.ts';
import type { Evidence } from './model/evidence.ts';
import type { Examined } from './model/finding.ts';
import type { Report, ReportSource, Touched } from './model/report.ts';
import type { Translate } from './model/wording.ts';
import { createReader } from './parse/read-documents.ts';
import { about } from './reason/about.ts';
import { linesOf } from './reason/lines.ts';
import { type Reasoned, reason } from './reason/reason.ts';
import { assembleReport } from './reason/report.ts';

export interface DiagnoseOptions {
  /** Causes to consider; the built-in catalogue unless given. */
  readonly causes?: Catalogue;
  /** `pod/NAME` or the like: its incident comes first. */
  readonly focus?: string;
  /** Only incidents that touch this are told; a bundle that was collected for something says so itself. */
  readonly about?: Touched;
  /** The reader's language; English unless given. */
  readonly translate?: Translate;
  /** The cluster that the evidence comes from. */
  readonly source?: ReportSource;
  /** What collecting could not read; shown in the report. */
  readonly unread?: readonly Unread[];
  /** Epoch milliseconds; what happened before does not count, e.g. after a fix. */
  readonly notBefore?: number;
  /** Epoch milliseconds; events and lines of logs from before do not count, but how things stand does. */
  readonly toldSince?: number;
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
  const diagnosis = openDiagnosis(options);
  await diagnosis.read(documents, options.unread);
  const thought = diagnosis.think();
  return { report: diagnosis.report(thought), examined: thought.reasoned.examined };
}

/** What the evidence so far comes to. */
export interface Thought {
  readonly base: FactBase;
  readonly reasoned: Reasoned;
}

/** A diagnosis whose evidence arrives in rounds: read, think, look for what is missing, read on. */
export interface Diagnosis {
  read(documents: Documents, unread?: readonly Unread[]): Promise<void>;
  think(): Thought;
  report(thought: Thought): Report;
}

export function openDiagnosis(options: DiagnoseOptions = {}): Diagnosis {
  const started = performance.now();
  const causes = options.causes ?? catalogue;
  const reader = createReader(linesOf(causes), options);
  return {
    async read(documents, unread = []) {
      await reader.read(withBytes(documents));
      reader.note(unread);
    },
    think() {
      const { evidence } = reader.result();
      const base = createFactBase(recent(evidence, options));
      deriveFacts(base);
      return { base, reasoned: reason(causes, base, { focus: options.focus, translate: options.translate }) };
    },
    report({ base, reasoned }) {
      const read = reader.result();
      const milliseconds = performance.now() - started;
      const report = assembleReport({
        reasoned,
        base,
        read: { ...read, unread: read.evidence.unread },
        milliseconds,
        translate: options.translate,
      });
      const source = options.source ?? read.bundle?.source;
      const thing = options.about ?? read.bundle?.about;
      const sourced = source ? { ...report, source } : report;
      return thing ? about(sourced, thing) : sourced;
    },
  };
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

function recent(evidence: Evidence, { notBefore, toldSince }: DiagnoseOptions): Evidence {
  const told = toldSince === undefined ? evidence : onlyToldSince(evidence, toldSince);
  return notBefore === undefined ? told : onlySince(told, notBefore);
}
