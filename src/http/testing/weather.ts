import { afterAll } from 'vitest'
import type { WebServer } from '../server/server.ts'
import { MemoryDirectory, startSample } from './samples.ts'

export const HOST = 'api.weather.example'
export const HOST_PATH = `/hosts/${HOST}`

/** A server that knows this one host, until the tests of the file are over. */
export async function serveWeather(): Promise<{
  readonly directory: MemoryDirectory
  readonly web: WebServer & { readonly lines: string[] }
}> {
  const directory = new MemoryDirectory()
  directory.put(HOST)
  const web = await startSample({ directory })
  afterAll(() => web.drain(1000))
  return { directory, web }
}
