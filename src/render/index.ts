import type { Report } from '../model/report.ts';
import { renderHtml } from './html/index.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTerminal, type TerminalOptions } from './terminal.ts';
import { renderYaml } from './yaml.ts';

export type Format = 'terminal' | 'json' | 'yaml' | 'markdown' | 'html';

export interface RenderOptions extends Partial<TerminalOptions> {
  /** Title of an HTML page. */
  readonly title?: string;
}

const PIPED: TerminalOptions = { width: 80, color: false, unicode: true, verbose: false };

export function render(report: Report, format: Format, options: RenderOptions = {}): string {
  switch (format) {
    case 'terminal':
      return renderTerminal(report, { ...PIPED, ...options });
    case 'json':
      return renderJson(report);
    case 'yaml':
      return renderYaml(report);
    case 'markdown':
      return renderMarkdown(report, options);
    case 'html':
      return renderHtml(report, options);
  }
}
