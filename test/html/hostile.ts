import type { Report } from '../../src/model/report.ts';

export const PAYLOAD =
  '"><img src=x onerror="window.hit=1"></style></script></title></svg><script>window.hit=1</script>' +
  "<svg onload=window.hit=1><a href=javascript:window.hit=1>javascript:window.hit=1' onmouseover='window.hit=1` \u202eevil\u202c\u0000\u001b[31m\u2028";

/** Fields whose words choose what is drawn; kept in one variant so that every branch draws hostile text. */
const CHOOSING = new Set(['verdict', 'confidence', 'role', 'risk', 'on', 'tone', 'area', 'placeId', 'id', 'extent', 'doc', 'pointer']);

function planted(value: unknown, key: string, keep: boolean): unknown {
  if (typeof value === 'string') {
    if (!keep) return PAYLOAD;
    return CHOOSING.has(key) ? value : `${value} ${PAYLOAD}`;
  }
  if (Array.isArray(value)) return value.map((one) => planted(one, key, keep));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, planted(inner, name, keep)]));
}

/** Every string of the report becomes the payload. */
export function everywhere(report: Report): Report {
  return planted(report, '', false) as Report;
}

/** Every free text of the report carries the payload; words the drawing branches on stay. */
export function inFreeText(report: Report): Report {
  return planted(report, '', true) as Report;
}

/** Names of documents, entities and pointers carry it too, still telling one from another. */
export function inNames(report: Report): Report {
  const plant = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return ['doc', 'placeId', 'id', 'pointer'].includes(key) ? `${value}${PAYLOAD}` : value;
    if (Array.isArray(value)) return value.map((one) => plant(one, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plant(inner, name)]));
  };
  return plant(report, '') as Report;
}
