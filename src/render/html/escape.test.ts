import { describe, expect, it } from 'vitest';
import { type Child, escapeHtml, html, trusted, visible } from './escape.ts';

describe('escapeHtml', () => {
  it('leaves nothing that ends text or a quoted attribute', () => {
    expect(escapeHtml(`<a href="x" onload='y'>&\``)).toBe('&lt;a href=&quot;x&quot; onload=&#39;y&#39;&gt;&amp;&#96;');
  });

  it('shows characters that turn the direction of text instead of obeying them', () => {
    expect(visible('rm \u202etxt.exe')).toBe('rm ⟨U+202E⟩txt.exe');
    expect(visible('a\u200bb\u2066c\u2028d\ufeff')).toBe('a⟨U+200B⟩b⟨U+2066⟩c⟨U+2028⟩d⟨U+FEFF⟩');
  });

  it('draws control characters as pictures and keeps tabs and line ends', () => {
    expect(visible('\u0000\u001b[31m\u007f\t\n\r')).toBe('␀␛[31m␡\t\n␍');
    expect(visible('\u0085')).toBe('⟨U+0085⟩');
  });

  it('replaces broken surrogates and keeps whole ones', () => {
    expect(visible('\ud800x 🚀')).toBe('\ufffdx 🚀');
  });

  it('leaves other scripts alone', () => {
    expect(visible('节点 узел عقدة')).toBe('节点 узел عقدة');
  });
});

describe('html', () => {
  it('escapes what is put in, but not what it made itself', () => {
    expect(html`<p>${'<b>'}${html`<i>${'&'}</i>`}${['<', html`<br>`]}</p>`.toString()).toBe('<p>&lt;b&gt;<i>&amp;</i>&lt;<br></p>');
  });

  it('drops what is not there', () => {
    expect(html`a${undefined}b${false}c${0}`.toString()).toBe('abc0');
  });

  it('takes no object of a report for markup', () => {
    const forged = { markup: '<script>', toString: () => '<script>' } as unknown as Child;
    expect(html`${forged}`.toString()).toBe('&lt;script&gt;');
    expect(html`${trusted('<b>')}`.toString()).toBe('<b>');
  });
});
