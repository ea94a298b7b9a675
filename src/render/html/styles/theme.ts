export interface Theme {
  readonly ground: string;
  readonly surface: string;
  readonly sunken: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly link: string;
  readonly bad: string;
  readonly 'bad-tint': string;
  readonly warn: string;
  readonly 'warn-tint': string;
  readonly good: string;
  readonly 'good-tint': string;
  readonly calm: string;
  /** Violet belongs to confidence alone. */
  readonly sure: string;
  readonly 'sure-tint': string;
  readonly 'on-sure': string;
  readonly hit: string;
  readonly mark: string;
  readonly 'on-mark': string;
  readonly shadow: string;
}

export const LIGHT: Theme = {
  ground: '#f8f7f4',
  surface: '#ffffff',
  sunken: '#f2f1ed',
  ink: '#1d1e22',
  soft: '#5c5f66',
  line: '#e2e0da',
  link: '#0a5f6b',
  bad: '#b4232c',
  'bad-tint': '#fdeeed',
  warn: '#8a5200',
  'warn-tint': '#fcf3e2',
  good: '#1a6b41',
  'good-tint': '#e9f5ee',
  calm: '#6a7280',
  sure: '#5a3fc0',
  'sure-tint': '#f0edfb',
  'on-sure': '#ffffff',
  hit: '#fff8e0',
  mark: '#ffe58f',
  'on-mark': '#1d1e22',
  shadow: '0 1px 2px rgb(20 20 30 / 5%), 0 6px 20px rgb(20 20 30 / 5%)',
};

export const DARK: Theme = {
  ground: '#121316',
  surface: '#1a1c20',
  sunken: '#16181b',
  ink: '#e9e8e4',
  soft: '#a2a6ae',
  line: '#2e3138',
  link: '#7fd0da',
  bad: '#ff8a85',
  'bad-tint': '#331a1c',
  warn: '#f0b65b',
  'warn-tint': '#2e2412',
  good: '#7fd3a2',
  'good-tint': '#16291f',
  calm: '#98a0ad',
  sure: '#b9a8ff',
  'sure-tint': '#262140',
  'on-sure': '#171230',
  hit: '#2a2615',
  mark: '#6b5510',
  'on-mark': '#fff6d6',
  shadow: '0 1px 2px rgb(0 0 0 / 30%), 0 6px 20px rgb(0 0 0 / 25%)',
};

function variables(theme: Theme): string {
  return Object.entries(theme)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

export const THEME_CSS = `
:root{color-scheme:light;${variables(LIGHT)}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${variables(DARK)}}}
@media screen{:root[data-theme=dark]{color-scheme:dark;${variables(DARK)}}}
`;
