import { ERRNO, EXIT, GRPC, HTTP, MOUNT, SIGNALS, SYSTEMD_STATUS } from './code-tables.ts';

/** What a code means, under an id that stays the same in every language. */
export interface CodeMeaning {
  readonly id: string;
  readonly says: string;
}

const TEXT_LIMIT = 8192;
const MOST = 8;

export function explainExit(code: number): CodeMeaning | undefined {
  const known = EXIT[code];
  if (known) return { id: `exit-${code}`, says: known };
  const signal = code > 128 && code < 193 ? SIGNALS[code - 128] : undefined;
  if (signal) return { id: `exit-${code}`, says: `ended by ${signal.name} (${signal.says})` };
  return code > 0 && code < 256 ? { id: 'exit-other', says: `ended with its own code ${code}; its log tells why` } : undefined;
}

export function explainSignal(signal: number | string): CodeMeaning | undefined {
  const known = typeof signal === 'number' ? SIGNALS[signal] : Object.values(SIGNALS).find(({ name }) => name === signal.toUpperCase());
  return known && { id: `signal-${known.name}`, says: `${known.name}: ${known.says}` };
}

export function explainErrno(name: string): CodeMeaning | undefined {
  const known = ERRNO[name];
  return known && { id: `errno-${name}`, says: known.says };
}

export function explainGrpc(code: string): CodeMeaning | undefined {
  const says = GRPC[code];
  return says === undefined ? undefined : { id: `grpc-${code}`, says };
}

export function explainHttp(status: number): CodeMeaning | undefined {
  const says = HTTP[status];
  return says === undefined ? undefined : { id: `http-${status}`, says };
}

type Meaning = (value: string) => CodeMeaning | undefined;

const ERRNO_BY_TEXT = new Map(Object.entries(ERRNO).map(([name, { text }]) => [text, name]));
const ERRNO_TEXTS = [...ERRNO_BY_TEXT.keys()].sort((a, b) => b.length - a.length);

const FINDERS: readonly { readonly pattern: RegExp; readonly meaning: Meaning }[] = [
  {
    pattern:
      /(?<!\bmount failed: )\bexit(?:ed)?[ _-]?(?:with )?(?:non-zero )?(?:status|code|value)?(?: was)?\s{0,8}[:=]?\s{0,8}(?<value>\d{1,3})\b/gi,
    meaning: (value) => explainExit(Number(value)),
  },
  { pattern: /\bmount failed: exit status (?<value>\d{1,2})\b/gi, meaning: explainMount },
  { pattern: /\bstatus=\d{1,3}\/(?<value>[A-Z_]{3,30})\b/g, meaning: explainSystemd },
  { pattern: /\b(?<value>SIG[A-Z]{2,6}\d?)\b/g, meaning: explainSignal },
  { pattern: /\bsignal[:=]? ?(?<value>\d{1,2})\b/gi, meaning: (value) => explainSignal(Number(value)) },
  { pattern: /\bsignal: (?<value>killed|terminated|segmentation fault|aborted|interrupt|bus error)/gi, meaning: explainSignalWord },
  { pattern: /\b(?<value>E[A-Z0-9]{2,14})\b/g, meaning: explainErrno },
  {
    pattern: new RegExp(`\\b(?<value>${ERRNO_TEXTS.join('|')})\\b`, 'gi'),
    meaning: (value) => explainErrno(ERRNO_BY_TEXT.get(value.toLowerCase()) ?? ''),
  },
  { pattern: /\bcode = (?<value>[A-Z][A-Za-z]{1,20})\b/g, meaning: explainGrpc },
  {
    pattern: /\b(?:status(?:[ _-]?code)?|HTTP\/\d(?:\.\d)?|response(?: code)?)"?\s{0,2}[:=]?\s{0,2}(?<value>[3-5]\d\d)\b/gi,
    meaning: (value) => explainHttp(Number(value)),
  },
  { pattern: /\b(?<value>[45]\d\d) (?:[A-Z][a-z]+)/g, meaning: (value) => explainHttp(Number(value)) },
];

/** Plain words for the codes in a text: exit codes, signals, errno, gRPC, HTTP; each once, in the order of that list. */
export function explainCodes(text: string): readonly CodeMeaning[] {
  const near = text.slice(0, TEXT_LIMIT);
  const found = new Map<string, CodeMeaning>();
  for (const { pattern, meaning } of FINDERS) {
    for (const match of near.matchAll(pattern)) {
      const explained = meaning(match.groups?.['value'] ?? '');
      if (explained && !found.has(explained.id)) found.set(explained.id, explained);
      if (found.size === MOST) return [...found.values()];
    }
  }
  return [...found.values()];
}

function explainMount(code: string): CodeMeaning | undefined {
  const says = MOUNT[Number(code)];
  return says === undefined ? undefined : { id: `mount-${code}`, says };
}

function explainSystemd(name: string): CodeMeaning | undefined {
  const says = SYSTEMD_STATUS[name];
  return says === undefined ? undefined : { id: `systemd-${name}`, says };
}

const SIGNAL_WORDS: Readonly<Record<string, number>> = {
  killed: 9,
  terminated: 15,
  'segmentation fault': 11,
  aborted: 6,
  interrupt: 2,
  'bus error': 7,
};

function explainSignalWord(word: string): CodeMeaning | undefined {
  return explainSignal(SIGNAL_WORDS[word.toLowerCase()] ?? 0);
}
