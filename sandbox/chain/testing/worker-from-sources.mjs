// The thread of a chain whose TypeScript nobody has built.
import { register } from 'node:module'

register('./typescript-hook.mjs', import.meta.url)
await import('../node/worker.ts')
