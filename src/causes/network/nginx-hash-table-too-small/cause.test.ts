import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n edge logs edge-nginx-controller-7d5f8c6b9-x2k4p\n${words}\n`;
const names =
  'nginx: [emerg] could not build server_names_hash, you should increase server_names_hash_bucket_size: 32\nnginx: configuration file /tmp/nginx-cfg1 test failed';

testCause(cause, {
  finds: {
    'server names': { evidence: { 'controller.log': log(names) }, confidence: 'certain', cites: ['controller.log:2'] },
    'variables, with a time before it': {
      evidence: {
        'controller.log': log(
          '2025/03/04 08:10:57 [emerg] 26#26: could not build variables_hash, you should increase variables_hash_bucket_size: 64',
        ),
      },
      confidence: 'certain',
    },
    'the newer wording': {
      evidence: {
        'controller.log': log(
          '2025/03/04 08:10:57 [emerg] 26#26: could not build the map_hash, you should increase either map_hash_max_size: 2048 or map_hash_bucket_size: 64',
        ),
      },
      confidence: 'certain',
    },
    'only a warning': {
      evidence: {
        'controller.log': log(
          '2025/03/04 08:10:57 [warn] 26#26: could not build optimal proxy_headers_hash, you should increase either proxy_headers_hash_max_size: 512 or proxy_headers_hash_bucket_size: 64; ignoring proxy_headers_hash_bucket_size',
        ),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a line nginx does not know': {
      evidence: { 'controller.log': log(`nginx: [emerg] unknown directive "gzzip" in /etc/nginx/nginx.conf:4\n${names}`) },
      by: 'broken',
    },
  },
  asks: { 'the log': { evidence: { 'note.txt': `${names}\n` }, for: 'container-log' } },
});
