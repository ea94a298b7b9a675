// Everything generated, in order: npm run generate.
await import('./generate-catalogue.mjs');
await import('./generate-stories.mjs');
await import('./generate-docs.mjs');
