import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/client.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import type { Deps } from '../src/deps.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { databaseUrl, TEMPLATE } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: string
  }
}

/** One PostgreSQL for the whole run (embedded, or TEST_DATABASE_URL); each test file gets a copy of a migrated template. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-test-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account that must reach its folder
  const embedded = process.env.TEST_DATABASE_URL ? undefined : await startEmbedded(join(folder, 'postgres'))
  const url = process.env.TEST_DATABASE_URL ?? embedded?.url ?? ''
  if (embedded) await forgetDurability(url)
  await makeTemplate(url)
  project.provide('postgres', url)
  return async () => {
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const asAdmin = async (url: string, statements: string[]) => {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  for (const statement of statements) await admin.query(statement)
  await admin.end()
}

/** These databases live as long as the run. */
const forgetDurability = (url: string) =>
  asAdmin(url, [
    ...['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => `alter system set ${name} = off`),
    'select pg_reload_conf()',
  ])

/** The tables, and the queues of the jobs, which would otherwise be made again at every start. */
async function makeTemplate(admin: string) {
  await asAdmin(admin, [`drop database if exists ${TEMPLATE}`, `create database ${TEMPLATE}`])
  const url = databaseUrl(admin, TEMPLATE)
  const db = openDatabase(url, 2)
  await migrateDatabase(db)
  const deps = { db, aside: db, log: pino({ level: 'silent' }) } as unknown as Deps // all that a queue without work uses
  await stopQueue(await startQueue(deps, url, jobs, false))
  await db.$client.end()
}
