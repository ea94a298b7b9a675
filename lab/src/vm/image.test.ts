import { expect, it } from 'vitest';
import { guestFiles, guestLinks, guestPackages } from './guest-files.ts';
import { keyOf } from './image.ts';

it('the key of an image changes with every input and with nothing else', () => {
  const key = keyOf([guestPackages, guestFiles]);
  expect(key).toMatch(/^[0-9a-f]{16}$/);
  expect(keyOf([guestPackages, guestFiles])).toBe(key);
  expect(keyOf([[...guestPackages, 'open-iscsi'], guestFiles])).not.toBe(key);
});

it('a guest has no iscsiadm, which one of the stories needs missing', () => {
  expect(guestPackages).not.toContain('open-iscsi');
});

it('every enabled unit of ours is laid into the guest', () => {
  const laid = guestFiles.map(({ path }) => `/${path}`);
  const ours = Object.values(guestLinks).filter((target) => target.startsWith('/etc/'));
  expect(ours.length).toBeGreaterThan(0);
  for (const target of ours) expect(laid).toContain(target);
});
