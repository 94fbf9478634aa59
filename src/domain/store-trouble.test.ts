import { describe, expect, it } from 'vitest'
import { failureFields, isAway, isFull, isUnready, reasonOf, takesNothing } from './store-trouble.ts'

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
    expect([isAway(found), isUnready(found), isFull(found)]).toEqual([true, true, false])
    expect(isAway(new Error('a post could not be answered', { cause: found }))).toBe(true)
  })

  it.each([
    ['a mistake in a statement', failed({ code: '42601' }, 'syntax error')],
    ['a conflict', failed({ code: '23505' }, 'duplicate key')],
    ['a missing file', failed({ code: 'ENOENT', syscall: 'open' }, 'no such file')],
    ['a bug', new TypeError('x is not a function')],
    ['no error at all', 'ECONNREFUSED'],
  ])('is not taken for %s', (_, error) => {
    expect([isAway(error), isUnready(error), isFull(error)]).toEqual([false, false, false])
  })
})

describe('a store that is busy', () => {
  it.each([
    ['gave a transaction up for another', '40P01', 'deadlock detected'],
    ['has changed what a transaction saw', '40001', 'could not serialize access'],
    ['has no time for a statement', '57014', 'canceling statement due to statement timeout'],
    ['keeps a lock for another', '55P03', 'canceling statement due to lock timeout'],
    ['is taken over by another', '25006', 'cannot execute INSERT in a read-only transaction'],
    ['ends a transaction that waits', '25P03', 'terminating connection due to idle-in-transaction timeout'],
    ['ends a session that waits', '57P05', 'terminating connection due to idle-session timeout'],
    ['has no memory', '53200', 'out of memory'],
    ['is written by another program', 'ERR_SQLITE_ERROR', 'database is locked'],
  ])('is one that %s: not away, and worth asking again', (_, code, message) => {
    const found = failed({ code }, message)
    expect([isAway(found), isUnready(found), isFull(found)]).toEqual([false, true, false])
    expect(isUnready(new Error('a post could not be answered', { cause: found }))).toBe(true)
    expect(failureFields(found)).toEqual({ reason: message })
  })

  it('is told apart from one that is full', () => {
    const full = failed({ code: '53100' }, 'could not extend file')
    expect([isUnready(full), isFull(full)]).toEqual([false, true])
  })
})

describe('a store that takes nothing, whatever it is given', () => {
  it.each([
    ['is away', failed({ code: 'ECONNREFUSED' })],
    ['has no room', failed({ code: '53100' }, 'could not extend file')],
    ['fails by its disk', failed({}, 'disk I/O error')],
    ['lets nobody write', failed({ code: '42501' }, 'permission denied for table probes')],
    ['is read-only', failed({ code: '25006' }, 'cannot execute INSERT in a read-only transaction')],
  ])('is one that %s', (_, error) => {
    expect(takesNothing(error)).toBe(true)
  })

  it.each([
    ['a value out of range', failed({ code: '22003' }, 'value out of range')],
    ['a damaged page, on which few hosts are', failed({}, 'database disk image is malformed')],
    ['a statement that takes too long, as a smaller one may not', failed({ code: '57014' }, 'canceling statement')],
    ['a bug', new TypeError('x is not a function')],
  ])('is not taken for %s', (_, error) => {
    expect(takesNothing(error)).toBe(false)
  })
})

it('gives a reason in words for whatever was thrown', () => {
  expect(reasonOf(failed({ code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED')
  expect(reasonOf(new TypeError(''))).toBe('TypeError')
  expect(reasonOf('gone')).toBe('gone')
})
