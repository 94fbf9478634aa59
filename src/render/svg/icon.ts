/** The site's mark: an open book with a toll bar across it; legible at 16 px, on light and dark. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5d4e"/><path d="M5 9c4-2 8-1 11 1 3-2 7-3 11-1v14c-4-2-8-1-11 1-3-2-7-3-11-1z" fill="#fff"/><path d="M16 10v14" stroke="#0b5d4e" stroke-width="1.6"/><path d="M8 20 24 13" stroke="#e0922f" stroke-width="3" stroke-linecap="round"/></svg>'
