import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/client.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
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
  await makeTemplate(url)
  project.provide('postgres', url)
  return async () => {
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string) {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE}`)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const db = openDatabase(databaseUrl(url, TEMPLATE), 2)
  await migrateDatabase(db)
  await db.$client.end()
}
