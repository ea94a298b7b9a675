import type { CoverageLine, Report, Undecided } from '../../model/report.ts';
import { size } from '../../text/format.ts';
import { placeName } from '../../text/place.ts';
import { hitOf } from '../view.ts';
import { asks } from './actions.ts';
import { citationLink, notClaim } from './claims.ts';
import { type Child, type Html, html, NOTHING } from './escape.ts';
import { channelWords, extentWords } from './labels.ts';
import type { References } from './references.ts';
import { victimList } from './victims.ts';
import { paragraphs, plural, prose, sentence, shorten } from './words.ts';

const MOST_ROWS = 150;

function fold(id: string, heading: string, count: string, body: Child, open = false): Html {
  return html`<details class="fold" id="${id}"${open && html` open`}><summary><h2>${heading}</h2><span class="note">${count}</span></summary><div class="folded-body">${body}</div></details>`;
}

function capped<T>(all: readonly T[], draw: (one: T, index: number) => Html): Html {
  const rest = all.length - MOST_ROWS;
  return html`${all.slice(0, MOST_ROWS).map(draw)}${rest > 0 && html`<li class="note">and ${rest} more</li>`}`;
}

function undecidedItem(one: Undecided, index: number, references: References, asked: boolean): Html {
  const open = one.open.map((cause) => cause.name).join(', ');
  return html`<li class="open-case">${!asked && paragraphs(sentence(one.says))}${victimList(hitOf(one), `open-${index + 1}`, references)}${
    open !== '' && html`<p class="note">Still possible: ${open}</p>`
  }${!asked && asks(one.asks)}</li>`;
}

function undecidedFold(report: Report, references: References): Html {
  if (report.undecided.length === 0) return NOTHING;
  const headless = report.incidents.length === 0;
  const items = report.undecided.map((one, index) => undecidedItem(one, index, references, headless && index === 0));
  const heading = headless ? 'What is in trouble' : 'Not explained yet';
  return fold('undecided', heading, plural(report.undecided.length, 'case'), html`<ol class="bare">${items}</ol>`, headless);
}

function historyFold(report: Report, references: References): Html {
  if (report.history.length === 0) return NOTHING;
  const items = capped(report.history, (one, index) => {
    const origin = { id: `history-${index + 1}`, label: '\u2191', title: one.says };
    return html`<li id="${origin.id}" class="victim" tabindex="-1"><span class="grow">${prose(one.says)}</span>${one.cited
      .slice(0, 3)
      .map((citation) => citationLink(citation, origin, references))}</li>`;
  });
  return fold(
    'history',
    'Past trouble, over',
    plural(report.history.length, 'note'),
    html`<ul class="victims">${items}</ul>`,
    report.incidents.length === 0,
  );
}

function ruledOutFold(report: Report, references: References): Html {
  if (report.ruledOut.length === 0) return NOTHING;
  const items = capped(report.ruledOut, (one) =>
    notClaim(one.because, references, html` <span class="note">so not: ${one.name}, ${placeName(one.place)}</span>`),
  );
  return fold('ruled-out', 'Ruled out', plural(report.ruledOut.length, 'cause'), html`<ol class="claims quiet">${items}</ol>`);
}

function coverageRow(line: CoverageLine): Html {
  const docs = line.docs.slice(0, 3).join(', ');
  const rest = line.docs.length - 3;
  return html`<tr><td>${channelWords(line.channel)}</td><td class="name">${shorten(placeName(line.about), 60)}</td><td class="extent ${line.extent === 'whole' ? 'whole' : 'partly'}">${extentWords(line.extent)}</td><td class="name">${shorten(docs, 80)}${rest > 0 && ` +${rest}`}</td></tr>`;
}

function coverageFold(report: Report): Html {
  const { coverage } = report;
  const rows = coverage.looked.slice(0, MOST_ROWS).map(coverageRow);
  const rest = coverage.looked.length - rows.length;
  const pieces = capped(
    coverage.pieces,
    (piece) =>
      html`<li><span class="grow">${piece.what}</span><span class="name note">${shorten(piece.doc, 60)}:${piece.lines[0]}-${piece.lines[1]}</span></li>`,
  );
  const table = html`<table><thead><tr><th scope="col">What</th><th scope="col">About</th><th scope="col">How far</th><th scope="col">From</th></tr></thead><tbody>${rows}</tbody></table>`;
  return fold(
    'coverage',
    'What was read',
    `${plural(coverage.documents, 'file')}, ${plural(coverage.lines, 'line')}, ${size(coverage.bytes)}`,
    html`${report.elsewhere !== undefined && html`<p class="note">${plural(report.elsewhere, 'other incident')} not shown: nothing of what was asked for is touched by it.</p>`}${rows.length > 0 && table}${rest > 0 && html`<p class="note">and ${rest} more</p>`}${coverage.pieces.length > 0 && html`<h3>Recognised</h3><ul class="rows">${pieces}</ul>`}`,
  );
}

function unrecognisedFold(report: Report): Html {
  const all = report.coverage.unrecognised;
  if (all.length === 0) return NOTHING;
  const items = capped(
    all,
    (one) =>
      html`<li><span class="grow"><q>${shorten(one.firstLine, 160)}</q></span><span class="name note">${shorten(one.doc, 60)}:${one.lines[0]}-${one.lines[1]} · ${size(one.bytes)}</span></li>`,
  );
  return fold('unrecognised', 'Not understood', plural(all.length, 'piece'), html`<ul class="rows">${items}</ul>`);
}

function unreadFold(report: Report): Html {
  const all = report.coverage.unread;
  if (all.length === 0) return NOTHING;
  const items = capped(
    all,
    (one) =>
      html`<li><span class="grow"><span class="name">${one.doc}</span> <span class="note">${one.why}</span>${one.command !== undefined && html` <code>${one.command}</code>`}</span>${one.size !== undefined && html`<span class="note">${size(one.size)}</span>`}</li>`,
  );
  return fold('unread', 'Not read', plural(all.length, 'file'), html`<ul class="rows">${items}</ul>`);
}

function failuresFold(report: Report): Html {
  if (report.failures.length === 0) return NOTHING;
  const items = capped(
    report.failures,
    (one) => html`<li><span class="grow"><span class="name">${one.cause}</span> <span class="note">${one.message}</span></span></li>`,
  );
  return fold(
    'failures',
    'Rules that broke on this evidence',
    plural(report.failures.length, 'rule'),
    html`<ul class="rows">${items}</ul>`,
  );
}

export function folds(report: Report, references: References): Html {
  return html`<div class="folds">${undecidedFold(report, references)}${historyFold(report, references)}${ruledOutFold(report, references)}${coverageFold(report)}${unrecognisedFold(report)}${unreadFold(report)}${failuresFold(report)}</div>`;
}
