import { isFull } from '../../../domain/full-disk.ts'
import { problem } from '../../../domain/problem-kinds.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonAnswer, toResponse } from '../../answer.ts'
import { createEndpoint } from '../../endpoint.ts'
import { json } from '../../openapi/operation.ts'

/** Says nothing of the store. */
export const aliveEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.alive, id: 'alive', tag: 'Operating' },
  summary: 'The process is alive',
  answers: { 200: json('Alive', 'It is') },
  handler: () => () => toResponse(jsonAnswer(200, { status: 'ok' })),
})

export const readyEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.ready, id: 'ready', tag: 'Operating' },
  summary: 'The store answers',
  answers: { 200: json('Ready', 'It does') },
  problems: ['not-ready'],
  handler:
    ({ directory, condition, log }) =>
    async () => {
      try {
        await directory.ping()
      } catch (error) {
        log.warn({ err: error }, isFull(error) ? 'the disk is full' : 'the store does not answer')
        const detail = isFull(error) ? 'The disk of the store is full.' : 'The store does not answer.'
        throw problem('not-ready', detail, { headers: { 'Retry-After': '5' } })
      }
      return toResponse(jsonAnswer(200, { status: 'ready', ...condition() }))
    },
})
