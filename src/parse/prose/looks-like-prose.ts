const FUNCTION_WORDS =
  /\b(?:the|and|is|are|was|were|to|of|in|on|that|this|it|I|we|you|my|have|has|with|for|but|so|then|after|when|because|which|not)\b/gi;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const CYRILLIC = /[\u0400-\u04ff]/g;

/** Whether a line is somebody's own sentence rather than output: cheap, and wrong now and then without harm. */
export function looksLikeProse(line: string): boolean {
  const text = line.trim().slice(0, 2000);
  if (text.length < 3) return false;
  if (/^(?:#{1,6} |[-*+] |> |\d+[.)] |!\[|\*\*)/.test(text) && !/^\W*(?:Normal|Warning) /.test(text)) return true;
  const foreign = (text.match(CJK)?.length ?? 0) * 2 + (text.match(CYRILLIC)?.length ?? 0);
  if (foreign > text.length * 0.3) return true;
  if (/^[{[("'<]|^\S+=|^\d{4}-\d\d|^[IWEF]\d{4} |^\w{3} +\d+ \d\d:/.test(text)) return false;
  const words = text.split(/\s+/).length;
  const common = text.match(FUNCTION_WORDS)?.length ?? 0;
  return words >= 4 && common / words > 0.15 && !/\w+=\S/.test(text) && !/\b(?:error|fatal|panic):/i.test(text);
}
