import { problem } from '../../../domain/problem-kinds.ts'
import { isFull } from '../../../domain/store-trouble.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonAnswer, toResponse } from '../../answer.ts'
import { createEndpoint } from '../../endpoint.ts'
import { json } from '../../openapi/operation.ts'
import { storeAway } from '../../problems.ts'

/** Says nothing of the store. */
export const aliveEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.alive, id: 'alive', tag: 'Operating', isCached: true },
  summary: 'The process is alive',
  answers: { 200: json('Alive', 'It is') },
  handler: () => () => toResponse(jsonAnswer(200, { status: 'ok' })),
})

export const readyEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.ready, id: 'ready', tag: 'Operating', isCached: true },
  summary: 'The store answers',
  answers: { 200: json('Ready', 'It does') },
  problems: ['not-ready'],
  handler:
    ({ directory, condition, onTrouble }) =>
    async () => {
      try {
        await directory.ping()
      } catch (error) {
        onTrouble(error)
        throw isFull(error)
          ? problem('not-ready', 'The disk of the store is full.', { headers: { 'Retry-After': '5' } })
          : storeAway()
      }
      return toResponse(jsonAnswer(200, { status: 'ready', ...condition() }))
    },
})
