import { describe, expect, it } from 'vitest';
import { parseLogLine } from '../parse-line.ts';
import { parseJsonLine } from './json-line.ts';

const WHEN = Date.UTC(2024, 0, 2, 3, 4, 5, 678);

describe('parseJsonLine', () => {
  it.each([
    [
      'zap',
      '{"level":"warn","ts":"2024-01-02T03:04:05.678Z","caller":"etcdserver/util.go:123","msg":"apply request took too long","took":"1.2s"}',
      'warning',
    ],
    ['zap with seconds', '{"level":"warn","ts":1704164645.678,"msg":"apply request took too long"}', 'warning'],
    ['klog', '{"ts":1704164645678.0,"caller":"a.go:1","msg":"apply request took too long","v":0,"err":"x"}', undefined],
    ['pino', '{"level":50,"time":1704164645678,"pid":1,"hostname":"web-0","msg":"apply request took too long"}', 'error'],
    ['logstash', '{"@timestamp":"2024-01-02T03:04:05.678Z","log.level":"ERROR","message":"apply request took too long"}', 'error'],
    ['hclog', '{"@level":"error","@message":"apply request took too long","@timestamp":"2024-01-02T03:04:05.678Z"}', 'error'],
    [
      'mongod',
      '{"t":{"$date":"2024-01-02T03:04:05.678+00:00"},"s":"F","c":"CONTROL","id":1,"ctx":"main","msg":"apply request took too long"}',
      'fatal',
    ],
    ['structlog', '{"event":"apply request took too long","level":"critical","timestamp":"2024-01-02T03:04:05.678Z"}', 'fatal'],
  ])('%s', (_, line, level) => {
    const parsed = parseJsonLine(line);
    expect(parsed).toMatchObject({ format: 'json', message: 'apply request took too long', when: WHEN });
    expect(parsed?.level).toBe(level);
  });

  it.each([
    [
      'one text',
      '"error.stack_trace":"java.lang.IllegalStateException: no\\n\\tat a.B.c(B.java:1)\\nCaused by: java.io.IOException: why\\n\\t... 5 more\\n"',
    ],
    [
      'a list',
      '"stacktrace":["java.lang.IllegalStateException: no","at a.B.c(B.java:1)","Caused by: java.io.IOException: why","... 5 more"]',
    ],
    ['an object', '"error":{"stack_trace":"x\\nCaused by: java.io.IOException: why"}'],
  ])('adds the errors behind the error from the trace in %s', (_, trace) => {
    expect(parseJsonLine(`{"@timestamp":"2024-01-02T03:04:05.678Z","log.level":"ERROR","message":"no",${trace}}`)?.message).toBe(
      'no\nCaused by: java.io.IOException: why',
    );
  });

  it('keeps fields, errors given as objects and references to objects', () => {
    const parsed = parseJsonLine(
      '{"ts":1704164645678,"msg":"x","err":{"type":"Error","message":"boom"},"pod":{"name":"a","namespace":"b"},"n":3,"list":[1]}',
    );
    expect(parsed?.fields).toEqual({ err: 'boom', pod: 'b/a', n: '3' });
  });

  it('looks into the object some programs put everything into', () => {
    const parsed = parseJsonLine(
      '{"t":{"$date":"2024-01-02T03:04:05.678+00:00"},"s":"E","c":"STORAGE","msg":"cannot start","attr":{"error":"the folder is locked","c":"hidden","list":[1]}}',
    );
    expect(parsed?.fields).toEqual({ s: 'E', c: 'STORAGE', error: 'the folder is locked' });
  });

  it('unwraps the files docker writes', () => {
    const inner = 'E0102 03:04:05.678000       1 main.go:9] cannot listen';
    const line = JSON.stringify({ log: `${inner}\n`, stream: 'stderr', time: '2024-01-02T03:04:05.678901234Z' });
    expect(parseLogLine(line)).toMatchObject({ format: 'klog', level: 'error', message: 'cannot listen', when: WHEN });
    expect(parseLogLine('{"log":"half","stream":"stdout","time":"2024-01-02T03:04:05Z"}')?.open).toBe('partial');
  });

  it.each([
    '{"apiVersion":"v1","kind":"Pod","message":"x","time":"2024-01-02T03:04:05Z"}',
    '{"kind":"Status","message":"pods not found","level":"error"}',
    '{"msg":"no level and no time"}',
    '{"msg": broken}',
    '{"a":1}',
    '{}',
  ])('refuses %s', (line) => {
    expect(parseJsonLine(line)).toBeUndefined();
  });
});
