import { expect, it } from 'vitest';
import { parseCrash } from './crash.ts';

it.each([
  ['panic: runtime error: invalid memory address', 'fatal'],
  ['Traceback (most recent call last):', 'error'],
  ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', 'error'],
  ["thread 'main' panicked at src/main.rs:4:5:", 'fatal'],
  ['standard_init_linux.go:228: exec user process caused: exec format error', 'fatal'],
])('%s', (line, level) => {
  expect(parseCrash(line)).toEqual({ format: 'crash', level, message: line });
});

it.each(["thread 'main' is up", 'panicking: no', 'the fatal error: x'])('%s is none', (line) => {
  expect(parseCrash(line)).toBeUndefined();
});
