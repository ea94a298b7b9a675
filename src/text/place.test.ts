import { describe, expect, it } from 'vitest';
import { CLUSTER, containerId, namespaceId, nodeId, objectId, podId, THIS_NODE, workloadContainerId, workloadId } from '../model/entity.ts';
import { nodeNameOf, placeName } from './place.ts';

const indexer = workloadId('Deployment', 'search', 'indexer');

describe('placeName', () => {
  it.each([
    [CLUSTER, 'the cluster'],
    [nodeId('worker-2'), 'node worker-2'],
    [THIS_NODE, 'this node'],
    [namespaceId('shop'), 'namespace shop'],
    [podId('shop', 'api-0'), 'pod shop/api-0'],
    [podId(undefined, 'api-0'), 'pod api-0'],
    [containerId(podId('shop', 'api-0'), 'app'), 'container app of pod shop/api-0'],
    [indexer, 'Deployment search/indexer'],
    [workloadContainerId(indexer, 'app'), 'container app of Deployment search/indexer'],
    [objectId('PersistentVolumeClaim', 'pay', 'data-0'), 'PersistentVolumeClaim pay/data-0'],
    ['node worker-2', 'node worker-2'],
    ['', ''],
  ])('%s is %s', (id, name) => {
    expect(placeName(id)).toBe(name);
  });

  it('knows which places are nodes with a name', () => {
    expect(nodeNameOf(nodeId('worker-2'))).toBe('worker-2');
    expect(nodeNameOf(THIS_NODE)).toBeUndefined();
    expect(nodeNameOf(podId('a', 'b'))).toBeUndefined();
  });
});
