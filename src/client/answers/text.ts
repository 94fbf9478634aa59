/** The text of an answer. Rejects with `RangeError` when it is longer than it can be, and reads no more of it. */
export function textOf(answer: Response, mostBytes: number): Promise<string> {
  let left = mostBytes
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (piece, through) => {
      left -= piece.length
      if (left < 0) throw new RangeError(`longer than ${mostBytes} bytes`)
      through.enqueue(piece)
    },
  })
  return new Response(answer.body?.pipeThrough(counted)).text()
}
