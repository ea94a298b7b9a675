/** Compares dotted versions by their numbers, ignoring a leading `v` and anything after them (`1.7.12-0ubuntu3`). */
export function versionAtLeast(version: string, minimum: string): boolean {
  const own = numbersOf(version);
  const wanted = numbersOf(minimum);
  for (let index = 0; index < wanted.length; index++) {
    const difference = (own[index] ?? 0) - (wanted[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export function versionBelow(version: string, limit: string): boolean {
  return numbersOf(version).length > 0 && !versionAtLeast(version, limit);
}

function numbersOf(version: string): number[] {
  const match = /\d+(?:\.\d+){0,3}/.exec(version);
  return match ? match[0].split('.').map(Number) : [];
}
