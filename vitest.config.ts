import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const packages = readdirSync(new URL('./packages/', import.meta.url))

const alone = [
  'apps/server/test/faults.test.ts',
  'apps/server/test/faults-import.test.ts',
  'apps/server/test/faults-allocation.test.ts',
  'apps/server/test/faults-sync.test.ts',
  'apps/server/src/db/embedded.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      ...packages.map((name) => ({ test: { name, include: [`packages/${name}/src/**/*.test.ts`] } })),
      {
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          exclude: alone,
          globalSetup: ['apps/server/test/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      // They kill and restart real servers against the clock: other tests beside them would be measured too.
      { test: { name: 'faults', include: alone, testTimeout: 60_000, fileParallelism: false } },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], environment: 'node' } },
    ],
  },
})
