import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process of our own that answers one message at a time. */
export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>
  end(): Promise<void>
}

/** Starts a compiled module of the bench as a process. Both sides are ours, so messages are typed and not parsed. */
export function child<Question extends object, Answer>(module: URL): Child<Question, Answer> {
  const process = fork(fileURLToPath(module), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise<void>((resolve) => process.once('exit', () => resolve()))
  return {
    ask: (question) =>
      new Promise<Answer>((resolve, reject) => {
        const lost = (): void => reject(new Error(`${module.pathname.split('/').at(-1)} ended without an answer`))
        process.once('exit', lost)
        process.once('message', (answer: Answer) => {
          process.off('exit', lost)
          resolve(answer)
        })
        process.send(question)
      }),
    end: async () => {
      if (process.connected) process.disconnect()
      await ended
    },
  }
}

/** The other side: answers questions until the asker has gone. */
export function answering<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', (question: Question) => {
    void answer(question).then(
      (given) => process.send?.(given),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
        process.exit(1)
      },
    )
  })
  process.once('disconnect', () => process.exit())
}
