import { rmSync } from 'node:fs'
import { loadConfig } from '../../src/main/config.ts'
import { serve } from '../../src/main/serve.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from './engines.ts'

export interface FilledProgram {
  /** Without a trailing slash. */
  readonly address: string
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** The web role of the program on a store of its own, filled before it starts. */
export async function startFilledProgram(
  settings: Readonly<Record<string, string>>,
  fill: (store: Store, nowUs: number) => Promise<void>,
): Promise<FilledProgram> {
  const dataDir = temporaryFolder()
  const env = {
    ...{ PORT: '0', BIND: '127.0.0.1', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
    ...settings,
  }
  const config = loadConfig(env)
  const store = await openStore(config)
  try {
    await fill(store, Date.now() * 1000)
  } finally {
    await store.close()
  }
  const running = await serve(config, ['web'])
  if (running.address === null) throw new Error('the program has no address')
  return {
    address: running.address,
    env,
    stop: async () => {
      await running.stop(1000)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
