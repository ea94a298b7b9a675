import { closeSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isMap, isSeq, parseDocument } from 'yaml';

export interface KeptTokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

/**
 * Writes tokens back as kubectl does. A provider that gives a new refresh token has made the old one worthless: kept to
 * ourselves, it would lock the user out of kubectl. Only those two values change; false where it could not be done.
 */
export function keepTokens(file: string, user: string, { idToken, refreshToken }: KeptTokens): boolean {
  let lock: number | undefined;
  let locked = '';
  try {
    const real = realpathSync(file);
    locked = `${real}.lock`;
    lock = openSync(locked, 'wx', 0o600);
    const document = parseDocument(readFileSync(real, 'utf8'), { schema: 'failsafe' });
    const users = document.get('users');
    const index = isSeq(users) ? users.items.findIndex((item) => isMap(item) && item.get('name') === user) : -1;
    const config = ['users', index, 'user', 'auth-provider', 'config'];
    if (index < 0 || document.errors.length > 0 || !isMap(document.getIn(config))) return false;
    document.setIn([...config, 'id-token'], idToken);
    document.setIn([...config, 'refresh-token'], refreshToken);
    const fresh = `${real}.podcause`;
    writeFileSync(fresh, document.toString({ lineWidth: 0 }), { mode: statSync(real).mode & 0o777 });
    renameSync(fresh, real);
    return true;
  } catch {
    return false;
  } finally {
    if (lock !== undefined) {
      closeSync(lock);
      rmSync(locked, { force: true });
    }
  }
}
