const PREFIXES: readonly RegExp[] = [
  /^[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2}(?:\.\d{1,9})? \S{1,80} [\w.@-]{1,60}(?:\[\d{1,10}\])?: /,
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})? (?:(?:stdout|stderr) [FP] )?/,
  /^[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d{1,9} {1,10}\d{1,10} \S{1,80}:\d{1,6}\] /,
  /^time="[^"]{1,40}" (?:level=\w{1,10} )?/,
  /^\[ {0,8}\d{1,10}\.\d{1,9}\] /,
];

/** What a quoted log line says, without the stamps in front, so that a cut line keeps its meaning. */
export function gist(quote: string): string {
  let rest = quote;
  for (const prefix of PREFIXES) {
    const shorter = rest.replace(prefix, '');
    if (shorter.trim() !== '') rest = shorter;
  }
  return rest;
}
