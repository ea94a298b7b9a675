import { InvalidArgumentError } from 'commander';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90s`, `10m`, `1h30m` as kubectl takes them; a plain number is seconds. */
export function durationInSeconds(text: string): number {
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  const whole = parts.map(([part]) => part).join('');
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : whole === text
      ? parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (SECONDS[unit ?? 's'] ?? 1), 0)
      : 0;
  if (seconds < 1) throw new InvalidArgumentError('a duration such as 30s, 10m or 1h is needed.');
  return seconds;
}
