import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Problem } from '../../domain/problem.ts'

/**
 * The lines of a file, as many at a time as were read at once, ended by `\n` and by nothing else: texts may hold U+2028,
 * where `readline` of newer Nodes ends a line too. A line longer than `longest` characters is given as far as it was read and is the last, so that memory
 * stays bounded whatever the file. One whose name ends in `.gz` is compressed.
 */
export async function* linesOf(file: string, longest: number): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const chunk of textOf(file)) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield lines
    if (rest.length > longest) break
  }
  if (rest !== '') yield [rest]
}

async function* textOf(file: string): AsyncGenerator<string> {
  if (!file.endsWith('.gz')) return yield* createReadStream(file, 'utf8')
  const plain = createGunzip()
  const packed = createReadStream(file)
  packed.on('error', (error) => plain.destroy(error))
  try {
    yield* packed.pipe(plain).setEncoding('utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error
    const detail = `${file} is damaged: ${error.message}; nothing was imported`
    throw new Problem('bad-record', 422, 'Bad record', detail, 'copy the file again')
  } finally {
    packed.destroy()
  }
}
