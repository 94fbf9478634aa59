/** The closed vocabularies of routes, apart from what reads addresses: these lines run in browsers too. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export const RAILS = ['x402', 'mpp'] as const
export type Rail = (typeof RAILS)[number]

export const SCHEMES = ['http', 'https'] as const
export type Scheme = (typeof SCHEMES)[number]
