/** Words that make a line an error when nothing else says so. */
const STRONG = new RegExp(
  [
    'errors?',
    'exceptions?',
    'failed',
    'failures?',
    'fails',
    'fatal',
    'panic(?:ked)?',
    'denied',
    'refused',
    'timed out',
    'time ?out',
    'cannot',
    'can not',
    "can['’]t",
    'could not',
    "couldn['’]t",
    'unable',
    'not found',
    'no such',
    "does(?: not|n['’]t) exist",
    'code=(?:exited|killed|dumped), status=[1-9]\\d*',
    'forbidden',
    'unauthorized',
    'traceback',
    'caused by',
    'segmentation fault',
    'segfault',
    'core dumped',
    'aborted',
    'aborting',
    'out of memory',
    'oom-?kill(?:ed)?',
    'killed process',
    'no space left',
    'too many open files',
    'deadline exceeded',
    'not permitted',
    'already in use',
    'no route to host',
    'unreachable',
    'connection reset',
    'read-only file system',
    'bad interpreter',
    'corrupt(?:ed|ion)?',
    'crashed',
    'rejected',
    'unsupported',
    'invalid',
    'unexpected',
    'exit(?:ed)?(?: with)?(?: status| code) [1-9]\\d*',
    'undefined symbol',
    'x509',
    'misconfiguration',
    'mismatch',
    'not implemented',
    'not allowed',
    'permission',
    'E(?:ACCES|ADDRINUSE|AGAIN|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|INVAL|IO|MFILE|NFILE|NOENT|NOMEM|NOSPC|NOTFOUND|PERM|PIPE|ROFS|TIMEDOUT)\\b',
  ].join('|'),
  'gi',
);

/** Words that tell trouble only in a line already marked as a warning. */
const WEAK =
  /insufficient|didn't|did not|does ?n[o']t|unhealthy|back-?off|not (?:ready|available|allowed|supported|exist)|exceeded|expired|mismatch|missing|conflict|evict|crash|killed|bad |too (?:many|old|large|long)|unknown|taint|unbound|no (?:nodes|matches|endpoints|preemption)|not match|lost|dropped|stuck|stopped|degraded|pressure|low on|disconnect/i;

/** The same in other languages, as localised tools print it. */
const FOREIGN =
  /错误|失败|无法|拒绝|没有那个|不存在|超时|权限不够|エラー|失敗|できません|見つかりません|拒否|오류|실패|fehlgeschlagen|\bfehler\b|konnte nicht|kann nicht|nicht gefunden|verweigert|\berreur\b|échec|échoué|impossible de|introuvable|refusée?\b|no se pu[ed]|\bfalló\b|denegado|ошибка|не удалось|отказано|не найден|falha|não foi possível|negada/i;

/** Before the word: nothing went wrong, or the word speaks of a possibility. */
const DENIED_BEFORE =
  /(?:^|[^\w])(?:0|(?:no|without)(?: \w{1,20})?|zero|any|non|not an?|if an?|in case of|on|for|possible|ignor(?:e|ed|ing)(?: \w{1,20})?|max(?:imum)?|number of|total|of (?:an?|this|these))[\s_-]{1,3}$/i;
/** Directly before or after it: part of a name, a flag, a file. */
const NAME_BEFORE = /[-_./#$][\w]{0,20}$/;
const NAME_AFTER = /^(?:[-_/][\w-]|\.[a-z])/i;
/** A counter at zero, an empty field. */
const EMPTY_AFTER =
  /^(?:[-_ ]?(?:count|total|rate)s?)?["'\])]?\s{0,2}[=:]\s{0,2}(?:0(?![.\d]*[1-9])\b|"0?"|''|<nil>|nil\b|null\b|none\b|false\b|\[\]|\{\})/i;
const HARMLESS_MISS =
  /^["')]?[,;.]?\s{0,2}(?:using|creating|will (?:be )?creat|skipping it|assuming|falling back|generating|initiali[sz]ing)/i;
const TIMEOUT_TOLD =
  /^(?:s?["')\].,;]?\s{0,2}$|[.)]\s|\s(?:exceeded|expired|waiting|while|awaiting|occurred|after|reached|error|on|when|for))/i;

const MOST_MATCHES = 200;

export function tellsError(text: string): boolean {
  STRONG.lastIndex = 0;
  for (let tries = 0; tries < MOST_MATCHES; tries++) {
    const match = STRONG.exec(text);
    if (!match) break;
    if (isMeant(match[0], text, match.index, STRONG.lastIndex)) return true;
  }
  return FOREIGN.test(text);
}

export function tellsTrouble(text: string): boolean {
  return tellsError(text) || WEAK.test(text);
}

export function tellsEnd(text: string): boolean {
  return /^(?:panic|fatal|fatal error)\b[: ]|\bpanic: |\bpanicked at |^Traceback|^Exception in thread|segmentation fault|core dumped|\bfatal error: /i.test(
    text,
  );
}

function isMeant(written: string, text: string, start: number, end: number): boolean {
  const word = written.toLowerCase();
  const before = text.slice(Math.max(0, start - 30), start);
  const after = text.slice(end, end + 40);
  if (word.startsWith('code=')) return true;
  const insideWord = /[a-z0-9]$/i.test(before);
  if (insideWord && !/^(?:Error|Exception)/.test(written)) return false;
  if (/^[a-z0-9]/i.test(after) || NAME_AFTER.test(after)) return false;
  if (DENIED_BEFORE.test(before) || EMPTY_AFTER.test(after)) return false;
  if (!insideWord && NAME_BEFORE.test(before)) return false;
  if (/^time ?out$/.test(word)) return /i\/o $/.test(before) || TIMEOUT_TOLD.test(after);
  if (word === 'permission') return /^ denied/i.test(after);
  if (word === 'not found' || word === 'no such') return !HARMLESS_MISS.test(after);
  return !isSetting(word, after);
}

/** `failures=3` of a probe is a setting; `error="…"` and `error=EOF` are errors. */
function isSetting(word: string, after: string): boolean {
  return /^(?:failed|failures?|fails|errors)$/.test(word) && /^["']?\s{0,2}=\s{0,2}["']?\d/.test(after);
}
