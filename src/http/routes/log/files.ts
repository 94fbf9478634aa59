import { readFileSync } from 'node:fs'
import { problem } from '../../../domain/problem-kinds.ts'
import { MalformedError, parseTilePath, type TileAddress, tilePath } from '../../../log/tlog/index.ts'
import { VERIFIER } from '../../../log/verifier.mjs'
import { logHref } from '../../../render/site.ts'
import { PATHS } from '../../../wire/paths.ts'
import { textAnswer, toResponse } from '../../answer.ts'
import { FOR_EVER } from '../../cache/page.ts'
import { sendPage } from '../../cache/send-page.ts'
import { compressed } from '../../compressed.ts'
import { createEndpoint } from '../../endpoint.ts'
import { takesGzip } from '../../negotiation.ts'
import { text } from '../../openapi/operation.ts'
import { inPath } from '../../openapi/parameters.ts'
import { openCheckpoint, openLog } from './open-log.ts'

const HINT = `The log is described at ${logHref}.`

export const logCheckpointEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.logCheckpoint, id: 'logCheckpoint', tag: 'Log', isCached: true },
  summary: 'The newest checkpoint of the evidence log, signed and cosigned',
  answers: { 200: text('text/plain', 'A signed note (c2sp.org/tlog-checkpoint)') },
  problems: ['log-off', 'log-stopped'],
  handler: (services) => async () => {
    const { checkpoint } = await openCheckpoint(services)
    return toResponse(textAnswer(200, 'text/plain', checkpoint.note))
  },
})

export const logVkeyEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.logVkey, id: 'logVkey', tag: 'Log', isCached: true },
  summary: 'The verifier key of the evidence log',
  answers: { 200: text('text/plain', 'One line (c2sp.org/signed-note)') },
  problems: ['log-off'],
  handler: (services) => async () => toResponse(textAnswer(200, 'text/plain', `${(await openLog(services)).vkey}\n`)),
})

function tileAt(path: string): TileAddress {
  try {
    return parseTilePath(`tile/${path}`)
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    throw problem('not-found', 'This is not how the log writes the address of a tile.', { hint: HINT })
  }
}

export const logTileEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.logTile, id: 'logTile', tag: 'Log', isCached: true },
  summary: 'A tile of the evidence log’s tree, or a bundle of its entries',
  parameters: [inPath('tile', 'Level and number as C2SP writes them, or entries and number', '0/000.p/1')],
  answers: { 200: text('application/octet-stream', 'Hashes or entries (c2sp.org/tlog-tiles)') },
  problems: ['log-off', 'not-found'],
  handler: (services) => async (context) => {
    const log = await openLog(services)
    const address = tileAt(context.req.param('tile') ?? '')
    const contentType = 'application/octet-stream'
    const response = await sendPage(services, context, {
      key: JSON.stringify(['log', tilePath(address)]),
      host: null,
      render: async () => {
        // Bundles are large and read once: they would only push pages out of the cache.
        const text = address.level === 'entries' ? undefined : await log.tile(address)
        return text && { contentType, text, isImmutable: true, headers: [['Vary', 'Accept-Encoding']] }
      },
    })
    if (response !== undefined) return response
    const headers = { 'Content-Type': contentType, 'Cache-Control': FOR_EVER, Vary: 'Accept-Encoding' }
    const packed = takesGzip(context.env.call.head.acceptEncoding) ? await log.packed(address) : undefined
    if (packed !== undefined)
      return toResponse({ status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: packed })
    const bytes = address.level === 'entries' ? await log.tile(address) : undefined
    if (bytes === undefined) throw problem('not-found', 'The log has not grown that far.', { hint: HINT })
    return toResponse({ status: 200, headers, body: bytes })
  },
})

export const logProofEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.logProof, id: 'logProof', tag: 'Log', isCached: true },
  summary: 'That an entry is in the evidence log, to be checked without asking anybody',
  parameters: [inPath('index', 'The place of the entry, from 0 on', '0')],
  answers: { 200: text('text/plain', 'A proof of inclusion with its checkpoint (c2sp.org/tlog-proof)') },
  problems: ['log-off', 'log-stopped', 'not-found'],
  handler: (services) => async (context) => {
    const { log } = await openCheckpoint(services)
    const written = context.req.param('index') ?? ''
    const proof = /^(?:0|[1-9]\d{0,15})$/.test(written) ? await log.proof(Number(written)) : undefined
    if (proof === undefined) throw problem('not-found', 'The log has no entry at this place.', { hint: HINT })
    return toResponse(textAnswer(200, 'text/plain', proof))
  },
})

export const logVerifierEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.logVerifier, id: 'logVerifier', tag: 'Log', isCached: true },
  summary: 'One file without dependencies that verifies the evidence log: node verify.mjs <base_url> [index]',
  answers: { 200: text('text/javascript', 'A program for Node and for browsers') },
  handler: () => {
    const source = readFileSync(VERIFIER, 'utf8')
    return async (context) =>
      toResponse(await compressed(context.env.call.head, textAnswer(200, 'text/javascript', source)))
  },
})
