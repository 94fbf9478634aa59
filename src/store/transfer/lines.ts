import { createReadStream } from 'node:fs'

/**
 * The lines of a file, ended by `\n` and by nothing else: texts may hold U+2028, where `readline` of newer Nodes ends
 * a line too. A line longer than `longest` characters is given as far as it was read and is the last, so that memory
 * stays bounded whatever the file.
 */
export async function* linesOf(file: string, longest: number): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > longest) break
  }
  if (rest !== '') yield rest
}
