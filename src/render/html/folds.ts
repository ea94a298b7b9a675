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
import { listed, say } from './voice.ts';
import { paragraphs, prose, sentence, shorten } from './words.ts';

const MOST_ROWS = 150;

function fold(id: string, heading: string, count: string, body: Child, open = false): Html {
  return html`<details class="fold" id="${id}"${open && html` open`}><summary><h2>${heading}</h2><span class="note">${count}</span></summary><div class="folded-body">${body}</div></details>`;
}

function capped<T>(all: readonly T[], draw: (one: T, index: number) => Html): Html {
  const rest = all.length - MOST_ROWS;
  return html`${all.slice(0, MOST_ROWS).map(draw)}${rest > 0 && html`<li class="note">${say('html.andMore', { count: rest })}</li>`}`;
}

function undecidedItem(one: Undecided, index: number, references: References, asked: boolean): Html {
  const open = listed(one.open.map((cause) => cause.name));
  return html`<li class="open-case">${!asked && paragraphs(sentence(one.says))}${victimList(hitOf(one), `open-${index + 1}`, references)}${
    open !== '' && html`<p class="note">${say('html.open.possible', { causes: open })}</p>`
  }${!asked && asks(one.asks)}</li>`;
}

function undecidedFold(report: Report, references: References): Html {
  if (report.undecided.length === 0) return NOTHING;
  const headless = report.incidents.length === 0;
  const items = report.undecided.map((one, index) => undecidedItem(one, index, references, headless && index === 0));
  const heading = headless ? say('html.open.headingAlone') : say('html.open.heading');
  return fold(
    'undecided',
    heading,
    say('html.open.cases', { count: report.undecided.length }),
    html`<ol class="bare">${items}</ol>`,
    headless,
  );
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
    say('html.history.heading'),
    say('html.history.notes', { count: report.history.length }),
    html`<ul class="victims">${items}</ul>`,
    report.incidents.length === 0,
  );
}

function ruledOutFold(report: Report, references: References): Html {
  if (report.ruledOut.length === 0) return NOTHING;
  const items = capped(report.ruledOut, (one) =>
    notClaim(
      one.because,
      references,
      html` <span class="note">${say('html.ruledOut.so', { name: one.name, place: placeName(one.place, say) })}</span>`,
    ),
  );
  return fold(
    'ruled-out',
    say('html.ruledOut.heading'),
    say('summary.causes', { count: report.ruledOut.length }),
    html`<ol class="claims quiet">${items}</ol>`,
  );
}

function coverageRow(line: CoverageLine): Html {
  const docs = listed(line.docs.slice(0, 3));
  const rest = line.docs.length - 3;
  return html`<tr><td>${channelWords(line.channel)}</td><td class="name">${shorten(placeName(line.about, say), 60)}</td><td class="extent ${line.extent === 'whole' ? 'whole' : 'partly'}">${extentWords(line.extent)}</td><td class="name">${shorten(docs, 80)}${rest > 0 && ` +${rest}`}</td></tr>`;
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
  const columns = [say('html.coverage.what'), say('html.coverage.about'), say('html.coverage.extent'), say('html.coverage.from')];
  const table = html`<table><thead><tr>${columns.map((words) => html`<th scope="col">${words}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
  return fold(
    'coverage',
    say('html.coverage.heading'),
    say('html.coverage.amount', {
      files: say('summary.files', { count: coverage.documents }),
      lines: say('summary.lines', { count: coverage.lines }),
      size: size(coverage.bytes, say),
    }),
    html`${report.elsewhere !== undefined && html`<p class="note">${say('html.coverage.elsewhere', { count: report.elsewhere })}</p>`}${rows.length > 0 && table}${rest > 0 && html`<p class="note">${say('html.andMore', { count: rest })}</p>`}${coverage.pieces.length > 0 && html`<h3>${say('html.coverage.recognised')}</h3><ul class="rows">${pieces}</ul>`}`,
  );
}

function unrecognisedFold(report: Report): Html {
  const all = report.coverage.unrecognised;
  if (all.length === 0) return NOTHING;
  const items = capped(
    all,
    (one) =>
      html`<li><span class="grow"><q>${shorten(one.firstLine, 160)}</q></span><span class="name note">${shorten(one.doc, 60)}:${one.lines[0]}-${one.lines[1]} · ${size(one.bytes, say)}</span></li>`,
  );
  return fold(
    'unrecognised',
    say('html.unrecognised.heading'),
    say('html.unrecognised.pieces', { count: all.length }),
    html`<ul class="rows">${items}</ul>`,
  );
}

function unreadFold(report: Report): Html {
  const all = report.coverage.unread;
  if (all.length === 0) return NOTHING;
  const items = capped(
    all,
    (one) =>
      html`<li><span class="grow"><span class="name">${one.doc}</span> <span class="note">${one.why}</span>${one.command !== undefined && html` <code>${one.command}</code>`}</span>${one.size !== undefined && html`<span class="note">${size(one.size, say)}</span>`}</li>`,
  );
  return fold('unread', say('html.unread.heading'), say('summary.files', { count: all.length }), html`<ul class="rows">${items}</ul>`);
}

function failuresFold(report: Report): Html {
  if (report.failures.length === 0) return NOTHING;
  const items = capped(
    report.failures,
    (one) => html`<li><span class="grow"><span class="name">${one.cause}</span> <span class="note">${one.message}</span></span></li>`,
  );
  return fold(
    'failures',
    say('html.failures.heading'),
    say('html.failures.rules', { count: report.failures.length }),
    html`<ul class="rows">${items}</ul>`,
  );
}

export function folds(report: Report, references: References): Html {
  return html`<div class="folds">${undecidedFold(report, references)}${historyFold(report, references)}${ruledOutFold(report, references)}${coverageFold(report)}${unrecognisedFold(report)}${unreadFold(report)}${failuresFold(report)}</div>`;
}
