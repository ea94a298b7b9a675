import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const said = (words: string) => ({
  evidence: { 'terminal.txt': `$ kubectl apply -f report.yaml\nError from server: ${words}\n` },
  confidence: 'certain' as const,
});

testCause(cause, {
  finds: {
    etcd: said('etcdserver: request is too large'),
    'the API server': said('error when creating "report.yaml": Request entity too large: limit is 3145728'),
    'the connection between them': {
      ...said('rpc error: code = ResourceExhausted desc = grpc: trying to send message larger than max (2412317 vs. 2097152)'),
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a proxy on the way': {
      evidence: {
        'terminal.txt':
          '$ kubectl apply -f report.yaml\n<html><head><title>413 Request Entity Too Large</title></head>\nError from server: Request entity too large: limit is 3145728\n',
      },
      by: 'proxy',
    },
  },
  asks: { 'what the API server says': { evidence: { 'note.txt': 'etcdserver: request is too large\n' }, for: 'objects' } },
});
