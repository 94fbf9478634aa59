/** One word of a POSIX shell, whatever a listing source wrote into the path. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
