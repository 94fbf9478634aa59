import { describe, expect, it } from 'vitest'
import { lastDays } from './days.ts'
import { aDay, TODAY } from './testing/sample-views.ts'

describe('the last days of a host', () => {
  it('are seven, newest first, those without an entry too', () => {
    const days = [aDay(9, { failed: 1 }), aDay(6, { answers: 2 }, 40), aDay(1, { unreachable: 3 }, null)]
    const listed = lastDays({ days, today: TODAY })
    expect(listed.map(({ day }) => TODAY - day)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(listed[0]).toEqual(aDay(0, {}, null))
    expect(listed[1]).toEqual(aDay(1, { unreachable: 3 }, null))
    expect(listed[6]).toEqual(aDay(6, { answers: 2 }, 40))
  })
})
