/** The same answer, read no further than so many bytes: reading one that is longer rejects with `RangeError`. */
export function bounded(answer: Response, mostBytes: number): Response {
  let left = mostBytes
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (piece, through) => {
      left -= piece.length
      if (left < 0) throw new RangeError(`longer than ${mostBytes} bytes`)
      through.enqueue(piece)
    },
  })
  return new Response(answer.body?.pipeThrough(counted))
}
