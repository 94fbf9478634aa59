import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/hygiene/held.ts'],
    globalSetup: ['test/support/global-guard.ts', 'test/support/global-postgres.ts'],
  },
})
