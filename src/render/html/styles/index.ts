import { BASE_CSS } from './base.ts';
import { DETAILS_CSS } from './details.ts';
import { DRAWINGS_CSS } from './drawings.ts';
import { PARTS_CSS } from './parts.ts';
import { THEME_CSS } from './theme.ts';

export const STYLES = [THEME_CSS, BASE_CSS, PARTS_CSS, DETAILS_CSS, DRAWINGS_CSS].join('').replace(/\n+/g, '\n');
