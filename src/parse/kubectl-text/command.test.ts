import { describe, expect, it } from 'vitest';
import { readCommand } from './command.ts';

describe('readCommand', () => {
  it('reads verb, resource, names and namespace in any order', () => {
    const expected = { verb: 'describe', resources: ['pod'], names: ['web-0'], namespace: 'shop', filtered: true, piped: false };
    expect(readCommand('kubectl describe pod web-0 -n shop')).toMatchObject(expected);
    expect(readCommand('kubectl -n shop describe pod/web-0')).toMatchObject(expected);
    expect(readCommand('sudo k --namespace=shop describe pod web-0')).toMatchObject(expected);
    expect(readCommand('microk8s kubectl describe -nshop pod web-0')).toMatchObject(expected);
  });

  it('tells a whole listing from a filtered one', () => {
    expect(readCommand('kubectl get pods -n shop -o wide')).toMatchObject({ filtered: false, names: [] });
    expect(readCommand('kubectl get pods -l app=web')).toMatchObject({ filtered: true, selected: true });
    expect(readCommand('kubectl get pods|grep web')).toMatchObject({ filtered: true, piped: true });
    expect(readCommand('kubectl get pods | less')).toMatchObject({ filtered: false, piped: false });
    expect(readCommand('kubectl get pods web-0')).toMatchObject({ filtered: true, piped: false });
  });

  it('reads all namespaces and lists of resources', () => {
    expect(readCommand('oc get po,pvc -A')).toMatchObject({ resources: ['po', 'pvc'], allNamespaces: true });
    expect(readCommand('kubectl get pods --all-namespaces')).toMatchObject({ allNamespaces: true });
  });

  it('stops at comments, redirections and further commands', () => {
    expect(readCommand('kubectl get pods # which ones fail')).toMatchObject({ names: [] });
    expect(readCommand('kubectl get pods > out.txt')).toMatchObject({ names: [] });
  });

  it('leaves placeholders out of names', () => {
    expect(readCommand('kubectl describe pod $POD')).toMatchObject({ names: [] });
    expect(readCommand('kubectl describe pod <name>')).toMatchObject({ names: [] });
  });

  it('knows when it was another program', () => {
    expect(readCommand('crictl ps -a')).toBeUndefined();
    expect(readCommand(undefined)).toBeUndefined();
    expect(readCommand('kubectl')).toBeUndefined();
  });
});
