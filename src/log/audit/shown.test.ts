import { describe, expect, it } from 'vitest'
import { itemsOf } from './shown.ts'

describe('a list of a directory', () => {
  it('is read to its end where it was found, also of a directory that lies below a path', async () => {
    const asked: string[] = []
    const json = async (path: string) => {
      asked.push(path)
      const isFirst = !path.includes('cursor')
      const next = isFirst ? 'https://shared.example/tollbook/v1/list?a=1&limit=200&cursor=c' : null
      return { rows: [{ n: isFirst ? 1 : 2 }], next }
    }
    const items: unknown[] = []
    for await (const item of itemsOf({ json }, '/v1/list?a=1', 'rows')) items.push(item)
    expect(items).toEqual([{ n: 1 }, { n: 2 }])
    expect(asked).toEqual(['/v1/list?a=1&limit=200', '/v1/list?a=1&limit=200&cursor=c'])
  })
})
