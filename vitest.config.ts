import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = readdirSync(new URL('./packages/', import.meta.url))

const faults = [
  'apps/server/test/faults.test.ts',
  'apps/server/test/faults-import.test.ts',
  'apps/server/test/faults-archive.test.ts',
  'apps/server/test/faults-allocation.test.ts',
  'apps/server/test/faults-sync.test.ts',
  'apps/server/test/faults-billing.test.ts',
  'apps/server/test/faults-events.test.ts',
  'apps/server/test/faults-hung.test.ts',
  'apps/server/test/faults-pooled.test.ts',
  'apps/server/test/faults-full.test.ts',
  'apps/server/test/faults-damaged.test.ts',
  'apps/server/test/faults-files.test.ts',
  'apps/server/test/faults-clock.test.ts',
  'apps/server/test/faults-slow.test.ts',
  'apps/server/test/faults-standby.test.ts',
  'apps/server/test/faults-rolling.test.ts',
  'apps/server/test/faults-start.test.ts',
  'apps/server/src/db/embedded.test.ts',
]

/** Of the machine that PostgreSQL is on, its disk, its clock and its folder, which are ours where Voisol brings it: not of a cluster. */
const ofItsMachine = /faults-(full|damaged|clock|slow|standby)\.|embedded\./
const faultsOfACluster = faults.filter((file) => !ofItsMachine.test(file))

/** What depends on which PostgreSQL runs: `npm test` runs it on the embedded one too, `npm run test:all` the whole suite. */
const ofTheDatabase = [
  'apps/server/src/{core,db,http,jobs}/**/*.test.ts',
  'apps/server/src/*.test.ts',
  'apps/server/src/features/identity/audit/**/*.test.ts',
]

/** They move companies and lose machines of a cluster: `npm run test:citus`. */
const ofACluster = process.env.CITUS_URL
  ? []
  : [
      'apps/server/test/citus.test.ts',
      'apps/server/test/citus-entrances.test.ts',
      'apps/server/test/citus-full.test.ts',
    ]

export default defineConfig({
  test: {
    // Files share a process: loading the whole server for each of them would cost more than the tests.
    isolate: false,
    maxWorkers: 2,
    // Limits only end what hangs: a busy machine is no failure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // Threads and processes that tests start load compiled modules.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('./.cache/node', import.meta.url)) },
    projects: [
      ...packages.map((name) => ({ extends: true, test: { name, include: [`packages/${name}/src/**/*.test.ts`] } })),
      {
        extends: true,
        test: {
          name: 'server',
          include: process.env.TEST_DATABASE_ALONE
            ? ofTheDatabase
            : ['apps/server/{src,test}/**/*.test.ts', 'apps/simulator/src/**/*.test.ts'],
          exclude: [...faults, ...ofACluster],
          globalSetup: ['apps/server/test/global-setup.ts'],
        },
      },
      // They kill and restart real servers against the clock: other tests beside them would be measured too.
      {
        extends: true,
        test: {
          name: 'faults',
          include: process.env.CITUS_URL ? faultsOfACluster : faults,
          globalSetup: ['apps/server/test/cluster-setup.ts'],
          isolate: true,
          fileParallelism: false,
        },
      },
      // Each stands in for what a browser has in its own way, until its test ends.
      {
        extends: true,
        test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], unstubGlobals: true },
      },
    ],
  },
})
