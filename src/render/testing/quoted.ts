/** The tags and the names of their attributes: what a browser builds, without any text. */
export const skeleton = (html: string): string => (html.match(/<[^>]*>/g) ?? []).join('').replace(/="[^"]*"/g, '=')

/** What a page quotes, as it was written. */
export const quotes = (html: string): string[] =>
  Array.from(html.matchAll(/<blockquote dir="auto" tabindex="(?:0|-1)">([^<]*)<\/blockquote>/g), ([, inner = '']) =>
    inner
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  )

/** Every object of a document that holds the text in one of its own members. */
export function holders(value: unknown, text: string): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const members = Object.values(value)
  const own = members.includes(text) ? [{ ...value }] : []
  return [...own, ...members.flatMap((member) => holders(member, text))]
}
