export { catalogue } from './causes/catalogue.ts';
export { type DiagnoseOptions, type Documents, diagnose, type TextDocument } from './diagnose.ts';
export type { Cause } from './model/cause.ts';
export type { Citation } from './model/citation.ts';
export type { Document, Unread } from './model/document.ts';
export type * from './model/report.ts';
export { type Format, type RenderOptions, render } from './render/index.ts';
