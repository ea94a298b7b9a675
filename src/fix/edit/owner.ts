const MAKER = /\b(?:generated|written) by (?<maker>[\w-]{1,40})/i;
const NOT_TO_EDIT = /\bdo not (?:edit|modify|change)\b/i;
const K0S = /^#[ \t]*k0s_managed=true\b/m;
const MANAGED = /\bmanaged by (?<tool>puppet|chef|salt|ansible|cfengine)\b|\b(?<first>ansible|puppet|chef|salt) managed\b/i;
const FURTHEST = 4000;

/** Why a file is not the place for a change, or what a reader must know of it. */
export interface Owner {
  readonly why?: string;
  readonly note?: string;
}

/** As the comments at its top say. */
export function ownerOf(text: string): Owner {
  const head = headOf(text);
  if (K0S.test(head)) {
    return { why: 'k0s writes this file anew at each start: put the setting in a file below /etc/k0s/containerd.d instead.' };
  }
  if (NOT_TO_EDIT.test(head)) return { why: whyGenerated(MAKER.exec(head)?.groups?.['maker'] ?? '') };
  const groups = MANAGED.exec(head)?.groups;
  const tool = groups?.['tool'] ?? groups?.['first'];
  if (tool === undefined) return {};
  return { note: `The file says that ${tool} manages it: make the change there too, or its next run takes it back.` };
}

/** A template is no configuration yet: what stands between its braces is filled in elsewhere. */
export function isTemplate(text: string): boolean {
  return /\{\{[^{}\n]*\}\}/.test(text);
}

function whyGenerated(maker: string): string {
  const isRancher = /^(?:k3s|rke2)$/i.test(maker);
  const instead = isRancher ? 'change config.toml.tmpl beside it (config-v3.toml.tmpl for containerd 2)' : 'change what it is made from';
  return `The file says that it is generated and not to be edited: ${instead} instead.`;
}

/** The comments and blank lines before anything else. */
function headOf(text: string): string {
  const lines = text
    .slice(0, FURTHEST)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const end = lines.findIndex((line) => !/^[ \t]*(?:#|$)/.test(line));
  return lines.slice(0, end === -1 ? lines.length : end).join('\n');
}
