import { spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isEndedProgram, programName } from './program-name.ts'

describe('the name of a program', () => {
  it('says the machine and the process, and is never given twice', () => {
    const [one, other] = [programName(), programName()]
    expect(one.startsWith(`${hostname()}:${process.pid}:`)).toBe(true)
    expect(one).not.toBe(other)
  })

  it('tells a program of this machine that has ended from one that runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const name = `${hostname()}:${child.pid}:1234-0`
    expect(isEndedProgram(name)).toBe(false)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    expect(isEndedProgram(name)).toBe(true)
  })

  it('knows itself, and an earlier program that had its number', () => {
    expect(isEndedProgram(programName())).toBe(false)
    expect(isEndedProgram(`${hostname()}:${process.pid}:1234-0`)).toBe(true)
  })

  it('says nothing of other machines and of names of another form', () => {
    for (const name of ['elsewhere:1:1234-0', `${hostname()}`, 'this', '', '999999-abc', `${hostname()}:x:1`])
      expect([name, isEndedProgram(name)]).toEqual([name, false])
  })
})
