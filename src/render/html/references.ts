import type { At, Citation } from '../../model/citation.ts';
import type { Excerpt } from '../../model/report.ts';
import { say } from './voice.ts';

/** Something of ours that rests on a line; the line links back to it. */
export interface Origin {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly claim?: number;
}

export interface CitedLine {
  readonly origins: Map<string, Origin>;
  readonly quotes: Set<string>;
}

export interface LooseQuote {
  readonly anchor: string;
  readonly where: string;
  readonly quote: string;
  readonly origins: Map<string, Origin>;
}

export interface CitedDocument {
  readonly name: string;
  readonly slug: string;
  readonly lines: Map<number, string>;
  readonly cited: Map<number, CitedLine>;
  readonly quotes: Map<string, LooseQuote>;
}

export interface References {
  /** Registers the citation and gives the fragment that leads to it. */
  readonly cite: (citation: Citation, origin: Origin) => string;
  /** A fragment for a place nobody quotes, where an excerpt shows it. */
  readonly locate: (doc: string, line: number) => string | undefined;
  readonly nextClaim: () => number;
  readonly documents: () => readonly CitedDocument[];
}

export function lineAnchor(document: CitedDocument, line: number): string {
  return `${document.slug}-${line}`;
}

function whereIn(at: At): string {
  if ('pointer' in at) return at.object === undefined ? `#${at.pointer}` : `${at.object} #${at.pointer}`;
  const [first, last] = at.lines;
  return first === last
    ? say('html.evidence.line', { line: String(first) })
    : say('html.evidence.lines', { first: String(first), last: String(last) });
}

function slugOf(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(-60);
  let slug = `doc-${plain}`;
  for (let copy = 2; taken.has(slug); copy += 1) slug = `doc-${plain}~${copy}`;
  taken.add(slug);
  return slug;
}

function shownLines(document: CitedDocument, lines: readonly [number, number]): readonly number[] {
  const [first, last] = lines;
  if (last - first < document.lines.size) {
    const shown: number[] = [];
    for (let line = first; line <= last; line += 1) if (document.lines.has(line)) shown.push(line);
    return shown;
  }
  return [...document.lines.keys()].filter((line) => line >= first && line <= last).sort((a, b) => a - b);
}

function citeLines(document: CitedDocument, shown: readonly number[], quote: string, origin: Origin): string {
  shown.forEach((line, index) => {
    const cited = document.cited.get(line) ?? { origins: new Map(), quotes: new Set() };
    if (index === 0) cited.origins.set(origin.id, origin);
    cited.quotes.add(quote);
    document.cited.set(line, cited);
  });
  return lineAnchor(document, shown[0] ?? 0);
}

function citeQuote(document: CitedDocument, citation: Citation, origin: Origin): string {
  const where = whereIn(citation.at);
  const key = `${where}\n${citation.quote}`;
  const known = document.quotes.get(key);
  const quote = known ?? { anchor: `${document.slug}-q${document.quotes.size + 1}`, where, quote: citation.quote, origins: new Map() };
  quote.origins.set(origin.id, origin);
  document.quotes.set(key, quote);
  return quote.anchor;
}

export function createReferences(excerpts: readonly Excerpt[]): References {
  const documents = new Map<string, CitedDocument>();
  const taken = new Set<string>();
  let claims = 0;

  function documentOf(name: string): CitedDocument {
    const known = documents.get(name);
    if (known !== undefined) return known;
    const document = { name, slug: slugOf(name, taken), lines: new Map(), cited: new Map(), quotes: new Map() };
    documents.set(name, document);
    return document;
  }

  for (const excerpt of excerpts) {
    const first = Number.isSafeInteger(excerpt.first) && excerpt.first >= 0 ? excerpt.first : 1;
    const { lines } = documentOf(excerpt.doc);
    for (const [index, line] of excerpt.lines.entries()) lines.set(first + index, line);
  }

  function cite(citation: Citation, origin: Origin): string {
    const document = documentOf(citation.doc);
    const shown = citation.at.lines === undefined ? [] : shownLines(document, citation.at.lines);
    const anchor = shown.length > 0 ? citeLines(document, shown, citation.quote, origin) : citeQuote(document, citation, origin);
    return `#${anchor}`;
  }

  function locate(doc: string, line: number): string | undefined {
    const document = documents.get(doc);
    return document?.lines.has(line) ? `#${lineAnchor(document, line)}` : undefined;
  }

  function nextClaim(): number {
    claims += 1;
    return claims;
  }

  return { cite, locate, nextClaim, documents: () => [...documents.values()] };
}
