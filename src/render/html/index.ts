import { createHash } from 'node:crypto';
import type { Report } from '../../model/report.ts';
import { type Text, text } from '../../text/messages.ts';
import { placeName } from '../../text/place.ts';
import { effortForms, summaryParts } from '../view.ts';
import { type Html, html, NOTHING, trusted } from './escape.ts';
import { evidencePanel } from './evidence.ts';
import { folds } from './folds.ts';
import { head } from './head.ts';
import { incidents } from './incident.ts';
import { createReferences } from './references.ts';
import { SCRIPT } from './script.ts';
import { STYLES } from './styles/index.ts';
import { phrase, say, spokenIn } from './voice.ts';

interface HtmlOptions {
  readonly title?: string;
  /** The language of the page; English unless given. */
  readonly say?: Text;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%23b4232c'/%3E%3Cpath d='M9 2.8 4.6 9h2.9L6.6 13.2 11 7H8.1z' fill='%23fff'/%3E%3C/svg%3E";

function sha256(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function policy(): string {
  return [
    "default-src 'none'",
    `style-src ${sha256(STYLES)}`,
    `script-src ${sha256(SCRIPT)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function titleOf(report: Report): string {
  const [first] = report.incidents;
  if (first !== undefined) return `${first.title} · ${placeName(first.place, say)} · podcause`;
  return report.verdict === 'healthy' ? say('html.title.healthy') : say('html.title.undecided');
}

function topBar(report: Report): Html {
  const counts = report.verdict === 'healthy' ? say('html.healthy') : summaryParts(report, say).join(' · ');
  const [read] = effortForms(report, say);
  return html`<div class="bar"><p class="brand">podcause</p><p class="note counts">${counts}</p><p class="note read">${read}</p><button type="button" class="plain theme" data-theme-toggle aria-label="${say('html.theme')}"><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M9 2a7 7 0 0 1 0 14z" fill="currentColor"/></svg></button></div>`;
}

function footer(report: Report): Html {
  const { redactions } = report.coverage;
  const sentences = [
    say('html.footer.tool', { ...report.tool, format: String(report.version) }),
    say('html.footer.facts', { count: report.timings.facts }),
    ...(redactions > 0 ? [say('html.footer.secrets', { count: redactions })] : []),
    say('html.footer.alone'),
  ];
  const told = sentences.reduce((first, next) => say('html.sentences', { first, next }));
  const keys = phrase('html.footer.keys', { next: html`<kbd>j</kbd>`, previous: html`<kbd>k</kbd>`, evidence: html`<kbd>e</kbd>` });
  return html`<footer><p>${told}</p><p class="keys">${keys}</p></footer>`;
}

/** One file that stands alone: no network, no storage, script and style pinned by their hashes. */
export function renderHtml(report: Report, options: HtmlOptions = {}): string {
  return spokenIn(options.say ?? text, () => page(report, options.title ?? titleOf(report)));
}

function page(report: Report, title: string): string {
  const references = createReferences(report.excerpts);
  const main = html`<main id="main" tabindex="-1">${head(report)}${incidents(report.incidents, references)}${folds(report, references)}</main>`;
  const evidence = evidencePanel(references);
  const alone = evidence === NOTHING ? 'page alone' : 'page';
  return html`<!doctype html>
<html lang="${say.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="podcause ${report.tool.version}">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${trusted(STYLES)}</style>
<script>${trusted(SCRIPT)}</script>
</head>
<body>
<a class="skip" href="#main">${say('html.skip.answer')}</a>
${evidence !== NOTHING && html`<a class="skip" href="#evidence">${say('html.skip.evidence')}</a>`}
${topBar(report)}
<div class="${alone}">
${main}
${evidence}
</div>
${footer(report)}
<div class="tip" role="tooltip" id="tip" hidden></div>
</body>
</html>
`.toString();
}
