import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** Tests and scripts run in the folder of the project. */
export const PROJECT = resolve('.')

const names = z.record(z.string(), z.string())

const entry = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  optional: z.boolean().optional(),
  dev: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  optionalDependencies: names.optional(),
})
export type LockEntry = z.infer<typeof entry>

const lock = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), entry) })
export type Lock = z.infer<typeof lock>

/** What `npm ci` installs. Keys of `packages` are folders; `''` is the project itself. */
export const readLock = (): Lock => lock.parse(JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')))

const manifest = z.looseObject({
  version: z.string(),
  dependencies: names,
  optionalDependencies: names,
  devDependencies: names,
  allowScripts: z.record(z.string(), z.boolean()),
  engines: z.object({ node: z.string() }),
})

export const readManifest = (): z.infer<typeof manifest> =>
  manifest.parse(JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')))

export const readVersion = (): string => readManifest().version
