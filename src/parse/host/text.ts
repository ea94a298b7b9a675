import type { Context } from '../../model/reading.ts';

const PROMPT =
  /^\s*(?:\([\w.-]{1,40}\)\s?)?(?:\[[^\]@]{1,60}@[^\]]{1,120}\]\s?[#$%]|[\w.-]{1,60}@[\w.-]{1,100}:[^\s#$]{0,200}\s?[#$]|[\w.-]{1,60}@[\w.-]{1,100}\s?[#$%>]\s|\$\s+\S)/;
const ROOT_COMMAND =
  /^\s*#\s+(?:sudo|cat|kubectl|systemctl|docker|crictl|journalctl|ctr|vi|vim|nano|grep|sed|ls|kubeadm|echo|curl|apt|apt-get|yum|dnf|modprobe|lsmod|mkdir|stat|find|ps|uname|containerd config|containerd --version|crio config|kubelet --version|runc --version)(?:\s+\S|$)/;
const FENCE = /^\s*(?:```|~~~)/;
const ELISION = /^\s*(?:\.{2,}|…+|[[(<](?:\.{2,}|…|snip|omitted)[\])>]|(?:#|\/\/)\s*\.{2,}|--)\s*$/i;
const GREP_PREFIX = /^(?:(?:\/[\w./@+-]{1,240}):(?:\d{1,6}:)?|\d{1,6}[:-])(?=\s|["'[#A-Za-z])/;
const FILTER = /(?:^|[|;&(]\s{0,9}|\bsudo\s{1,9})(?:[ef]?grep|rg|head|tail|sed|awk|cut|jq)\b/;

export function isBlank(line: string): boolean {
  return line.length < 2000 && line.trim() === '';
}

function isPrompt(line: string): boolean {
  return PROMPT.test(line) || ROOT_COMMAND.test(line);
}

/** Lines at which any block ends: a prompt, or the fence around a quotation. */
export function isBoundary(line: string): boolean {
  return isPrompt(line) || FENCE.test(line);
}

/** `...` and its relatives: somebody left something out here. */
export function isElision(line: string): boolean {
  return line.length < 40 && ELISION.test(line);
}

/** `139:    key = value` and `/etc/x.toml:key = value` as grep prints them. */
export function withoutGrepPrefix(line: string): string {
  const prefix = GREP_PREFIX.exec(line)?.[0];
  return prefix === undefined ? line : line.slice(prefix.length);
}

export function commandIs(context: Context, pattern: RegExp): boolean {
  return context.command !== undefined && pattern.test(context.command.slice(0, 600));
}

/** True when the command shows only some lines of its source. */
export function isFiltered(context: Context): boolean {
  return commandIs(context, FILTER);
}

/** Looks for a pattern in the command, or in the few lines above where a heading or an unprompted command may stand. */
export function announced(lines: readonly string[], from: number, context: Context, pattern: RegExp): boolean {
  if (context.command !== undefined) return commandIs(context, pattern);
  let seen = 0;
  for (let index = from - 1; index >= 0 && index >= from - 6 && seen < 3; index--) {
    const line = lines[index] ?? '';
    if (isBlank(line)) continue;
    seen++;
    if (line.length < 300 && pattern.test(line)) return true;
  }
  return false;
}

export function indentOf(line: string): number {
  let indent = 0;
  while (indent < line.length && (line[indent] === ' ' || line[indent] === '\t')) indent++;
  return indent;
}

export function unquoted(text: string): string {
  const trimmed = text.trim();
  const first = trimmed[0];
  const paired = trimmed.length >= 2 && (first === '"' || first === "'") && trimmed.endsWith(first);
  return paired ? trimmed.slice(1, -1) : trimmed;
}

/** `v1.7.12` and `5:24.0.7-1` without the `v` and without a package's epoch. */
export function plainVersion(text: string): string {
  return text
    .trim()
    .replace(/^\d{1,3}:(?=\d)/, '')
    .replace(/^v(?=\d)/, '')
    .replace(/[,;]$/, '');
}
