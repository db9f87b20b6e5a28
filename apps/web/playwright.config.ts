import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const candidates = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-browser',
]
const executablePath = candidates.find((path) => path && existsSync(path))

const port = Number(process.env.E2E_PORT ?? 4173)

export default defineConfig({
  testDir: './e2e',
  outputDir: '../../.cache/playwright',
  workers: 2,
  fullyParallel: true,
  // Generous: a busy machine is no failure.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  retries: process.env.CI ? 1 : 0,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : 'line',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    viewport: { width: 1440, height: 900 },
    // What goes through a worker cannot be held back by a test; the journey without a network lets it in.
    serviceWorkers: 'block',
    // What moves is tested where it matters; elsewhere it only costs time.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'node --import ../server/src/resolve-once.ts ../server/test/demo-server.ts',
    url: `http://127.0.0.1:${port}/readyz`,
    // The first start of a day, or after a change of the server, makes the demo anew.
    timeout: 960_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    // The limits on sign-in and registration are per address: journeys come from addresses of their own. Those of the
    // distributor's stand-in are shared by all companies, which would wait for one another.
    env: {
      PORT: String(port),
      LOG_LEVEL: 'error',
      TRUST_PROXY: '127.0.0.1',
      ENEDIS_QUOTAS: 'off',
      SUBSCRIPTIONS: 'on',
      SUPPORT_MAIL_HOST: 'reponses.exemple.fr',
      SUPPORT_SMTP_PORT: String(port + 1000),
    },
  },
})
