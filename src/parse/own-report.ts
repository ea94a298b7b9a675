import type { Document } from '../model/document.ts';

const HEAD_BYTES = 400;
const JSON_REPORT = /^\s*\{\s*"version":\s*\d+,\s*"tool":\s*\{\s*"name":\s*"podcause"/;
const YAML_REPORT = /^version: \d+\ntool:\n {2}name: podcause\n/;

/** What podcause said of evidence is none: its quotes would prove whatever it thought of then. */
export function isOwnReport({ bytes }: Document): boolean {
  if (bytes === undefined) return false;
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  return JSON_REPORT.test(head) || YAML_REPORT.test(head);
}
