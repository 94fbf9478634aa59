// What `<p>…</p>` means in the pages: text, escaped and written at once. Nothing waits, nothing has state or context, and
// nothing is moved to another place, so a page costs little more than the joining of its strings.

/** Markup. Whatever is not of this class is text. */
export class Html {
  constructor(readonly text: string) {}
}

export type Child = Html | string | number | boolean | null | undefined | readonly Child[]

type Value = string | number | boolean | null | undefined

interface Attributes {
  readonly [name: string]: Value | Child
  readonly key?: string | number | null | undefined
  readonly children?: Child
}

type Component<P> = (props: P) => Html | null | false

const VOID = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])

/** By being there they say yes; any other attribute says `true` or `false`. */
const FLAGS = new Set(['checked', 'disabled', 'hidden', 'open', 'readonly', 'required', 'selected'])

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const SPECIAL = /[&<>"']/
const EACH_SPECIAL = /[&<>"']/g

/** Up to here one look for all of them is faster than one for each. */
const SHORT = 40

const isSpecial = (text: string): boolean =>
  text.length <= SHORT
    ? SPECIAL.test(text)
    : text.includes('&') || text.includes('<') || text.includes('>') || text.includes('"') || text.includes("'")

export const escaped = (text: string): string =>
  isSpecial(text) ? text.replace(EACH_SPECIAL, (character) => ESCAPES[character] ?? '') : text

/** Markup of our own, as it is. */
export const raw = (text: string): Html => new Html(text)

function written(child: Child): string {
  if (typeof child === 'string') return escaped(child)
  if (child instanceof Html) return child.text
  if (typeof child === 'number') return String(child)
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  let text = ''
  for (const one of child) text += one instanceof Html ? one.text : written(one)
  return text
}

function attribute(name: string, value: unknown): string {
  if (typeof value === 'string') return ` ${name}="${escaped(value)}"`
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean' && FLAGS.has(name)) return value ? ` ${name}=""` : ''
  if (typeof value === 'object') throw new Error(`the attribute ${name} is no text`)
  return ` ${name}="${escaped(String(value))}"`
}

export function jsx<P extends object>(tag: string | Component<P>, props: P): Html {
  if (typeof tag === 'function') {
    const made = tag(props)
    return made instanceof Html ? made : NOTHING
  }
  let text = `<${tag}`
  let children: Child
  // Of a tag they are attributes and children.
  const given = props as Attributes
  for (const name in given) {
    if (name === 'children') children = given.children
    else text += attribute(name, given[name])
  }
  if (VOID.has(tag)) return new Html(`${text}/>`)
  return new Html(`${text}>${written(children)}</${tag}>`)
}

/** A part that is the same on every page, written once. */
export function once(part: () => Html): () => Html {
  let made: Html | undefined
  return () => {
    made ??= part()
    return made
  }
}

/** Compilers call it by either name; in tests by the last. */
export { jsx as jsxDEV, jsx as jsxs }

const NOTHING = new Html('')

export const Fragment = ({ children }: { readonly children?: Child }): Html => new Html(written(children))

export declare namespace JSX {
  type Element = Html
  type ElementType = Tag | ((props: never) => Html | null | false)
  interface ElementChildrenAttribute {
    children: unknown
  }
  interface IntrinsicAttributes {
    readonly key?: string | number | null | undefined
  }
  type IntrinsicElements = Readonly<Record<Tag, Attributes>>
}

type Tag =
  | ('html' | 'head' | 'title' | 'meta' | 'link' | 'style' | 'body' | 'header' | 'main' | 'footer' | 'nav' | 'aside')
  | (
      | 'section'
      | 'article'
      | 'figure'
      | 'div'
      | 'p'
      | 'h1'
      | 'h2'
      | 'h3'
      | 'h4'
      | 'ul'
      | 'ol'
      | 'li'
      | 'dl'
      | 'dt'
      | 'dd'
    )
  | (
      | 'a'
      | 'b'
      | 'em'
      | 'strong'
      | 'code'
      | 'pre'
      | 'span'
      | 'time'
      | 'bdi'
      | 'blockquote'
      | 'details'
      | 'summary'
      | 'img'
      | 'br'
    )
  | ('table' | 'caption' | 'thead' | 'tbody' | 'tr' | 'th' | 'td')
  | ('form' | 'label' | 'input' | 'button' | 'select' | 'option' | 'textarea' | 'fieldset' | 'legend')
  | ('svg' | 'path' | 'rect' | 'g' | 'pattern' | 'defs' | 'text')
