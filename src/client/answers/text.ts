/** The text of an answer. Rejects with `RangeError` when it is longer than it can be, and reads no more of it. */
export async function textOf(answer: Response, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = answer.body?.getReader()
  for (let bytes = 0; ; ) {
    const piece = await reader?.read()
    if (!piece?.value) return text + decoder.decode()
    bytes += piece.value.length
    if (bytes > mostBytes) {
      await reader?.cancel()
      throw new RangeError(`longer than ${mostBytes} bytes`)
    }
    text += decoder.decode(piece.value, { stream: true })
  }
}
