import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import type { CommandContext } from './command.ts'
import { serveCommand } from './serve.ts'

/** The command with deps that tell what went through them. */
function sample(
  stop: () => Promise<void> = async () => undefined,
  baseUrl: string | null = null,
  starting: Promise<unknown> = Promise.resolve(),
) {
  const events: string[] = []
  const waiting: ((signal: string) => void)[] = []
  const command = serveCommand({
    start: async () => {
      await starting
      events.push('started')
      return {
        address: 'http://localhost:8402',
        baseUrl,
        stop: async () => {
          events.push('stopping')
          await stop()
          events.push('stopped')
        },
      }
    },
    nextSignal: () => new Promise((resolve) => waiting.push(resolve)),
    abort: () => events.push('aborted'),
    announce: (text) => events.push(text),
  })
  const context: CommandContext = {
    allowHosts: [],
    sources: [],
    ingesting: () => {
      throw new Error('no sources in this test')
    },
    openStore: () => Promise.reject(new Error('not needed')),
    out: { write: (text: string) => events.push(text) },
    err: { write: (text: string) => events.push(text) },
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const signal = async (): Promise<void> => {
    await settle()
    waiting.shift()?.('SIGTERM')
    await settle()
  }
  return { events, signal, run: (argv: string[] = []) => command.run(argv, context) }
}

describe('tollbook serve', () => {
  it('says where it listens, and ends well when told to', async () => {
    const { events, signal, run } = sample()
    const code = run(['--roles', 'web'])
    await signal()
    expect(await code).toBe(0)
    expect(events).toEqual(['started', 'Tollbook listens on http://localhost:8402', 'stopping', 'stopped'])
  })

  it('says what others call it, where that is said', async () => {
    const { events, signal, run } = sample(undefined, 'https://directory.example')
    const code = run()
    await signal()
    await code
    expect(events[1]).toBe('Tollbook listens on http://localhost:8402 as https://directory.example')
  })

  it('ends on the spot when told twice', async () => {
    const { events, signal, run } = sample(() => new Promise(() => undefined))
    void run()
    await signal()
    await signal()
    expect(events.slice(2)).toEqual(['stopping', 'aborted'])
  })

  it('ends well when it is told to while it starts, whatever comes of that, and fails when nobody told it', async () => {
    let fail = (): void => undefined
    const starting = new Promise((_, reject) => {
      fail = () => reject(new Error('web worker 2 ended with SIGTERM'))
    })
    const { events, signal, run } = sample(undefined, null, starting)
    const code = run()
    await signal()
    fail()
    expect(await code).toBe(0)
    expect(events).toEqual([])
    await expect(sample(undefined, null, Promise.reject(new Error('no room'))).run()).rejects.toThrow('no room')
  })

  it('refuses a role it does not have, before opening anything', async () => {
    const { events, run } = sample()
    await expect(run(['--roles', 'web,cook'])).rejects.toMatchObject({
      slug: 'usage',
      detail: 'there is no role cook',
      hint: 'roles are web, ingest, probe, log',
    })
    await expect(run(['--roles', 'web,'])).rejects.toThrow(Problem)
    expect(events).toEqual([])
  })
})
