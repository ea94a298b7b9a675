export { diagnose, type DiagnoseOptions, type Documents, type TextDocument } from './diagnose.ts';
export { catalogue } from './causes/catalogue.ts';
export type { Cause } from './model/cause.ts';
export type { Citation } from './model/citation.ts';
export type { Document, Unread } from './model/document.ts';
export type * from './model/report.ts';
export { render, type Format, type RenderOptions } from './render/index.ts';
