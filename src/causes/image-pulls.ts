import type { Line } from '../model/cause.ts';
import type { Channel } from '../model/channel.ts';
import { line, needs } from './clues.ts';
import { type Context, withContext } from './patterns.ts';
import { isOneOf } from './predicates.ts';

/** Who tells how a pull went, the surest first. */
const TELLS_OF_PULLS = [
  'pod-events',
  'kubelet-log',
  'containerd-log',
  'docker-log',
  'crio-log',
  'pod-spec',
] as const satisfies readonly Channel[];
/** What shows that a line is about a pull: the same errors occur on any connection. */
const OF_A_PULL = /\bpull|\/v2\/|reading manifest|(?:container|docker) registry|registry endpoint|(?:oauth|anonymous) token|\/token\?/;
/** The image a line about a pull names, as kubelet, containerd, Docker and CRI-O write it; may end in a colon or comma. */
const NAMED_IMAGE = /(?:image \\*"|image=\\*"?|pull image (?=[\w.-]+\/)|docker:\/\/)(?<image>[^"\\\s]{2,255})/;
/** The registry a line about a pull names by its address. */
const NAMED_HOST = /https?:\/\/(?<host>[\w.-]{1,253}(?::\d{1,5})?)/;

/** A line about a failed pull: its groups `image` and `host` hold the image and the address it names, where it does. */
export function pullLine(
  literals: readonly string[],
  core: RegExp,
  { may = [], must = [OF_A_PULL], also = [] }: Context & { readonly also?: readonly Channel[] } = {},
): Line {
  return line(literals, [...TELLS_OF_PULLS, ...also], withContext(core, { must, may: [NAMED_IMAGE, NAMED_HOST, ...may] }));
}

/** The trouble a failed pull brings about. */
export const waitsForImage = needs('pod.symptom', isOneOf('image-pull', 'creating', 'init-stuck'));

/** The registry that serves an image; undefined where the name leaves it to the default. */
export function registryIn(image: string): string | undefined {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  return /[.:]|^localhost$/.test(first) ? first : undefined;
}

/** The image of a line in the words of a sentence. */
export function imageIn(fact: { readonly fields: Readonly<Record<string, string>> } | undefined): string | undefined {
  return fact?.fields['image']?.replace(/[:,]+$/, '');
}

const ANSWERS = {
  unknown: {
    literals: ['manifest unknown', 'name unknown', 'failed to resolve reference'],
    pattern: /(?:manifest|name) unknown|failed to resolve reference \\*"[^"\\]{1,255}\\*": [^\s"]{1,255}: not found/,
  },
  denied: {
    literals: ['pull access denied', 'no basic auth credentials', '401 unauthorized', '403 forbidden'],
    pattern: /pull access denied|no basic auth credentials|401 unauthorized|403 forbidden/,
  },
  throttled: { literals: ['toomanyrequests', '429 too many requests'], pattern: /toomanyrequests|429 too many requests/ },
} as const;

/** What a registry says once it was reached; for look-alikes, so its absence says nothing. */
export function registryAnswers(...kinds: readonly (keyof typeof ANSWERS)[]): Line {
  const pattern = kinds.map((kind) => ANSWERS[kind].pattern.source).join('|');
  return line(
    kinds.flatMap((kind) => ANSWERS[kind].literals),
    [],
    new RegExp(pattern, 'i'),
  );
}

/** No pull was tried: what a node meets when it pulls says nothing about this image. For look-alikes. */
export const notTried = line(
  ['with pull policy of Never', 'ErrImageNeverPull', 'InvalidImageName', 'Failed to apply default image tag'],
  [],
  /with pull policy of Never|ErrImageNeverPull|InvalidImageName|Failed to apply default image tag/,
);

/** The pull of a node's own pause image, not of an image the pod names; for look-alikes. */
export const sandboxImagePull = line(
  ['sandbox image', 'create pod sandbox', 'creating pod sandbox', 'CreatePodSandbox', 'RunPodSandbox'],
  [],
  /sandbox image|(?:creat(?:e|ing) ?pod ?sandbox|RunPodSandbox)[\s\S]{0,300}?(?:pull(?:ing)? image|initializing source|pinging (?:container|docker) registry|\/v2\/[^\s"\\]{1,200}\/manifests\/)/i,
);
