import { podId } from '../model/entity.ts';
import type { Context } from '../model/reading.ts';
import { contextOfPrompt } from './context.ts';
import { headingOf } from './layouts/headings.ts';
import { type DumpMarker, parseDumpMarker } from './objects/paths.ts';
import { parseBareCommand, parsePrompt } from './prompt.ts';

/** A stretch of a text between prompts and fences, with what is known about it. */
export interface Section {
  /** Index of the first line and after the last. */
  readonly start: number;
  readonly end: number;
  readonly context: Context;
  /** Inside a fence or below a prompt: output. Else it may be anything. */
  readonly output: boolean;
  /** Its lines begin with `* `, which is no part of them. */
  readonly starred?: boolean;
}

const FENCE = /^ {0,3}(?<marks>`{3,}|~{3,})(?<language>[\w+-]*)/;
const SHELL = /^(?:sh|shell|bash|zsh|console|terminal|cmd|powershell)$/i;

/** Cuts a text at fences and prompts. One pass; every line is in at most one section. */
export function sectionsOf(lines: readonly string[], base: Context): Section[] {
  const sections: Section[] = [];
  /** Commands that a fence listed without output: the fences after it hold their output, in order. */
  let listed: Context[] = [];
  let context = base;
  let start = 0;
  let output = false;
  let fence: string | undefined;
  let starred = false;

  function close(end: number): void {
    if (end > start && hasText(lines, start, end)) sections.push({ start, end, context, output, ...(starred ? { starred } : {}) });
    start = end;
  }

  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const marks = FENCE.exec(line)?.groups;
    if (marks && (fence === undefined || line.trimStart().startsWith(fence))) {
      close(index);
      start = index + 1;
      if (fence !== undefined) {
        // A fence glued to the next sentence ("```Next:") still closes.
        fence = undefined;
        // Nothing typed before a fence holds after it.
        context = base;
        starred = false;
        output = false;
        continue;
      }
      const end = closingFence(lines, index + 1, marks['marks'] ?? '```');
      const commands = SHELL.test(marks['language'] ?? '') ? commandsIn(lines, index + 1, end, base) : undefined;
      if (commands && commands.length > 0) {
        listed = commands;
        index = end;
        start = Math.min(end + 1, lines.length);
        continue;
      }
      fence = marks['marks'];
      if (listed.length > 0) context = (listed.length > 1 ? listed.shift() : listed[0]) ?? base;
      output = true;
      continue;
    }
    const marker = line.startsWith('====') ? parseDumpMarker(line) : undefined;
    const heading = /^(?:\* )?==> /.test(line) ? headingOf(line, base) : undefined;
    const prompt = marker || heading ? undefined : (parsePrompt(line) ?? parseBareCommand(line));
    if (!prompt && !marker && !heading) continue;
    close(index);
    start = index + 1;
    starred = heading?.starred ?? false;
    context = heading?.context ?? (prompt ? contextOfPrompt(prompt, base) : contextOfMarker(marker, base));
    output = true;
  }
  close(lines.length);
  return sections;
}

/** `cluster-info dump` prints the logs between its objects, each under a heading of its own. */
function contextOfMarker(marker: DumpMarker | undefined, base: Context): Context {
  if (marker?.type !== 'start') return base;
  const { namespace, pod, container } = marker;
  return { ...base, channel: 'container-log', namespace, pod: podId(namespace, pod), ...(container ? { container } : {}) };
}

function closingFence(lines: readonly string[], from: number, marks: string): number {
  for (let index = from; index < lines.length; index++) if ((lines[index] ?? '').trimStart().startsWith(marks)) return index;
  return lines.length;
}

/** A shell fence that holds commands only; with output in it, it is read like a terminal. */
function commandsIn(lines: readonly string[], from: number, end: number, base: Context): Context[] | undefined {
  const commands: Context[] = [];
  for (let index = from; index < end; index++) {
    const line = (lines[index] ?? '').trim();
    if (line === '' || line.startsWith('# ')) continue;
    const prompt = parsePrompt(line) ?? parseBareCommand(line);
    if (!prompt && commands.length > 0) return undefined;
    commands.push(contextOfPrompt(prompt ?? { command: line }, base));
  }
  return commands.some(
    ({ command }) =>
      command !== undefined &&
      !/^(?:sudo )?(?:kubectl|journalctl|systemctl|docker|crictl|cat|mkdir|sed|containerd|kubeadm|ctr|helm|apt|yum|dnf)/.test(command),
  )
    ? undefined
    : commands;
}

function hasText(lines: readonly string[], start: number, end: number): boolean {
  for (let index = start; index < end; index++) if ((lines[index] ?? '').trim() !== '') return true;
  return false;
}
