import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

/** What a bundler makes of an entry for browsers: the code, and everything it still imports. */
async function bundled(entry: string, from?: string, minify = false) {
  const input = join(import.meta.dirname, entry)
  const VIRTUAL = '\0entry'
  const bundle = await rolldown({
    input: from === undefined ? input : VIRTUAL,
    platform: 'browser',
    // What cannot be resolved is what the tests look for.
    onLog: () => undefined,
    treeshake: { moduleSideEffects: false },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === VIRTUAL ? id : null),
        load: (id) => (id === VIRTUAL ? `${from} from ${JSON.stringify(input)}` : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify })
  await bundle.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    imports: chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

describe('the client in browsers', () => {
  it.each(['index.ts', 'x402.ts', 'mpp.ts', 'guard/index.ts'])('needs nothing of Node: %s', async (entry) => {
    const { code, imports } = await bundled(entry)
    expect(imports.filter((name) => isBuiltin(name))).toEqual([])
    expect(code).not.toMatch(/from ['"]node:|require\(['"]node:|import\(['"]node:/)
  })

  it('carries no library of a rail, nor what it does not use', async () => {
    const { modules } = await bundled('index.ts')
    expect(modules.filter((id) => /node_modules\/(?:viem|mppx|@x402)\//.test(id))).toEqual([])
    const onlySigning = await bundled('index.ts', 'export { signPost }')
    expect(onlySigning.modules.filter((id) => /node_modules|wire\/api/.test(id))).toEqual([])
    expect(onlySigning.code.length).toBeLessThan(6000)
  })

  it('guards with less than 6 kB, and without any library', async () => {
    const { code, modules } = await bundled('guard/index.ts', 'export *', true)
    expect(modules.filter((id) => /node_modules|wire\/api/.test(id))).toEqual([])
    const compressed = gzipSync(code).length
    console.log(`tollbook/guard: ${compressed} bytes compressed`)
    expect(compressed).toBeLessThan(6000)
  })
})
