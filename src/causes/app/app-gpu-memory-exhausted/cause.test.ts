import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string) => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence: 'certain' as const,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    PyTorch: found(
      'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB total capacity; 13.42 GiB already allocated)',
    ),
    'PyTorch 2.5': found(
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB. GPU 0 has a total capacity of 21.99 GiB of which 345.44 MiB is free.',
    ),
    'llama.cpp': found('ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4096.00 MiB on device 0: cudaMalloc failed: out of memory'),
    'vLLM reckons': found(
      'ValueError: Free memory on device (5.21/14.58 GiB) on startup is less than desired GPU memory utilization (0.9, 13.12 GiB).',
    ),
    'vLLM cache': found(
      "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (24576).",
    ),
  },
  rulesOut: {
    'the memory of the machine': {
      evidence: {
        'pods.txt': listing('0/1     OOMKilled          5 (61s ago)   4m'),
        'log.txt': log('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB.'),
      },
      by: 'ofHost',
    },
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB.'),
      },
      by: 'well',
    },
  },
  asks: {
    'the state of the pod': {
      evidence: { 'paste.txt': 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB.\n' },
      for: 'pod-status',
    },
  },
});
