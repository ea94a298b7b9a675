import { describe, expect, it } from 'vitest';
import { code, fence, plain } from './escape.ts';

describe('plain', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['**bold** _it_ ~ ~~', '\\*\\*bold\\*\\* \\_it\\_ \\~ \\~\\~'],
    ['![pic](x.png)', '!\\[pic\\](x.png)'],
    ['[link](/x)', '\\[link\\](/x)'],
    ['| a | b |', '\\| a \\| b \\|'],
    ['`tick', '\\`tick'],
    ['&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['back\\slash', 'back\\\\slash'],
    ['1. one', '1\\. one'],
    ['- item', '\\- item'],
    ['--- rule', '\\--- rule'],
    ['## heading', '\\## heading'],
    ['> quote', '&gt; quote'],
    ['two\n\n# lines', 'two # lines'],
  ])('%s', (given, escaped) => {
    expect(plain(given)).toBe(escaped);
  });

  it.each([
    '@everyone',
    'someone@shop.example',
    'shop/api@sha256:12ab',
    '~~no~~',
    '#12',
    'org/repo#12',
    '!7',
    '$x$',
    'https://evil.example',
    'www.evil.example',
    ':tada:',
    'javascript:alert(1)',
    '/close',
  ])('makes code of %s, so that it does not act', (word) => {
    expect(plain(`see ${word} now`)).toBe(`see \`${word}\` now`);
  });

  it('leaves ordinary words readable', () => {
    expect(plain('kubelet 1.30 (from kubeadm) uses systemd, at 95%')).toBe('kubelet 1.30 (from kubeadm) uses systemd, at 95%');
  });
});

describe('code', () => {
  it('cannot be ended from inside', () => {
    expect(code('a `b` c')).toBe('``a `b` c``');
    expect(code('```')).toBe('```` ``` ````');
    expect(code('a\n\nb')).toBe('`a b`');
    expect(code('')).toBe('');
  });
});

describe('fence', () => {
  it('is longer than any run inside', () => {
    expect(fence('a\n`````\nb', 'text')).toEqual(['``````text', 'a', '`````', 'b', '``````']);
  });

  it('indents every line of a list item', () => {
    expect(fence('a\n\nb', 'sh', '   ')).toEqual(['   ```sh', '   a', '', '   b', '   ```']);
  });
});
