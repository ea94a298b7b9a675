import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'probable' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    uvicorn: found('ERROR:    Error loading ASGI app. Could not import module "anvil.main".'),
    'a name that is gone': found("ImportError: cannot import name 'url_quote' from 'werkzeug.urls'"),
    Bundler: found('Could not find rake-13.0.6 in any of the sources (Bundler::GemNotFound)'),
    'a program of a gem': found('bundler: command not found: puma'),
    Prisma: found(
      'PrismaClientInitializationError: Prisma Client could not locate the Query Engine for runtime "linux-musl-openssl-3.0.x".',
    ),
    'an add-on for another system': found('Error: /app/node_modules/bcrypt/lib/binding/napi-v3/bcrypt_lib.node: invalid ELF header'),
    'an ES module': found(
      'Error [ERR_REQUIRE_ESM]: require() of ES Module /app/node_modules/node-fetch/src/index.js from /app/server.js not supported.',
    ),
    Python: found("ModuleNotFoundError: No module named 'flask'"),
    Node: found("Error: Cannot find module 'express'"),
    Java: found('Exception in thread "main" java.lang.NoClassDefFoundError: org/slf4j/LoggerFactory'),
    Ruby: found('cannot load such file -- pg (LoadError)'),
    '.NET': found("Unhandled exception. System.IO.FileNotFoundException: Could not load file or assembly 'Anvil.Core, Version=1.0.0.0'"),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log("ModuleNotFoundError: No module named 'flask'"),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log("ModuleNotFoundError: No module named 'flask'"),
      },
      by: 'over',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': "ModuleNotFoundError: No module named 'flask'\n" }, for: 'pod-status' } },
});
