/**
 * What a program of the control plane says when its flags or files keep it from starting, in words that tell the fault. All of them
 * are built with the same libraries, so all say it alike; undefined where the words are others.
 */
export function startupFault(said: string | undefined): string | undefined {
  const text = said?.replaceAll('\\', '') ?? '';
  const of = (pattern: RegExp) => pattern.exec(text)?.groups;
  const kind = of(/no kind "(?<kind>\w{3,80})" is registered for version "(?<version>[\w./-]{2,120})"/);
  if (kind)
    return `its configuration file (${kind['kind']}) is written for ${kind['version']}, an API version that this program does not know: removed, or too new for it`;
  const gate = of(/unrecognized feature gate: (?<gate>\w{1,80})/);
  if (gate)
    return `it is started with the feature gate ${gate['gate']}, which this version does not know: removed, no longer a choice, or misspelt`;
  const locked = of(/cannot set feature gate (?<gate>\w{1,80}) to \w{4,5}, feature is locked to (?<value>\w{4,5})/);
  if (locked) return `the feature gate ${locked['gate']} can no longer be set: in this version it is always ${locked['value']}`;
  const plugin = of(/plugin "(?<plugin>\w{1,80})" is unknown/);
  if (plugin) return `the admission plugin ${plugin['plugin']} is not known to this version: removed or misspelt`;
  const field = of(/strict decoding error: (?:unknown|duplicate) field "(?<field>[\w.[\]-]{1,120})"/);
  if (field) return `its configuration file has the field ${field['field']}, which is not known there`;
  const flag = of(/unknown flag: (?<flag>--[\w-]{2,80})/);
  if (flag) return `unknown flag ${flag['flag']}: removed in this version or misspelt`;
  const value = of(/invalid argument "(?<value>[^"\n]{0,120})" for "(?<flag>--[\w-]{2,80})" flag: (?<why>[^\n"]{3,160})/);
  if (value) return `its flag ${value['flag']} does not take the value "${value['value']}": ${value['why']}`;
  const folder = of(/mkdir (?<folder>\/[^\s:"]{1,200}): permission denied/);
  if (folder) return `it may not create the folder ${folder['folder']} (permission denied)`;
  const file = of(/(?:open|stat) (?<file>\/[^\s:"]{1,200}): (?<why>no such file or directory|permission denied)/);
  if (file?.['why'] === 'permission denied') return `it may not read ${file['file']} (permission denied)`;
  if (file) return `it does not find ${file['file']}: not on the host, or not mounted into its pod (volumes and volumeMounts)`;
  return undefined;
}
