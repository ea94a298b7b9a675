import type { Report } from '../model/report.ts';
import { inKeyOrder } from './key-order.ts';

/** Characters JSON may hold as they are, but a terminal would act on: written as escapes, so that the value is the same. */
const ACTING =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u034f|\udb40[\udc00-\udc7f]/g;

export function renderJson(report: Report): string {
  return `${JSON.stringify(inKeyOrder(report), null, 2).replace(ACTING, escaped)}\n`;
}

function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
