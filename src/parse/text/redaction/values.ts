/** Beyond this length nothing is taken for harmless. */
const HARMLESS_LENGTH = 512;

const HARMLESS: readonly RegExp[] = [
  /^(?:true|false|yes|no|null|nil|none|undefined|unset|enabled|disabled|on|off|n\/a|~|-+|"+|'+)$/i,
  /^<(?:set to|none|nil|unset|redacted|masked|hidden|omitted|sensitive|your|empty|unknown|no )/i,
  /^[[({<]?(?:redacted|masked|hidden|filtered|sensitive|data\+omitted)\b/i,
  /^(?:[*•·.#]{3,}|[xX]{3,})$/,
  /^\$(?:\(|\{[^{}]*\}$|[A-Za-z_]\w*$)/,
  /^\{\{/,
  /^<[a-z][\w .-]{0,60}>$/i,
  /^%\w+%$/,
  /^(?:vault|arn|op|file|ref\+\w+|sha256|sha512):/,
  /^\d+ bytes$/,
  /^[|>][-+\d]{0,2}$/,
  /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|[smhd])){1,5}$/,
  /^(?:~|\.{1,2})?\/(?:var|etc|run|home|root|opt|usr|tmp|mnt|srv|data|secrets?|app|workspace|proc|sys|dev|pki|certs?)(?:\/|$)/,
  /^[A-Za-z]:\\/,
  /^(?:&[\w.]*\{|\w+\.\w+\{|map\[)/,
  /^[{[](?:["'\s}\]]|$)/,
];

/** Not a secret whatever the key says: a reference, a placeholder, a switch, a path, a size. */
export function isHarmless(value: string): boolean {
  if (value.length > HARMLESS_LENGTH) return false;
  return value === '' || value.startsWith('‹redacted') || HARMLESS.some((pattern) => pattern.test(value));
}

const PROSE: ReadonlySet<string> = new Set(
  `a access already an and are argument at authentication authorization bad be because been both but by can can't cannot
  certificate changed check client connect connection context could couldn't created crypto deleted denied dial did do does
  either empty eof error errors exists expiration expired fail failed failing failure flag for forbidden found from generated get
  had has have http https if ignoring illegal in incorrect instead invalid is it its json key keys loaded lookup malformed may
  might mismatch mismatched missing must neither no none not null of on only open option or parameter parse parsing password
  passwords patch permission please post put read refresh rejected request required reset resource response retrying review
  revoked rotated rotation rpc secret secrets see server should signature skipping that the this timed timeout tls to token
  tokens too try unable unauthenticated unauthorized unbound undefined unexpected unknown unset unsupported updated use used user username using
  validation value values verification waiting was when while will with without would write wrong yaml you your`.split(/\s+/),
);

/** A word that a sentence goes on with after "password:" or "--token". */
export function isProse(word: string): boolean {
  return word.endsWith(':') || PROSE.has(word.toLowerCase().replace(/[.,;:!?)\]]$/, ''));
}

const NAME = /^[a-z0-9]+(?:[-./:][a-z0-9]+)+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?$/;

/** Like the names Kubernetes gives to objects (`kube-system/calico-node-token-abcde`). */
export function isNameLike(value: string): boolean {
  return value.length <= HARMLESS_LENGTH && NAME.test(value) && !UUID.test(value);
}

/** Letters and digits mixed as only generated or chosen secrets mix them. */
export function isSecretLike(value: string): boolean {
  return value.length > HARMLESS_LENGTH || (mixesDigitsAndLetters(value) && !isNameLike(value) && !HOST.test(value));
}

/** The same, but it may be the name of an object or a host. */
export function mixesDigitsAndLetters(value: string): boolean {
  if (value.length < 6 || isHarmless(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^\d+(?:\.\d+)+/.test(value);
}

/** Base64 of `user:password`, as docker and HTTP keep it. */
export function isBasicCredential(value: string): boolean {
  if (value.length < 8 || value.length > 4096 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded);
}
