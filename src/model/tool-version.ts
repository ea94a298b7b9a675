/** Kept equal to package.json by a test. */
export const TOOL_VERSION = '0.1.0';
