import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { Problem } from '../../domain/problem.ts'

/**
 * The lines of a file, as many at a time as were read at once, ended by `\n` and by nothing else: texts may hold U+2028,
 * where `readline` of newer Nodes ends a line too. A line longer than `longest` characters is given as far as it was read
 * and is the last, so that memory stays bounded whatever the file. One whose name ends in `.gz`, or that begins as such files do, is compressed. Throws a
 * `Problem` that names the first line with bytes that are no text: what stands for them would be another path or price
 * than the file has.
 */
export async function* linesOf(file: string, longest: number): AsyncGenerator<readonly string[]> {
  let rest: Uint8Array = new Uint8Array()
  let number = 0
  for await (const chunk of bytesOf(file)) {
    const end = chunk.lastIndexOf(LINE_END)
    if (end !== -1) {
      for (const lines of textsOf(joined(rest, chunk.subarray(0, end)), number)) {
        number += lines.length
        yield lines
      }
      rest = new Uint8Array()
    }
    rest = joined(rest, chunk.subarray(end + 1))
    if (rest.length <= longest) continue
    const long = textIn(rest)
    if (long.length > longest) return yield [long]
  }
  if (rest.length > 0) yield* textsOf(rest, number)
}

const LINE_END = 0x0a

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => (a.length === 0 ? b : Buffer.concat([a, b]))

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

/** All of its lines at once; of bytes that are no text, those before the bad one, of which it then complains. */
function* textsOf(bytes: Uint8Array, before: number): Generator<readonly string[]> {
  if (isUtf8(bytes)) return yield textIn(bytes).split('\n')
  let [number, from] = [before + 1, 0]
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
    const line = bytes.subarray(from, end)
    if (!isUtf8(line)) break
    yield [textIn(line)]
    number++
    from = end + 1
  }
  throw badLine(number, 'not UTF-8')
}

export const badLine = (number: number, reason: string): Problem =>
  new Problem(
    'bad-record',
    422,
    'Bad record',
    `line ${number}: ${reason}; nothing was imported`,
    'correct the line and import the file again',
    { line: number },
  )

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  if (!(file.endsWith('.gz') || (await isGzip(file)))) return yield* createReadStream(file)
  const plain = createGunzip()
  const packed = createReadStream(file)
  packed.on('error', (error) => plain.destroy(error))
  try {
    yield* packed.pipe(plain)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error
    const detail = `${file} is damaged: ${error.message}; nothing was imported`
    throw new Problem('bad-record', 422, 'Bad record', detail, 'copy the file again')
  } finally {
    packed.destroy()
  }
}

/** No text in UTF-8 begins so. */
const GZIP_MAGIC = [0x1f, 0x8b]

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(GZIP_MAGIC.length), position: 0 })
    return bytesRead === GZIP_MAGIC.length && GZIP_MAGIC.every((byte, at) => buffer[at] === byte)
  } finally {
    await handle.close()
  }
}
