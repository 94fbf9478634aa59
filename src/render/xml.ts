const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What XML 1.0 cannot hold at all, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** Any text as XML character data or attribute value. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '\u{fffd}')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
