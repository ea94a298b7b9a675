import { type Html, html, NOTHING } from './escape.ts';
import { type CitedDocument, type CitedLine, type LooseQuote, lineAnchor, type Origin, type References } from './references.ts';
import { say } from './voice.ts';

const LINE_ROOM = 1200;
const BEFORE_QUOTE = 240;
const ORIGINS_SHOWN = 6;

function backLink(origin: Origin, words: string): Html {
  return html`<a href="#${origin.id}" title="${words}" aria-label="${words}">${origin.label}</a>`;
}

function backLinks(origins: ReadonlyMap<string, Origin>): Html {
  if (origins.size === 0) return NOTHING;
  const links = [...origins.values()]
    .slice(0, ORIGINS_SHOWN)
    .map((origin) => backLink(origin, say('html.evidence.back', { title: origin.title })));
  const rest = origins.size - links.length;
  return html` <span class="backs">${links}${rest > 0 && html`<span>+${rest}</span>`}</span>`;
}

function quotedPart(line: string, quotes: Iterable<string>): readonly [start: number, end: number] | undefined {
  for (const quote of quotes) {
    const text = quote.trim().replace(/…$/, '').trimEnd();
    const start = text === '' ? -1 : line.indexOf(text);
    if (start >= 0 && text.length < line.trim().length) return [start, start + text.length];
  }
  return undefined;
}

function lineText(line: string, cited: CitedLine | undefined): Html {
  const part = cited === undefined ? undefined : quotedPart(line, cited.quotes);
  const from = line.length > LINE_ROOM && part !== undefined ? Math.max(0, part[0] - BEFORE_QUOTE) : 0;
  const to = Math.min(line.length, from + LINE_ROOM);
  const [start, end] = part === undefined ? [to, to] : [Math.min(part[0], to), Math.min(part[1], to)];
  const marked = end > start ? html`<mark>${line.slice(start, end)}</mark>` : NOTHING;
  return html`${from > 0 && '…'}${line.slice(from, start)}${marked}${line.slice(end, to)}${to < line.length && html`<i>${say('html.evidence.cut', { count: line.length - to })}</i>`}`;
}

function lineRow(document: CitedDocument, number: number, line: string): Html {
  const cited = document.cited.get(number);
  const anchor = lineAnchor(document, number);
  return html`<li id="${anchor}" class="${cited === undefined ? 'line' : 'line hit'}"><a class="at" href="#${anchor}" tabindex="-1">${number}</a><span class="text">${lineText(line, cited)}${backLinks(cited?.origins ?? new Map())}</span></li>`;
}

function linesOf(document: CitedDocument): Html {
  const numbers = [...document.lines.keys()].sort((a, b) => a - b);
  if (numbers.length === 0) return NOTHING;
  const rows = numbers.map((number, index) => {
    const before = numbers[index - 1];
    const gap = before !== undefined && number > before + 1 ? html`<li class="gap" aria-hidden="true">⋯</li>` : NOTHING;
    return html`${gap}${lineRow(document, number, document.lines.get(number) ?? '')}`;
  });
  return html`<ol class="lines">${rows}</ol>`;
}

function quoteCard(quote: LooseQuote): Html {
  return html`<li id="${quote.anchor}" class="loose hit"><span class="where">${quote.where}</span><span class="text">${lineText(quote.quote, undefined)}${backLinks(quote.origins)}</span></li>`;
}

function documentCard(document: CitedDocument, index: number): Html {
  const quotes = [...document.quotes.values()];
  return html`<section class="file" id="file-${index + 1}"><h3 class="name">${document.name}</h3>${linesOf(document)}${
    quotes.length > 0 && html`<ul class="quotes">${quotes.map(quoteCard)}</ul>`
  }</section>`;
}

/** The number of the first claim that rests on a document. */
function firstClaim(document: CitedDocument): number {
  const origins = [...document.cited.values(), ...document.quotes.values()].flatMap((cited) => [...cited.origins.values()]);
  return origins.reduce((first, origin) => Math.min(first, origin.claim ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

function inOrderOfClaims(documents: readonly CitedDocument[]): readonly CitedDocument[] {
  const ranked = documents.map((document) => ({ document, rank: firstClaim(document) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ document }) => document);
}

/** Drawn last: only then is known which lines are cited, and by what. */
export function evidencePanel(references: References): Html {
  const shown = references.documents().filter((document) => document.lines.size > 0 || document.quotes.size > 0);
  const documents = inOrderOfClaims(shown);
  if (documents.length === 0) return NOTHING;
  return html`<aside class="evidence" id="evidence" aria-label="${say('html.evidence')}" tabindex="-1"><div class="panel"><header><h2>${say('html.evidence')}</h2><p class="note">${say('summary.files', { count: documents.length })}</p><button type="button" class="plain" data-wrap aria-pressed="false">${say('html.evidence.wrap')}</button></header>${documents.map(documentCard)}</div></aside>`;
}
