import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = readdirSync(new URL('./packages/', import.meta.url))

const faults = [
  'apps/server/test/faults.test.ts',
  'apps/server/test/faults-import.test.ts',
  'apps/server/test/faults-allocation.test.ts',
  'apps/server/test/faults-sync.test.ts',
  'apps/server/test/faults-events.test.ts',
  'apps/server/src/db/embedded.test.ts',
]

/** Suites to which all databases are the same, left out of a second run on another: they have none, or mostly wait. */
const anyDatabase = [
  'apps/server/src/{adapters,compute,formats,pdf,prose,sandbox}/**',
  'apps/server/src/features/distributor/sync/month.test.ts',
  'apps/server/src/jobs/killed-worker.test.ts',
]

export default defineConfig({
  test: {
    // Files share a process: loading the whole server for each of them would cost more than the tests.
    isolate: Boolean(process.env.TEST_ISOLATED),
    maxWorkers: 2,
    // Generous: a busy machine is no failure.
    testTimeout: 60_000,
    // Threads and processes that tests start load compiled modules.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('./.cache/node', import.meta.url)) },
    projects: [
      ...packages.map((name) => ({ extends: true, test: { name, include: [`packages/${name}/src/**/*.test.ts`] } })),
      {
        extends: true,
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          exclude: process.env.TEST_DATABASE_ALONE ? [...faults, ...anyDatabase] : faults,
          globalSetup: ['apps/server/test/global-setup.ts'],
          hookTimeout: 60_000,
        },
      },
      // They kill and restart real servers against the clock: other tests beside them would be measured too.
      {
        extends: true,
        test: { name: 'faults', include: faults, isolate: true, fileParallelism: false },
      },
      // They stand in for what a browser has, each in its own way.
      {
        extends: true,
        test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], environment: 'node', isolate: true },
      },
    ],
  },
})
