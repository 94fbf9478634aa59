import { isBuiltin } from 'node:module'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundled } from '../../test/package/bundle.ts'

describe('the client in browsers', () => {
  it.each(['index.ts', 'x402.ts', 'mpp.ts', 'guard/index.ts'])('needs nothing of Node: %s', async (entry) => {
    const { code, imports } = await bundled(entry)
    expect(imports.filter((name) => isBuiltin(name))).toEqual([])
    expect(code).not.toMatch(/from ['"]node:|require\(['"]node:|import\(['"]node:/)
    // Bundlers look for every import before they leave out what is not used.
    const { imports: all } = await bundled(entry, { treeshake: false })
    expect(all.filter((name) => isBuiltin(name))).toEqual([])
  })

  it('carries no library of a rail, nor what it does not use', async () => {
    const { modules } = await bundled('index.ts')
    expect(modules.filter((id) => /node_modules\/(?:viem|mppx|@x402)\//.test(id))).toEqual([])
    const onlySigning = await bundled('index.ts', { from: 'export { signPost }' })
    expect(onlySigning.modules.filter((id) => /node_modules|wire\/api/.test(id))).toEqual([])
    expect(onlySigning.code.length).toBeLessThan(6000)
  })

  it('reads with less than 8 kB, and pays with what the program has', async () => {
    const sizeOf = async (entry: string, from: string): Promise<number> => {
      const { code, modules } = await bundled(entry, { from, minify: true })
      expect(modules.filter((id) => /node_modules|wire\/api/.test(id))).toEqual([])
      const compressed = gzipSync(code).length
      console.log(`${from} of src/client/${entry}: ${compressed} bytes compressed`)
      return compressed
    }
    expect(await sizeOf('index.ts', 'export { createClient }')).toBeLessThan(8000)
    expect(await sizeOf('index.ts', 'export *')).toBeLessThan(8000)
    for (const entry of ['x402.ts', 'mpp.ts']) expect(await sizeOf(entry, 'export *')).toBeLessThan(6000)
  })

  it('guards with less than 6 kB, and without any library', async () => {
    const { code, first, modules } = await bundled('guard/index.ts', {
      from: 'export *',
      minify: true,
      codeSplitting: true,
    })
    expect(modules.filter((id) => /node_modules|wire\/api/.test(id))).toEqual([])
    const compressed = gzipSync(first).length
    const all = gzipSync(code).length
    console.log(`tollbook/guard: ${compressed} bytes compressed; ${all} with what report loads when it is called`)
    expect(compressed).toBeLessThan(6000)
  })
})
