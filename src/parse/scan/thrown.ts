const EXCEPTION =
  /^\s{0,16}(?:Uncaught |Unhandled [Ee]xception[.:] )?(?:[\w$]{1,80}\.){0,12}(?:[A-Z]\w{0,80})?(?:Error|Exception|Throwable)(?: \[?\(?\w{1,60}\)?\]?)?: \S/;

/** What was thrown, where the lines are a trace of any language: of a chain the innermost. */
export function thrownIn(lines: readonly string[]): string | undefined {
  const inner = lines.findLast((line) => /^\s{0,16}---> \S/.test(line));
  if (inner !== undefined) return inner.trim().slice('---> '.length);
  const what = lines.find((line) => /^\s{1,12}what\(\): /.test(line));
  if (what !== undefined) return what.trim().slice('what():'.length).trim();
  const chain = lines.findIndex((line) => /^Caused by:\s*$/.test(line));
  if (chain >= 0 && chain + 1 < lines.length) {
    const links = lines.slice(chain + 1, chain + 20).map((line) => line.trim().replace(/^\d{1,4}: /, ''));
    return links.join(': ');
  }
  const fatal = lines.find((line) => /^FATAL ERROR: \S/.test(line));
  if (fatal !== undefined) return fatal;
  const rust = lines.findIndex((line) => /^\s{0,4}thread '[^']{0,100}' (?:\(\d{1,9}\) )?panicked at /.test(line));
  if (rust >= 0) return panicOf(lines, rust);
  const framed = lines.some((line) => /^\s{2,16}at \S|^\s{0,200}\^{1,200}$/.test(line.slice(0, 400)));
  return framed ? lines.find((line) => EXCEPTION.test(line.slice(0, 1000)))?.trim() : undefined;
}

/** Rust quotes the message in the same line, or writes it below since 1.73. */
function panicOf(lines: readonly string[], at: number): string | undefined {
  const line = lines[at] ?? '';
  const below = lines[at + 1];
  if (/:\d{1,7}:\s*$/.test(line) && below !== undefined) return below.trim();
  return /panicked at '(?<message>.{1,2000})', [\w./-]{1,300}:\d{1,7}:\d{1,7}\s*$/.exec(line)?.groups?.['message'];
}
