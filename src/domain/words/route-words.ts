/** The closed vocabularies and limits of routes, apart from what reads addresses: these lines run in browsers too. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export const RAILS = ['x402', 'mpp'] as const
export type Rail = (typeof RAILS)[number]

export const SCHEMES = ['http', 'https'] as const
export type Scheme = (typeof SCHEMES)[number]

/** In bytes of UTF-8. Index keys of both engines hold it. */
export const LONGEST_PATH = 2000
