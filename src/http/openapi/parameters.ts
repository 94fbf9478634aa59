import { z } from 'zod'
import { method, rail, vantage } from '../../wire/api/values.ts'
import { DEFAULT_LIMIT, MOST_LIMIT } from '../parameters.ts'
import type { Parameter } from './operation.ts'

/** What the examples of the document name. Tests fill a server with exactly these. */
export const EXAMPLES = {
  host: 'api.example.com',
  path: '/v1/x',
  url: 'https://api.example.com/v1/x',
  review: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  post: 'pabcdefghijklmnopqrstuvwxyz',
  statement: 'f0e1d2c3b4a5968778695a4b3c2d1e0f',
  wallet: '0x1111111111111111111111111111111111111111',
  text: 'Paid once, answered in 80 ms.',
  signedAt: '2026-11-14T12:34:56Z',
} as const

const TEXT = z.string()

type More = Partial<Pick<Parameter, 'schema' | 'example' | 'required'>>

export const inPath = (name: string, description: string, example: string): Parameter => ({
  ...{ name, in: 'path', required: true, description, schema: TEXT, example },
})

export const inQuery = (name: string, description: string, more: More = {}): Parameter => ({
  ...{ name, in: 'query', required: false, description, schema: TEXT },
  ...more,
})

export const host = inPath('host', 'The seller host, as in its address', EXAMPLES.host)

export const limit = inQuery('limit', `How many; ${DEFAULT_LIMIT} unless given`, {
  schema: z.int().min(1).max(MOST_LIMIT),
  example: '10',
})
export const cursor = inQuery('cursor', 'Where to go on: part of the `next` address of the page before')
export const page = [limit, cursor]

export const methodOf = (more: More = {}): Parameter =>
  inQuery('method', 'HTTP method of the route', { schema: method, example: 'GET', ...more })
export const railOf = (more: More = {}): Parameter =>
  inQuery('rail', 'What the route is paid through', { schema: rail, example: 'x402', ...more })
export const pathOf = (more: More = {}): Parameter =>
  inQuery('path', 'Everything after the host, as the source wrote it', { example: EXAMPLES.path, ...more })

export const vantageOf = inQuery('vantage', 'The place that probers looked from, by its name', { schema: vantage })

export const formatOf = (formats: readonly [string, ...string[]]): Parameter =>
  inQuery('format', 'The representation, whatever Accept says', { schema: z.enum(formats), example: formats[0] })
