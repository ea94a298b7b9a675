import { readFileSync } from 'node:fs';

/**
 * The most memory this process had at once, in MB. The kernel's count of resources begins with what the process had that started
 * this one; that of its own memory does not, where there is one.
 */
export function peakMemoryMb(): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(ownStatus())?.[1];
  return Math.round((kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) / 1024);
}

function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
