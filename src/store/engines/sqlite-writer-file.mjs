/** Where the writing thread begins. A file of its own: what joins the program into few files leaves these where they are. */
export const WRITER = new URL('./sqlite-writer.mjs', import.meta.url)
