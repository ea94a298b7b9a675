import { Document, isScalar, visit } from 'yaml';
import type { Report } from '../model/report.ts';
import { inertDeep } from './inert.ts';
import { inKeyOrder } from './key-order.ts';

export function renderYaml(report: Report): string {
  const document = new Document(inertDeep(inKeyOrder(report)), { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.every((item) => isScalar(item) && typeof item.value === 'number');
    },
  });
  return document.toString({ lineWidth: 0 });
}
