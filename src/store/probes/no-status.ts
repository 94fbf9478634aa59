/** How the store writes "no HTTP result" inside a key. */
export const NO_STATUS = 0

export const statusIn = (status: number): number | null => (status === NO_STATUS ? null : status)
