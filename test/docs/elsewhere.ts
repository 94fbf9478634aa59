/** Blocks that are not run as they stand: a part of their text, and the test that does what they say. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'test/sandbox/world.test.ts',
  'npm ci && npm test': 'test/package/scripts.test.ts',
  'npm run lint': 'test/package/scripts.test.ts',
  'npm run drill -- ': 'drills/drills.test.ts',
  'node bin/tollbook.js serve': 'test/docs.test.ts',
  'export const corner = {': 'test/contributing/add-a-source.test.ts',
  'export const sample: SourceSample': 'test/contributing/add-a-source.test.ts',
  '{"kind":"listing","method":"GET","url":"https://api.example.com/v1/x"': 'src/ingest/sources/file.test.ts',
  'createGuard(': 'test/guard/docs.test.ts',
  'upstream tollbook {': 'test/operating/setup.test.ts',
  '<SHA-256 of the text, lower-case hex>': 'src/wire/signed-lines.test.ts',
}
