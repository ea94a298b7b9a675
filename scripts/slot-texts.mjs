// The words causes put into their slots: literals of the code, with `{1}`, `{2}` where it puts values in.
import { readFileSync } from 'node:fs';

/** Reads literals of TypeScript: enough of its grammar for code that our formatter has seen. */
function literalsOf(code) {
  const found = [];
  let at = 0;
  function quoted(quote) {
    let text = '';
    at++;
    while (at < code.length && code[at] !== quote) {
      if (code[at] === '\\') {
        at++;
        text += code[at] === 'n' ? '\n' : code[at];
      } else text += code[at];
      at++;
    }
    at++;
    found.push(text);
  }
  function template() {
    let text = '';
    let holes = 0;
    at++;
    while (at < code.length && code[at] !== '`') {
      if (code[at] === '\\') {
        text += code[at + 1];
        at += 2;
      } else if (code.startsWith('${', at)) {
        at += 2;
        text += `{${++holes}}`;
        expression('}');
        at++;
      } else text += code[at++];
    }
    at++;
    found.push(text);
  }
  function expression(end) {
    let depth = 0;
    while (at < code.length) {
      const char = code[at];
      if (depth === 0 && char === end) return;
      if (char === "'" || char === '"') quoted(char);
      else if (char === '`') template();
      else if (code.startsWith('//', at)) at = Math.max(at + 2, code.indexOf('\n', at));
      else if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 2;
      else if (char === '/' && /[(,=:[!&|?{};\n]\s*$/.test(code.slice(Math.max(0, at - 20), at))) pattern();
      else {
        if ('({['.includes(char)) depth++;
        if (')}]'.includes(char)) depth--;
        at++;
      }
    }
  }
  function pattern() {
    let inClass = false;
    at++;
    while (at < code.length && (inClass || code[at] !== '/') && code[at] !== '\n') {
      if (code[at] === '\\') at++;
      else if (code[at] === '[') inClass = true;
      else if (code[at] === ']') inClass = false;
      at++;
    }
    at++;
  }
  expression('');
  return found;
}

/** Words for people have a blank between letters; names, keys and commands do not. */
function isForPeople(text) {
  const words = text.replaceAll(/\{\d\}/g, '');
  if (!/[a-z]{2}/i.test(words) || text.length > 600) return false;
  if (!/\s[a-z(]|[a-z),]\s|^ ?\(|, /i.test(text)) return false;
  return !/^(?:kubectl|systemctl|journalctl|crictl|docker|containerd|sysctl|mount|cat|ls|grep|sed|apt|dnf|yum|curl|openssl|--|\/)\b/.test(
    text.trim(),
  );
}

/** Slot words of one cause: of its `slots`, and of the functions and tables around it. */
export function slotTexts(file) {
  const source = readFileSync(file, 'utf8');
  const begin = source.search(/^ {2}slots: /m);
  const end = source.search(/^ {2}fixes: /m);
  const parts = [source.slice(begin, end)];
  for (const match of source.matchAll(/^(?:export )?function [\s\S]*?^\}/gm)) parts.push(match[0]);
  for (const match of source.matchAll(/^const [A-Z_]+[^=]*= (?:new Map\(|\{|\[)[\s\S]*?^[)\]}]+;/gm)) parts.push(match[0]);
  return [...new Set(parts.flatMap(literalsOf).filter(isForPeople))];
}
