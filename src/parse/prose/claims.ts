import type { Citation } from '../../model/citation.ts';
import { podId, THIS_NODE, UNKNOWN } from '../../model/entity.ts';
import type { CgroupDriver } from '../../model/facts.ts';
import type { Context, ReadingSink } from '../../model/reading.ts';
import { clip } from '../cite.ts';

interface Claim {
  /** Cheap test first: one of these words must stand in the sentence. */
  readonly words: readonly string[];
  readonly pattern: RegExp;
  readonly emit: (found: Readonly<Record<string, string | undefined>>, about: Whereabouts) => void;
}

interface Whereabouts {
  readonly node: string;
  readonly context: Context;
  readonly cited: Citation;
  readonly sink: ReadingSink;
}

const HEARSAY = { hearsay: true } as const;

/** What people say happened, in their own sentences. It may support an answer and never proves one. */
const CLAIMS: readonly Claim[] = [
  {
    words: ['kubelet'],
    pattern: /\bkubelet\b[^.\n]{0,40}\b(?:uses|is using|is on|is set to|runs with)\b[^.\n]{0,20}?[`"']?(?<driver>systemd|cgroupfs)\b/i,
    emit: ({ driver }, { sink, node, cited }) =>
      sink.fact('kubelet.cgroup-driver', node, { driver: driver?.toLowerCase() as CgroupDriver, source: 'said' }, cited, HEARSAY),
  },
  {
    words: ['containerd', 'docker'],
    pattern:
      /\b(?<runtime>containerd|docker)\b[^.\n]{0,60}\b(?:uses|is using|defaults to(?: use)?|is set to|not set to)\b[^.\n]{0,20}?[`"']?(?<driver>systemd|cgroupfs)\b/i,
    emit: ({ runtime, driver, 0: whole }, { sink, node, cited }) => {
      const named = driver?.toLowerCase() as CgroupDriver;
      const meant = /not set to/i.test(whole ?? '') ? (named === 'systemd' ? 'cgroupfs' : 'systemd') : named;
      sink.fact(
        'runtime.cgroup-driver',
        node,
        { runtime: runtime?.toLowerCase() === 'docker' ? 'docker' : 'containerd', driver: meant, explicit: false, source: 'said' },
        cited,
        HEARSAY,
      );
    },
  },
  {
    words: ['containerd'],
    pattern: /\bcontainerd\b[^.\n]{0,40}\b(?:in|from|by|with|of|bundled|shipped)\b[^.\n]{0,20}\b(?:the |installed |my )*docker\b/i,
    emit: (_found, { sink, node, cited }) =>
      sink.fact('runtime.setting', node, { runtime: 'containerd', key: 'supplied-by', value: 'docker', source: 'file' }, cited, HEARSAY),
  },
  {
    words: ['restart', '重启', '再起動'],
    pattern:
      /\b(?:(?:my|the|our) )?(?<pod>[a-z0-9]+(?:-[a-z0-9]+){1,6})?`?\s*(?:pods?)?\b[^.\n]{0,30}(?:kept|keeps?|continuously|constantly|repeatedly|always|are|is)\s+(?:on\s+)?restarting/i,
    emit: ({ pod }, { sink, cited }) =>
      sink.fact('pod.symptom', podId(undefined, pod ?? UNKNOWN), { symptom: 'restarts', detail: 'keeps restarting' }, cited, HEARSAY),
  },
  {
    words: ['sandbox changed'],
    pattern: /Pod sandbox changed, it will be killed and re-created/i,
    emit: (_found, { sink, cited }) =>
      sink.fact(
        'pod.event',
        podId(undefined, UNKNOWN),
        { type: 'Unknown', reason: 'SandboxChanged', message: 'Pod sandbox changed, it will be killed and re-created.', count: 1 },
        cited,
        HEARSAY,
      ),
  },
  {
    words: ['terminating'],
    pattern: /\b(?:remain|stay|stuck|hang|hung|stays|remains|remained|stayed|卡|一直|停留)[^.\n]{0,40}\bTerminating\b/i,
    emit: (_found, { sink, cited }) =>
      sink.fact('pod.symptom', podId(undefined, UNKNOWN), { symptom: 'stuck-terminating', detail: 'Terminating' }, cited, HEARSAY),
  },
  {
    words: ['apparmor', 'app armor'],
    pattern: /\brunc\b[^.\n]{0,80}\bapp ?armor\b|\bapp ?armor\b[^.\n]{0,80}\brunc\b/i,
    emit: (_found, { sink, node, cited }) =>
      sink.fact('kernel.denial', node, { by: 'apparmor', operation: 'signal', process: 'runc' }, cited, HEARSAY),
  },
  {
    words: ['docker'],
    pattern:
      /\bdocker[^.\n]{0,24}(?:cannot|can't|could not|couldn't|unable to|failed to|lost|无法|不能|连不上|没法)[^.\n]{0,12}(?:connect(?:ion)?|reach|talk|连接|访问)?[^.\n]{0,12}containerd/i,
    emit: (_found, { sink, node, cited }) =>
      sink.fact('runtime.setting', node, { runtime: 'docker', key: 'containerd-link', value: 'lost', source: 'log' }, cited, HEARSAY),
  },
  {
    words: ['ubuntu', 'debian', 'centos', 'rocky', 'alma', 'fedora'],
    pattern: /\b(?<id>Ubuntu|Debian|CentOS|Rocky|AlmaLinux|Fedora)(?: Linux)? (?<version>\d+(?:\.\d+)?)\b/i,
    emit: ({ id, version, 0: name }, { sink, node, cited }) =>
      sink.fact(
        'host.os',
        node,
        {
          id: (id ?? '').toLowerCase(),
          versionId: version ?? '',
          name: name ?? '',
          family: /ubuntu|debian/i.test(id ?? '') ? 'debian' : 'rhel',
        },
        cited,
        HEARSAY,
      ),
  },
];

const WORD_LIMIT = 4000;

/** Reads the claims out of a run of prose; each sentence is matched on its own, so a claim never spans two. */
export function readClaims(lines: readonly string[], first: number, last: number, context: Context, sink: ReadingSink): void {
  const emitted = new Set<Claim>();
  for (let index = first; index <= last; index++) {
    const text = (lines[index] ?? '').slice(0, WORD_LIMIT);
    const lower = text.toLowerCase();
    for (const claim of CLAIMS) {
      if (emitted.has(claim) || !claim.words.some((word) => lower.includes(word))) continue;
      const match = claim.pattern.exec(text);
      if (!match) continue;
      emitted.add(claim);
      const cited: Citation = { doc: context.doc, at: { lines: [index + 1, index + 1] }, quote: clip(sentenceAround(text, match.index)) };
      claim.emit({ ...match.groups, 0: match[0] }, { node: context.node ?? THIS_NODE, context, cited, sink });
    }
  }
}

function sentenceAround(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf('. ', at) + 1, 0);
  const end = text.indexOf('. ', at);
  return text.slice(start, end < 0 ? undefined : end + 1).trim();
}
