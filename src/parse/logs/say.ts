import { plainQuotes } from './go-quote.ts';
import type { LogLine } from './log-line.ts';

const ERROR_KEYS = ['err', 'error', 'Error', 'error.message', 'exception', 'errorCause'] as const;
/** Fields that say who, where and when, which is kept elsewhere, or that are no words. */
const SILENT = new Set<string>([
  ...ERROR_KEYS,
  'pod',
  'pods',
  'podUID',
  'podUIDs',
  'podName',
  'pod_name',
  'podNamespace',
  'pod_namespace',
  'namespace',
  'containerName',
  'containerID',
  'containerId',
  'podSandboxID',
  'sandboxID',
  'logger',
  'caller',
  'file',
  'source',
  'v',
  'pid',
  'hostname',
  'stacktrace',
  'errorVerbose',
  'stack',
  'config',
  'nodeConfig',
  'request',
  'response',
  'stream',
  'id',
]);
const LONGEST_FIELD = 300;
const MOST_FIELDS = 12;
const LONGEST = 12_000;

/** What a line says, in one text: the message, what else its fields tell, and last the error behind it, all decoded. */
export function textOf(line: LogLine, more: readonly string[] = []): string {
  let text = line.message;
  if (line.fields) text += fieldsText(line.fields) + errorText(line.fields, text);
  // JSON keeps traces in its message; elsewhere a newline within a quote is a word break.
  if (line.format !== 'json' && text.includes('\n'))
    text = text
      .split('\n')
      .map((part) => part.trim())
      .join(' ');
  text = text.trim();
  text = plainQuotes(text);
  if (more.length > 0) text = `${text}\n${more.join('\n')}`;
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}\n…\n${text.slice(-LONGEST / 2)}`;
}

function fieldsText(fields: Readonly<Record<string, string>>): string {
  let text = '';
  let count = 0;
  for (const [key, value] of Object.entries(fields)) {
    if ((SILENT.has(key) && !value.startsWith('io.containerd.')) || value === '' || value.length > LONGEST_FIELD || count >= MOST_FIELDS)
      continue;
    text += ` ${key}=${value}`;
    count += 1;
  }
  return text;
}

function errorText(fields: Readonly<Record<string, string>>, message: string): string {
  for (const key of ERROR_KEYS) {
    const value = fields[key];
    if (value !== undefined && value !== '' && value !== '<nil>' && value !== 'null' && !message.includes(value)) return `: ${value}`;
  }
  return '';
}

const TROUBLE = new RegExp(
  `\\b(?:${[
    'error',
    'fatal',
    'panic',
    'exception',
    'fail(?:ed|ure|s)?',
    'cannot',
    "can't",
    'could not',
    "couldn't",
    'unable',
    'denied',
    'refused',
    'no such',
    'not found',
    'timed out',
    'timeout',
    'invalid',
    'unauthori[sz]ed',
    'forbidden',
    'killed',
    'abort(?:ed|ing)?',
    'crash(?:ed)?',
    'segfault',
    'unsupported',
    'missing',
    'traceback',
  ].join('|')})\\b`,
  'i',
);

/** Whether a line without a level of its own reads like trouble. */
export function soundsBad(text: string): boolean {
  return TROUBLE.test(text.length > 4000 ? text.slice(0, 4000) : text);
}
