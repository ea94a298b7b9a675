/** What kubectl itself prints among or instead of a container's log. */
export type KubectlNote =
  | { readonly kind: 'default-container'; readonly container: string }
  | { readonly kind: 'waiting'; readonly container: string; readonly pod?: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly denied: boolean }
  | { readonly kind: 'aside' };

const DEFAULTED = /^Defaulted container "(?<container>[^"]{1,63})" out of: /;
const OLD_DEFAULTED = /^Defaulting container name to (?<container>[^\s]{1,63})\.$/;
const WAITING =
  /^Error from server \(BadRequest\): container "(?<container>[^"]{1,63})" in pod "(?<pod>[^"]{1,253})" is waiting to start: (?<reason>.{1,300})$/;
/** Programs say `error: ` as well: only what kubectl can mean counts as its own. */
const FAILED =
  /^(?:Error from server|error: (?:a container name must|container \S{1,200} is not valid|expected 'logs|cannot get the logs|timed out waiting|You must |the server |no configuration|no matches|no kind|unknown (?:shorthand )?flag|current-context|context "|exec plugin|getting credentials|dial tcp|only one of|arguments in|Internal error|stream error|unexpected EOF|EOF$|\S{1,200} "[^"]{1,253}" not found|timed out$)|unable to retrieve container logs for |Unable to connect to the server|failed to try resolving symlinks in path )/;
const PREVIOUS = /previous terminated container "[^"]{1,63}" in pod "[^"]{1,253}" not found/;
const FOUND = /^Found \d+ pods, using pod\/\S+/;

export function kubectlNote(line: string): KubectlNote | undefined {
  const first = line.charCodeAt(0);
  // D, E, F, U, e, f, u
  if (first !== 68 && first !== 69 && first !== 70 && first !== 85 && first !== 101 && first !== 102 && first !== 117) return undefined;
  const container = (DEFAULTED.exec(line) ?? OLD_DEFAULTED.exec(line))?.groups?.['container'];
  if (container) return { kind: 'default-container', container };
  const waiting = WAITING.exec(line)?.groups;
  if (waiting) {
    const { container: name = '', pod, reason = '' } = waiting;
    return { kind: 'waiting', container: name, reason, ...(pod ? { pod } : {}) };
  }
  if (FAILED.test(line)) return { kind: 'failed', denied: line.includes('(Forbidden)') || line.includes('(Unauthorized)') };
  return FOUND.test(line) || PREVIOUS.test(line) ? { kind: 'aside' } : undefined;
}
