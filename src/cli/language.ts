import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENGLISH, type Language, type LanguageFile, languageOf } from '../text/language.ts';
import { UsageError } from './errors.ts';

/** `--lang` first, then what the shell is set to; a language that is not there is an error only when it was asked for. */
export function languageFor(flags: { readonly lang?: string }, env: NodeJS.ProcessEnv = process.env): Language {
  const asked = flags.lang ?? '';
  const wanted = primary(asked || env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '');
  if (wanted === '' || wanted === 'en' || wanted === 'c' || wanted === 'posix') return ENGLISH;
  const file = read(wanted);
  if (file) return languageOf(file);
  if (asked === '') return ENGLISH;
  throw new UsageError(`there are no texts in ${asked}.\n  There are: ${['en', ...languages()].join(', ')}`);
}

/** `zh_CN.UTF-8` is `zh`. Traditional characters have no texts of their own yet and get the simplified ones. */
function primary(locale: string): string {
  return /^[A-Za-z]{1,8}/.exec(locale)?.[0].toLowerCase() ?? '';
}

function folder(): string {
  return join(dirname(realpathSync(process.argv[1] ?? '.')), 'languages');
}

export function languages(): readonly string[] {
  try {
    return readdirSync(folder())
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .sort();
  } catch {
    return [];
  }
}

function read(code: string): LanguageFile | undefined {
  if (!languages().includes(code)) return undefined;
  return JSON.parse(readFileSync(join(folder(), `${code}.json`), 'utf8')) as LanguageFile;
}
