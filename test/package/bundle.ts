import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** The sources, from here and from the build. */
const CLIENT = ['../../src/client', '../../../src/client']
  .map((place) => join(import.meta.dirname, place))
  .find((place) => existsSync(join(place, 'index.ts')))

interface Bundling {
  /** What is taken of the entry, such as `export *`; all of it, as it stands, unless given. */
  readonly from?: string
  readonly minify?: boolean
  /** False keeps every module that is imported from anywhere, as bundlers do that resolve all before they leave anything out. */
  readonly treeshake?: boolean
  readonly codeSplitting?: boolean
}

/** What a bundler makes of an entry of the client for browsers: the code, and everything it still imports. */
export async function bundled(
  entry: string,
  { from, minify = false, treeshake = true, codeSplitting = false }: Bundling = {},
) {
  const input = join(CLIENT ?? '', entry)
  const VIRTUAL = '\0entry'
  const bundle = await rolldown({
    input: from === undefined ? input : VIRTUAL,
    platform: 'browser',
    // What cannot be resolved is what the tests look for.
    onLog: () => undefined,
    treeshake: treeshake && { moduleSideEffects: false },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === VIRTUAL ? id : null),
        load: (id) => (id === VIRTUAL ? `${from} from ${JSON.stringify(input)}` : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting, minify })
  await bundle.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    imports: chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    /** What is there before anything is imported later. */
    first: firstOf(chunks),
  }
}

interface Chunk {
  readonly fileName: string
  readonly code: string
  readonly isEntry: boolean
  readonly imports: readonly string[]
}

function firstOf(chunks: readonly Chunk[]): string {
  const wanted = chunks.filter(({ isEntry }) => isEntry)
  for (const chunk of wanted)
    for (const one of chunks) if (chunk.imports.includes(one.fileName) && !wanted.includes(one)) wanted.push(one)
  return wanted.map(({ code }) => code).join('\n')
}
