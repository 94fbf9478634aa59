import fc from 'fast-check'
import { raw as honoRaw } from 'hono/html'
import { Fragment as HonoFragment, jsx as honoJsx } from 'hono/jsx'
import { describe, expect, it } from 'vitest'
import { type Child, escaped, Fragment, type Html, jsx, raw } from './jsx-runtime.ts'

interface Tree {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly children: readonly (Tree | string | number | boolean | null | undefined)[]
}

const word = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.constantFrom(...[`<b a='x'>&amp;"`, '</script>', '', ' ', 'ümläut 🦊']),
)
const value = fc.oneof(word, fc.integer(), fc.boolean(), fc.constantFrom(null, undefined))
const { tree } = fc.letrec<{ tree: Tree; child: Tree['children'][number] }>((tie) => ({
  tree: fc.record({
    tag: fc.constantFrom('p', 'a', 'li', 'section', 'td', 'span', 'details'),
    attributes: fc.dictionary(fc.constantFrom('class', 'href', 'aria-label', 'open', 'hidden', 'colspan', 'id'), value),
    children: fc.array(tie('child'), { maxLength: 4 }),
  }),
  child: fc.oneof({ depthSize: 'small' }, value, tie('tree')),
}))

const isTree = (child: Tree['children'][number]): child is Tree => typeof child === 'object' && child !== null

const ours = ({ tag, attributes, children }: Tree): Html =>
  jsx(tag, { ...attributes, children: children.map((child): Child => (isTree(child) ? ours(child) : child)) })

const theirs = ({ tag, attributes, children }: Tree): ReturnType<typeof honoJsx> =>
  honoJsx(tag, { ...attributes }, ...children.map((child) => (isTree(child) ? theirs(child) : (child ?? null))))

describe('markup', () => {
  it('is what another writer of JSX makes of the same', () => {
    fc.assert(
      fc.property(tree, (one) => {
        expect(ours(one).text).toBe(String(theirs(one)))
      }),
      { numRuns: 500 },
    )
  })

  it('never lets a text out of its place', () => {
    fc.assert(
      fc.property(word, (text) => {
        expect(escaped(text)).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/)
        expect(jsx('p', { title: text, children: text }).text).toBe(`<p title="${escaped(text)}">${escaped(text)}</p>`)
      }),
    )
  })

  it('has components, fragments, markup of our own, lists and elements without end', () => {
    const Item = ({ name }: { readonly name: string }) => jsx('li', { children: name })
    const items = ['a', '<b>'].map((name) => jsx(Item, { name }))
    expect(jsx('ul', { children: [items, false, null] }).text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>')
    expect(jsx(Fragment, { children: [raw('<i>'), '<i>', 0] }).text).toBe('<i>&lt;i&gt;0')
    expect(jsx(() => null, {}).text).toBe('')
    expect(jsx('input', { name: 'q', required: true, readonly: false }).text).toBe('<input name="q" required=""/>')
    expect(String(honoJsx(HonoFragment, {}, honoRaw('<i>')))).toBe('<i>')
  })

  it('refuses an attribute that is no text', () => {
    expect(() => jsx('p', { class: ['a', 'b'] })).toThrow('the attribute class is no text')
  })
})
