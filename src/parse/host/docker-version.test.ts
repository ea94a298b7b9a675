import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

function versions(text: string) {
  return told(hear(text), 'host.version').map(({ component, version }) => `${component} ${version}`);
}

describe('docker version', () => {
  it('tells each part', () => {
    const text = `Client: Docker Engine - Community
 Version:           20.10.21
 API version:       1.41
 Go version:        go1.18.7
 Git commit:        baeda1f
 OS/Arch:           linux/amd64

Server: Docker Engine - Community
 Engine:
  Version:          20.10.17
  API version:      1.41 (minimum version 1.12)
 containerd:
  Version:          1.6.9
  GitCommit:        1c90a442489720eec95342e1789ee8a5e1b9536f
 runc:
  Version:          1.1.4
 docker-init:
  Version:          0.19.0`;
    expect(versions(text)).toEqual(['docker-cli 20.10.21', 'docker 20.10.17', 'containerd 1.6.9', 'runc 1.1.4']);
    expect(hear(text).taken).toMatchObject([{ lines: [1, 18] }]);
  });

  it('tells ctr version apart', () => {
    expect(
      versions('Client:\n  Version:  v1.7.2\n  Revision: 0cae528\n  Go version: go1.20\n\nServer:\n  Version:  v1.7.1\n  UUID: 1234'),
    ).toEqual(['ctr 1.7.2', 'containerd 1.7.1']);
  });

  it('leaves others alone', () => {
    expect(hear('Client:\n\nhello').taken).toEqual([]);
    expect(hear('Client: me\nVersion: 1').taken).toEqual([]);
  });
});
