export interface Stamp {
  readonly when: number;
  readonly text: string;
  /** Index after the stamp. */
  readonly end: number;
}

/** A date without a year, as klog and the journal print it. */
export interface Yearless {
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight. */
  readonly ofDay: number;
}

const ISO =
  /^(?<year>\d{4})(?<mark>[-/])(?<month>\d\d)\k<mark>(?<day>\d\d)[T ](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?(?: ?(?<zone>Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d))?/;
const CTIME =
  /^(?:[A-Z][a-z]{2} )?(?<month>[A-Z][a-z]{2}) {1,2}(?<day>\d{1,2}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))? (?:[A-Z]{3,4} )?(?<year>\d{4})\b/;
const DAY_FIRST =
  /^(?<day>\d\d)[- ](?<month>[A-Z][a-z]{2})[- ](?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?/;
const KLOG_DAY = /^(?<month>\d\d)(?<day>\d\d) (?<time>\d\d:\d\d:\d\d(?:\.\d{1,9})?)/;
const NAMED_DAY = /^(?<month>\p{L}{3,4}\.?|\d{1,2}月) {1,3}(?<day>\d{1,2}) (?<time>\d\d:\d\d:\d\d(?:\.\d{1,9})?)/u;

const MONTHS: Readonly<Record<string, number>> = {
  jan: 1,
  feb: 2,
  mar: 3,
  apr: 4,
  may: 5,
  jun: 6,
  jul: 7,
  aug: 8,
  sep: 9,
  oct: 10,
  nov: 11,
  dec: 12,
  sept: 9,
  june: 6,
  july: 7,
  mär: 3,
  mai: 5,
  okt: 10,
  dez: 12,
  janv: 1,
  févr: 2,
  mars: 3,
  avr: 4,
  juin: 6,
  juil: 7,
  août: 8,
  déc: 12,
  ene: 1,
  abr: 4,
  ago: 8,
  dic: 12,
};

export function monthOf(name: string): number | undefined {
  if (name.endsWith('月')) {
    const month = Number.parseInt(name, 10);
    return month >= 1 && month <= 12 ? month : undefined;
  }
  const key = name.toLowerCase().replace('.', '');
  return Object.hasOwn(MONTHS, key) ? MONTHS[key] : undefined;
}

/** The stamp with year, month and day that the text starts with. */
export function readStamp(text: string): Stamp | undefined {
  const first = text.charCodeAt(0);
  if (first >= 48 && first <= 57) return stampFrom(ISO.exec(text)) ?? stampFrom(DAY_FIRST.exec(text));
  if (first >= 65 && first <= 90) return stampFrom(CTIME.exec(text));
  return undefined;
}

function stampFrom(match: RegExpExecArray | null): Stamp | undefined {
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const monthText = groups['month'] ?? '';
  const month = /^\d/.test(monthText) ? Number(monthText) : (monthOf(monthText) ?? 0);
  const day = Number(groups['day']);
  const hour = Number(groups['hour']);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23) return undefined;
  const utc = Date.UTC(Number(groups['year']), month - 1, day, hour, Number(groups['minute']), Number(groups['second']));
  const when = utc + milliseconds(groups['fraction']) - zoneOffset(groups['zone']);
  return Number.isFinite(when) ? { when, text: match[0], end: match[0].length } : undefined;
}

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
}

function zoneOffset(zone: string | undefined): number {
  if (zone === undefined || zone.length < 5) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

export function hasZone(stampText: string): boolean {
  return /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/.test(stampText);
}

/** Seconds, milliseconds, microseconds or nanoseconds since the epoch, told apart by their size. */
export function epochOf(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 1e8 || value > 1e20) return undefined;
  if (value < 1e11) return Math.floor(value * 1000);
  if (value < 1e14) return Math.floor(value);
  return Math.floor(value < 1e17 ? value / 1e3 : value / 1e6);
}

/** Reads `0719 20:54:58.445104` and `Jul 19 20:54:58`. */
export function readYearless(text: string): Yearless | undefined {
  const groups = (KLOG_DAY.exec(text) ?? NAMED_DAY.exec(text))?.groups;
  if (!groups) return undefined;
  const name = groups['month'] ?? '';
  const month = /^\d\d$/.test(name) ? Number(name) : (monthOf(name) ?? 0);
  const day = Number(groups['day']);
  const [hours = '0', minutes = '0', seconds = '0'] = (groups['time'] ?? '').split(':');
  if (month < 1 || month > 12 || day < 1 || day > 31 || Number(hours) > 23) return undefined;
  return { month, day, ofDay: Math.floor((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000) };
}
