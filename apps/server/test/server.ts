import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { recordTableDistribution } from '../src/db/citus.ts'
import { openDeps } from '../src/deps.ts'
import { createMailCatcher } from '../src/integrations/mail/catcher.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { openTelemetry } from '../src/telemetry/telemetry.ts'
import { createTestDatabase, queryAs } from './database.ts'

export type RunningServer = Awaited<ReturnType<typeof startServer>>

async function startServer(env: Record<string, string>, log?: Logger) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-app-'))
  const database = await createTestDatabase(inject('postgres'))
  const catcher = await createMailCatcher(join(folder, 'mail'))
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: folder,
    SMTP_URL: catcher.url,
    LOG_LEVEL: 'silent',
    WEB: 'off',
    COMPUTE_THREADS: '1',
    ...env,
  })
  const logger = log ?? pino({ level: config.LOG_LEVEL })
  const { deps, close } = openDeps(config, database.url, logger, await openTelemetry(config, logger))
  await recordTableDistribution(deps.db, deps.aside)
  const queue = await startQueue(deps, database.url, jobs, true)
  const app = await buildApp(deps)
  await app.ready()
  const stop = async () => {
    await app.close()
    await stopQueue(queue)
    await close()
    await catcher.close()
    // Not awaited: databases left at the end are dropped with the run.
    database.drop().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
  const { url, ownerUrl } = database
  /** Runs a statement that only the owner of the tables may run. */
  const asOwner = (text: string, values?: unknown[]) => queryAs(ownerUrl, text, values)
  return { app, deps, db: deps.db, catcher, queue, url, ownerUrl, asOwner, stop }
}

/** The whole server on a database of its own, for one test file. Fields are set once `beforeAll` has run. */
export function useServer(env: Record<string, string> = {}, log?: Logger) {
  const server = {} as RunningServer // filled before the first test
  beforeAll(async () => {
    Object.assign(server, await startServer(env, log))
  })
  afterAll(() => server.stop?.())
  return server
}
