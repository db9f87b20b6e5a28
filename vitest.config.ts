import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const packages = readdirSync(new URL('./packages/', import.meta.url))

export default defineConfig({
  test: {
    projects: [
      ...packages.map((name) => ({ test: { name, include: [`packages/${name}/src/**/*.test.ts`] } })),
      {
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          globalSetup: ['apps/server/test/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], environment: 'node' } },
    ],
  },
})
