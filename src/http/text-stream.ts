/** Text that is made piece by piece, as fast as it is taken and no faster. */
export function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
