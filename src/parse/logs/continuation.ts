/** What kind of trace is being printed, for lines that only belong together within one. */
export type Trace = 'python' | 'go' | 'stack' | 'request' | undefined;

const JAVA =
  /^\s+at \S|^\s*\.\.\. \d+ (?:more|common frames omitted)|^Caused by: |^\s+Suppressed: |^\s+--- |^[a-z]\w{0,40}(?:\.[\w$]{1,80}){1,12}(?:Exception|Error)\b/;
const GO_FRAME =
  /^(?:goroutine \d+ \[|created by |\[signal |runtime\.|main\.|exit status \d|rax |rbx |runtime stack:|\t)|^[\w./*()$~-]{1,300}\([^)]*\)$/;
const PYTHON_END = /^[A-Za-z_][\w.]{0,200}(?:: |:?$)/;
/** Clients of HashiCorp's programs spell a failed request over several lines: address, code, then a list of errors. */
const REQUEST = /^(?:URL: [A-Z]{3,7} https?:\/\/|Code: \d{3}\. |\* \S)/;
const EVENT_ROW = /^ {2,}(?:Normal|Warning|Type|----) {2,}/;
const PYTHON_CHAIN = /^(?:During handling of the above exception|The above exception was the direct cause)/;

export function traceStartedBy(text: string): Trace {
  if (text.includes('Traceback (most recent call last)')) return 'python';
  if (text.startsWith('panic: ') || text.startsWith('fatal error: ') || /^goroutine \d+ \[/.test(text)) return 'go';
  if (text.includes('Error making API request')) return 'request';
  return undefined;
}

/** Whether a line without a stamp of its own goes on from the one before. */
export function continues(text: string, trace: Trace): boolean {
  if (text.startsWith('\t')) return true;
  if (text.startsWith('  ')) return !EVENT_ROW.test(text);
  if (JAVA.test(text)) return true;
  if (trace === 'python') return text.startsWith(' ') || PYTHON_CHAIN.test(text) || PYTHON_END.test(text);
  if (trace === 'go') return GO_FRAME.test(text.length > 2000 ? text.slice(0, 2000) : text);
  if (trace === 'request') return REQUEST.test(text);
  return /^(?:goroutine \d+ \[|\[signal )/.test(text);
}

/** The trace after this line: Python's ends with the error itself, unless another is chained to it. */
export function traceAfter(text: string, trace: Trace): Trace {
  const started = traceStartedBy(text);
  if (started) return started;
  if (trace === 'python' && !text.startsWith(' ') && !PYTHON_CHAIN.test(text)) return undefined;
  return trace;
}

/** Lines the journal prints between entries. */
export function isJournalMark(text: string): boolean {
  return (
    text.startsWith('-- ') &&
    /^-- (?:Logs begin at|Journal begins at|Boot [0-9a-f]|Reboot|No entries|Subject:|Defined-By:|Support:|Cursor:)/.test(text)
  );
}

/** Whether somebody's own words stand there rather than a program's. */
export function isProse(text: string): boolean {
  return isOwnWords(text) || (isSentence(text) && !/["=[\]{}<>|/\\]/.test(text));
}

/** Words no program would say of itself. */
export function isOwnWords(text: string): boolean {
  if (/^(?:I|I'm|I've|We|My|Our)\s+[a-z]/.test(text)) return true;
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}/.test(text) && !/^\d{1,2}月/.test(text);
}

export function isSentence(text: string): boolean {
  return /^\s*[A-Z][a-z]/.test(text) && /[.:]$/.test(text) && !text.includes(': ') && text.split(' ', 6).length > 4;
}
