import { describe, expect, it } from 'vitest'
import { isAway, isFull, reasonOf } from './store-trouble.ts'

const failed = (more: object, message = ''): Error => Object.assign(new Error(message), more)

describe('a store that is away', () => {
  it.each([
    ['refuses connections', new AggregateError([], ''), { code: 'ECONNREFUSED' }],
    ['has no socket file', new Error('connect ENOENT /run/x'), { code: 'ENOENT', syscall: 'connect' }],
    ['has lost a connection', new Error('Connection terminated unexpectedly'), {}],
    ['gives no connection in time', new Error('timeout exceeded when trying to connect'), {}],
    ['goes down', new Error('terminating connection due to administrator command'), { code: '57P01' }],
    ['comes up', new Error('the database system is starting up'), { code: '57P03' }],
    ['has no connection left', new Error('sorry, too many clients already'), { code: '53300' }],
    ['breaks off', new Error('connection failure'), { code: '08006' }],
  ])('is one that %s, however deep the reason lies', (_, error, more) => {
    const found = Object.assign(error, more)
    expect([isAway(found), isFull(found)]).toEqual([true, false])
    expect(isAway(new Error('a post could not be answered', { cause: found }))).toBe(true)
  })

  it.each([
    ['a mistake in a statement', failed({ code: '42601' }, 'syntax error')],
    ['a conflict', failed({ code: '23505' }, 'duplicate key')],
    ['a missing file', failed({ code: 'ENOENT', syscall: 'open' }, 'no such file')],
    ['a bug', new TypeError('x is not a function')],
    ['no error at all', 'ECONNREFUSED'],
  ])('is not taken for %s', (_, error) => {
    expect([isAway(error), isFull(error)]).toEqual([false, false])
  })
})

it('gives a reason in words for whatever was thrown', () => {
  expect(reasonOf(failed({ code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED')
  expect(reasonOf(new TypeError(''))).toBe('TypeError')
  expect(reasonOf('gone')).toBe('gone')
})
