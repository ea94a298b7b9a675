import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const full = line(
  [
    'CUDA out of memory',
    'CUDA_ERROR_OUT_OF_MEMORY',
    'cudaErrorMemoryAllocation',
    'cudaMalloc failed: out of memory',
    'CUDA error: out of memory',
    'HIP out of memory',
    'hipErrorOutOfMemory',
    'XPU out of memory',
    'OOM when allocating tensor',
    'RESOURCE_EXHAUSTED: Out of memory',
    'CUBLAS_STATUS_ALLOC_FAILED',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?<error>(?:CUDA|HIP|XPU) out of memory(?:\. Tried to allocate (?<wanted>[\d.]{1,12} [KMGT]i?B))?|CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation|cudaMalloc failed: out of memory|CUDA error: out of memory|hipErrorOutOfMemory|OOM when allocating tensor|RESOURCE_EXHAUSTED: Out of memory|CUBLAS_STATUS_ALLOC_FAILED)/,
);
/** Servers of language models count before they start. */
const planned = line(
  [
    'less than desired GPU memory utilization',
    'No available memory for the cache blocks',
    'maximum number of tokens that can be stored in KV cache',
    'needed, which is larger than the available KV cache memory',
    'Not enough memory. Please try to increase --mem-fraction-static',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?<error>Free memory on device [^\n]{0,80}? is less than desired GPU memory utilization|No available memory for the cache blocks|is larger than the maximum number of tokens that can be stored in KV cache|needed, which is larger than the available KV cache memory|Not enough memory\. Please try to increase --mem-fraction-static)/,
);
const ofHost = excludes('pod.symptom', ({ symptom }) => symptom === 'oom');

export const cause = defineCause({
  id: 'app-gpu-memory-exhausted',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'GPU memory does not suffice',
    title: '{container} runs out of GPU memory: {error}',
    why: 'The memory of the graphics card, not that of the pod, is what {container} lacks ({error}): the model with its cache, or the batch, is larger than the card, or another process holds a part of it (a second pod on a shared or time-sliced GPU, a process left behind by a killed container). A higher memory limit of the pod changes nothing.',
  },

  clues: {
    full: proves(full, byContainers),
    planned: proves(planned, byContainers),
    ofHost,
    well: excludes('pod.status', isWell),
  },
  says: {
    full: 'the GPU gives it no more memory: {error}',
    planned: 'it reckons that model and cache do not fit into the GPU: {error}',
    ofHost: 'the kernel kills it for the memory of the machine: its memory limit is too small',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { full: said, planned: reckoned }) => ({
    ...namesOf(place),
    error: (said?.fields['error'] ?? reckoned?.fields['error'] ?? 'out of memory').slice(0, 160),
  }),

  fixes: [
    {
      say: 'See who uses the GPU, and how much memory it has',
      risk: 'reads-only',
      steps: [
        { say: 'memory and processes of the card', run: 'nvidia-smi', on: 'node' },
        { say: 'which pods share the GPUs of the node', run: 'kubectl get pods -A -o wide | grep -v Completed', on: 'cluster' },
      ],
    },
    {
      say: 'Need less GPU memory: a smaller batch or context, a smaller or quantized model, or several GPUs for one model',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'vLLM: --max-model-len smaller, --gpu-memory-utilization as large as the card allows, --tensor-parallel-size with more nvidia.com/gpu',
        },
        { say: 'PyTorch: a smaller batch; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation' },
        { say: 'edit arguments and resources', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      verified: '{container} loads its model and stays up',
    },
    {
      say: 'Or give it a GPU that is larger, or its own: no time-slicing with others, and no process left on it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a nodeSelector on nvidia.com/gpu.product or nvidia.com/gpu.memory picks the card',
          run: 'kubectl get nodes -L nvidia.com/gpu.product,nvidia.com/gpu.memory',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'pytorch c10/cuda/CUDACachingAllocator.cpp',
    'vllm vllm/v1/worker/gpu_worker.py, vllm/v1/core/kv_cache_utils.py',
    'tensorflow bfc_allocator',
  ],
});
