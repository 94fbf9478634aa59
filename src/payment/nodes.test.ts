import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTempoNode } from './mpp/node.ts'
import { chainMatches, createNodes, networkKind } from './nodes.ts'

/** Says that its chain is 84532, however often it is asked. */
let calls = 0
const server = createServer((request, response) => {
  calls += 1
  request.resume().on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x14a34' })))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

describe('nodes', () => {
  it('are found under every name of their network, opened once, and asked nothing before they are used', () => {
    const nodes = createNodes(new Map([['eip155:84532', url]]))
    const node = nodes.evm('base-sepolia')
    expect(node?.network).toBe('eip155:84532')
    expect(nodes.evm('eip155:84532')).toBe(node)
    expect(calls).toBe(0)
  })

  it('are not made up for networks without an address or of another kind', () => {
    const nodes = createNodes(new Map([['eip155:84532', url]]))
    expect(nodes.evm('base')).toBeUndefined()
    expect(nodes.evm('constructor')).toBeUndefined()
    expect(nodes.solana('base-sepolia')).toBeUndefined()
    expect(createNodes(new Map([['solana', url]])).solana('solana')?.network).toMatch(/^solana:5eykt4/)
  })

  it('match when they are on the chain that they are named for, Tempo chains by their number', async () => {
    const match = (network: string): Promise<boolean> => {
      const node = createNodes(new Map([[network, url]])).evm(network)
      return node === undefined ? Promise.reject(new Error('no node')) : chainMatches(node)
    }
    expect(await match('eip155:84532')).toBe(true)
    expect(await match('tempo:84532')).toBe(true)
    expect(await match('base')).toBe(false)
  })

  it('give up at their deadline', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address: AddressInfo | string | null = silent.address()
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const node = createNodes(new Map([['base', at]]), 50).evm('base')
    await expect(node && chainMatches(node)).rejects.toThrow()
    silent.closeAllConnections()
    silent.close()
  })

  it('give up at their deadline what falls silent within its answer', async () => {
    const silent = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0","id":1,"res')
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address: AddressInfo | string | null = silent.address()
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const nodes = createNodes(new Map(['base', 'solana'].map((network) => [network, at])), 100)
    const node = nodes.evm('base')
    await expect(node && chainMatches(node)).rejects.toThrow()
    await expect(nodes.solana('solana')?.call('getHealth', [])).rejects.toThrow()
    await expect(createTempoNode(at, 100).network()).rejects.toThrow()
    silent.closeAllConnections()
    silent.close()
  })
})

describe('how a call of a node ended', () => {
  const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x2105"}'
  it.each<[string, string, (response: ServerResponse) => void]>([
    ['all of the answer came', 'answered', (response) => response.end(ANSWER)],
    ['it fell silent within its answer', 'deadline', (response) => response.write(ANSWER.slice(0, 20))],
    ['it went away within its answer', 'unreachable', (response) => response.write(ANSWER, () => response.destroy())],
    ['the answer has no end', 'unreadable', (response) => response.end(' '.repeat(5 * 1024 * 1024))],
    ['it says that it fails', 'http_5xx', (response) => response.writeHead(500).end(ANSWER)],
  ])('is known when %s: %s', async (_, outcome, answer) => {
    const node = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      request.resume().on('end', () => answer(response))
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const address: AddressInfo | string | null = node.address()
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const heard: string[] = []
    const deadlineMs = outcome === 'deadline' ? 300 : 20_000
    const base = createNodes(new Map([['base', at]]), deadlineMs, (to, how) => heard.push(`${to} ${how}`)).evm('base')
    await (base && chainMatches(base))?.catch(() => undefined)
    expect(heard).toEqual([`node ${outcome}`])
    node.closeAllConnections()
    node.close()
  })
})

describe('the kind of a network', () => {
  it.each([
    ['eip155:8453', 'eip155'],
    ['tempo:4217', 'tempo'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana'],
    ['base', undefined],
    ['eip155:', undefined],
    ['eip155:08453', undefined],
    ['tempo:main', undefined],
    ['', undefined],
  ])('%s is %s', (network, kind) => {
    expect(networkKind(network)).toBe(kind)
  })
})
