/** What is wrong with a text that JSON.parse does not take: people write comments and last commas, and dockerd takes neither. */
export function whyNoJson(text: string): string {
  if (text.length > LARGEST) return 'The file is not valid JSON.';
  const { plain, hasComment } = withoutComments(text);
  const hasComma = /,\s*[\]}]/.test(withoutStrings(plain));
  if (hasComment && isJson(plain)) return 'The file has comments, which dockerd does not read: it takes plain JSON only.';
  if (hasComma) return 'The file has a comma after the last member of a list or an object, which dockerd does not read.';
  return isJson(text) ? 'The file is nested too deeply.' : 'The file is not valid JSON.';
}

/** No daemon.json is so large; looking for a reason in what is none could take long. */
const LARGEST = 20_000;
const STRINGS_AND_COMMENTS = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|#[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g;

function withoutComments(text: string): { readonly plain: string; readonly hasComment: boolean } {
  let hasComment = false;
  const plain = text.replace(STRINGS_AND_COMMENTS, (found) => {
    if (found.startsWith('"')) return found;
    hasComment = true;
    return '';
  });
  return { plain, hasComment };
}

function withoutStrings(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
