import type { Worker } from 'node:cluster'

interface Connection {
  close(): void
}

const isConnection = (value: unknown): value is Connection =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'

/** A number that Node's own messages between a leader and its workers carry, where it is there. */
function numberIn(message: unknown, field: 'seq' | 'ack'): number | undefined {
  if (typeof message !== 'object' || message === null || !('cmd' in message) || message.cmd !== 'NODE_CLUSTER') return
  const value: unknown = Reflect.get(message, field)
  return typeof value === 'number' ? value : undefined
}

/**
 * Closes the connections that were on their way to a worker when it ended. Node lets go of one when the worker says that
 * it has it, and forgets those of a worker that says nothing any more: their clients would wait for ever.
 */
export function closeWhatIsOnTheWay(worker: Worker): void {
  const child = worker.process
  const onTheWay = new Map<number, Connection>()
  child.send = new Proxy(child.send, {
    apply: (send, self, sent) => {
      const [message, connection]: unknown[] = sent
      const seq = numberIn(message, 'seq')
      if (seq !== undefined && isConnection(connection)) onTheWay.set(seq, connection)
      return Reflect.apply(send, self, sent)
    },
  })
  child.on('internalMessage', (message: unknown) => {
    const ack = numberIn(message, 'ack')
    if (ack !== undefined) onTheWay.delete(ack)
  })
  worker.once('exit', () => {
    for (const connection of onTheWay.values()) connection.close()
  })
}
