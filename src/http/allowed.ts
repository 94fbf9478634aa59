import { type Endpoint, targetPattern } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'

/** The methods of endpoints that share an address, as `Allow` names them. */
export const methodsOf = (endpoints: readonly Endpoint[]): string =>
  endpoints.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ')

const PLACES = ENDPOINTS.map(({ path }) => ({ path, written: targetPattern(path) }))

/** What `Allow` names for the target of a request: nothing where there is no such address. */
export function allowedAt(target: string): string {
  const place = PLACES.find(({ written }) => written.test(target))
  return methodsOf(ENDPOINTS.filter(({ path }) => path === place?.path))
}
