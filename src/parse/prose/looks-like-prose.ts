const FUNCTION_WORDS =
  /\b(?:the|and|is|are|was|were|to|of|in|on|that|this|it|I|we|you|my|have|has|with|for|but|so|then|after|when|because|which|not)\b/gi;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const CYRILLIC = /[\u0400-\u04ff]/g;

/** People speak of themselves and to each other; programs do not. */
const PERSONAL = /(?<![\w/-])(?:I|I'm|I've|my|me|we|our|us|you|your|anyone|somebody|someone|please|thanks|hi|hello|guys)(?![\w/-])/i;
/** `program: `, `Error creating: `, a path, a quoted name, an address: how programs begin and fill their messages. */
const MACHINE =
  /^[-\w./()[\]]{1,48}: ?\S|^[-\w./()[\] ]{1,48}: \S|(?:^|[\s"'(=])\/[\w.-]+\/[\w./-]+|"[\w./:@-]{2,200}"|\b\d{1,3}(?:\.\d{1,3}){3}\b|^\w+Volume(?:\.\w+)? |^(?:Pod|Node|Container|Bound claim|Job|Usage) (?:was|has|is|of) \w+ [\s\S]{0,300}[.!\w]$/;

/** `报错信息: `, `Ошибка: `: a word of somebody's own before what a program said. */
const LABEL = /^[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af ]{2,24}[:：]\s{0,4}(?=[\w"'[(])/;

/** Whether a line is somebody's own sentence rather than output: cheap, and wrong now and then without harm. */
export function looksLikeProse(line: string): boolean {
  const text = line.trim().slice(0, 2000).replace(LABEL, '');
  if (text.length < 3) return false;
  if (/^(?:#{1,6} |[-*+] |> |\d+[.)] |!\[|\*\*)/.test(text) && !/^\W*(?:Normal|Warning) /.test(text)) return true;
  const foreign = (text.match(CJK)?.length ?? 0) * 2 + (text.match(CYRILLIC)?.length ?? 0);
  if (foreign > text.length * 0.3) return true;
  if (/^[{[("'<]|^\S+=|^\d{4}-\d\d|^[IWEF]\d{4} |^\w{3} +\d+ \d\d:/.test(text)) return false;
  if (!PERSONAL.test(text) && MACHINE.test(text)) return false;
  const words = text.split(/\s+/).length;
  const common = text.match(FUNCTION_WORDS)?.length ?? 0;
  return words >= 4 && common / words > 0.15 && !/\w+=\S/.test(text) && !/\b(?:error|fatal|panic):/i.test(text);
}
