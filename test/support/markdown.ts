/**
 * Whatever a renderer reads as Markdown: everything outside fences and code spans, which stand as `<code>`. Throws when a
 * fence is left open.
 */
export function outsideCode(markdown: string): string {
  const kept: string[] = []
  let fence: string | undefined
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (fence === undefined) {
      fence = /^ {0,3}(`{3,}|~{3,})(?!.*`)/.exec(line)?.[1]
      if (fence === undefined) kept.push(line)
    } else if (new RegExp(`^ {0,3}${fence}${fence[0]}*[ \\t]*$`).test(line)) fence = undefined
  }
  if (fence !== undefined) throw new Error('a fence is left open')
  return kept.join('\n').replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '<code>')
}
