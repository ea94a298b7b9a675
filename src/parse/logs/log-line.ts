export type Level = 'fatal' | 'error' | 'warning' | 'info';

export type LogFormat =
  | 'klog'
  | 'journal'
  | 'logfmt'
  | 'logrus'
  | 'json'
  | 'cri'
  | 'docker-json'
  | 'kubectl'
  | 'zap'
  | 'bracket'
  | 'kernel'
  | 'application'
  | 'crash'
  | 'plain';

/** One line of a log, whatever wrote it, with every wrapper around it taken off. */
export interface LogLine {
  /** The innermost format that was recognised. */
  format: LogFormat;
  /** Epoch milliseconds; missing where the stamp has no year. A stamp without a zone counts as UTC. */
  when?: number;
  timeText?: string;
  host?: string;
  unit?: string;
  pid?: number;
  level?: Level;
  component?: string;
  message: string;
  fields?: Record<string, string>;
  /** `file.go:12` */
  source?: string;
  /** From the prefix that `kubectl logs --prefix` prints. */
  pod?: string;
  container?: string;
  /** The message may itself be a line of another format. */
  wraps?: true;
  /** The line goes on in the next one: a quote or a `key=<` block left open, or a line the runtime cut. */
  open?: 'quote' | 'block' | 'partial';
}

const LEVELS: Readonly<Record<string, Level>> = {
  fatal: 'fatal',
  fata: 'fatal',
  panic: 'fatal',
  pani: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  emerg: 'fatal',
  emergency: 'fatal',
  alert: 'fatal',
  dpanic: 'fatal',
  f: 'fatal',
  c: 'fatal',
  error: 'error',
  erro: 'error',
  err: 'error',
  severe: 'error',
  e: 'error',
  warning: 'warning',
  warn: 'warning',
  w: 'warning',
  notice: 'info',
  info: 'info',
  information: 'info',
  informational: 'info',
  log: 'info',
  debug: 'info',
  debu: 'info',
  dbug: 'info',
  trace: 'info',
  trac: 'info',
  verbose: 'info',
  fine: 'info',
  config: 'info',
  i: 'info',
  d: 'info',
  hint: 'info',
  detail: 'info',
  statement: 'info',
  context: 'info',
};

export function levelOf(word: string | undefined): Level | undefined {
  if (word === undefined || word.length > 16) return undefined;
  const key = word.toLowerCase();
  return Object.hasOwn(LEVELS, key) ? LEVELS[key] : undefined;
}

/** Syslog and kernel priorities: 0 is the gravest. */
export function levelOfPriority(priority: number): Level | undefined {
  if (!Number.isInteger(priority) || priority < 0) return undefined;
  const severity = priority & 7;
  if (severity <= 2) return 'fatal';
  if (severity === 3) return 'error';
  return severity === 4 ? 'warning' : 'info';
}
