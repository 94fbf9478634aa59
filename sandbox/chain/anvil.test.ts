import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { anvilBinary, PLATFORM, startAnvil } from './anvil.ts'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const gone = async (pid: number): Promise<boolean> => {
  for (let i = 0; i < 200 && isAlive(pid); i++) await new Promise((resolve) => setTimeout(resolve, 25))
  return !isAlive(pid)
}

describe.runIf(anvilBinary() !== null)('anvil', () => {
  it('ends with stop', async () => {
    const anvil = await startAnvil({ chainId: 7, kind: 'evm' })
    expect(isAlive(anvil.pid)).toBe(true)
    await anvil.stop()
    expect(await gone(anvil.pid)).toBe(true)
  })

  it('ends when its parent is killed with -9', async () => {
    const parent: ChildProcess = spawn(
      process.execPath,
      ['--input-type=module', '-e', PARENT, new URL('../../dist/sandbox/chain/anvil.js', import.meta.url).href],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [said] = await once(parent.stdout ?? parent, 'data')
    const pid = Number(String(said))
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    expect(await gone(pid)).toBe(true)
  })

  it('tells flags that it does not know', async () => {
    await expect(startAnvil({ chainId: 7, kind: 'evm', args: ['--no-such-flag'] })).rejects.toThrow('--no-such-flag')
  })
})

describe.runIf(anvilBinary() === null)('anvil where it is not', () => {
  it('is said to be missing, and nothing waits for it', async () => {
    await expect(startAnvil({ chainId: 7, kind: 'evm' })).rejects.toThrow(`anvil is not present on ${PLATFORM}`)
  })
})

const PARENT = `
const { startAnvil } = await import(process.argv[1])
const anvil = await startAnvil({ chainId: 7, kind: 'evm' })
console.log(anvil.pid)
setInterval(() => {}, 1000)
`
