import { describe, expect, it } from 'vitest';
import { entityOf } from '../model/entity.ts';
import { imageIn, pullLine, registryIn } from './image-pulls.ts';
import { tellingLine } from './last-words.ts';
import { bytes, namesOf, objectOf } from './naming.ts';
import { withContext } from './patterns.ts';

describe('names of a place', () => {
  it('gives what kubectl takes', () => {
    expect(namesOf(entityOf('WorkloadContainer/Deployment/shop/api/app'))).toEqual({
      container: 'app',
      namespace: 'shop',
      where: 'namespace shop',
      target: 'deployment/api',
    });
  });

  it('leaves words to fill in where nothing is known, and takes no name that is none', () => {
    expect(namesOf(entityOf('Workload/?/?/api'))).toMatchObject({ namespace: 'NAMESPACE', target: 'deployment/NAME' });
    expect(namesOf(entityOf('Workload/Deployment/shop/$(id)')).target).toBe('deployment/NAME');
  });

  it('names an object for a change only where it is one of the kinds and known in full', () => {
    const scalable = (id: string) => objectOf(entityOf(id), 'Deployment', 'StatefulSet');
    expect(scalable('Workload/Deployment/shop/api')).toBe('Deployment/shop/api');
    expect(scalable('Workload/DaemonSet/shop/agent')).toBe('');
    expect(scalable('Workload/Deployment/?/api')).toBe('');
    expect(scalable('Workload/Deployment/shop/..')).toBe('');
    expect(scalable('Workload/Deployment/shop/$(id)')).toBe('');
  });

  it('writes bytes as Kubernetes does', () => {
    expect([bytes(1024), bytes(25 * 1024 * 1024), bytes(1536)]).toEqual(['1Ki', '25Mi', '1.5Ki']);
  });
});

describe('the line that tells most', () => {
  it('is the last line of a Python trace and the innermost cause of a Java one', () => {
    expect(tellingLine(['Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no port'])).toBe('ValueError: no port');
    expect(tellingLine(['Exception in thread "main" x.Y: z\n\tat a.b(C.java:1)\nCaused by: java.net.ConnectException: refused'])).toBe(
      'Caused by: java.net.ConnectException: refused',
    );
  });

  it('is the last trouble, not the last chatter', () => {
    expect(tellingLine(['starting', 'error: cannot open index', 'bye'])).toBe('error: cannot open index');
  });
});

describe('lines about pulls', () => {
  const { pattern } = pullLine(['manifest unknown'], /manifest unknown/);

  it('pick up the image, wherever it stands', () => {
    const groups = pattern?.exec('Failed to pull image "example.org/a/b:9": manifest unknown')?.groups;
    expect(groups?.['image']).toBe('example.org/a/b:9');
    expect(imageIn({ fields: { image: 'example.org/a/b:9:' } })).toBe('example.org/a/b:9');
  });

  it('are not about other connections', () => {
    expect(pattern?.test('manifest unknown in the backup')).toBe(false);
  });

  it('know the registry of an image', () => {
    expect([registryIn('example.org:5000/a'), registryIn('library/a'), registryIn('a')]).toEqual([
      'example.org:5000',
      undefined,
      undefined,
    ]);
  });

  it('leave optional context out', () => {
    expect(withContext(/b/, { may: [/(?<x>c)/] }).exec('a b')?.groups?.['x']).toBeUndefined();
  });
});
