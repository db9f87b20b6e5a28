import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { createLogger } from '../src/http/logging.ts'
import { createClosers, openDatabaseUrls, openInstallation } from '../src/open.ts'
import { createTestDatabase, type TestPostgres } from '../test/database.ts'

/** The PostgreSQL of a smoke round, on which each bench has a copy of a migrated database; else each starts its own. */
let sharedPostgres: TestPostgres | undefined
export function shareBenchPostgres(postgres: TestPostgres) {
  sharedPostgres = postgres
}

/** A database of its own in a folder of its own, which goes when the measure ends. */
export function createBench(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-bench-'))
  const closers = createClosers()
  closers.add(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: folder, WEB: 'off', LOG_LEVEL: 'warn', ...environment })
  const openDatabase = (own: typeof closers) =>
    sharedPostgres && !existsSync(join(folder, 'postgres'))
      ? createTestDatabase(sharedPostgres)
      : openDatabaseUrls(config, own)
  const open = async (own = closers) => {
    const { url, ownerUrl = url } = await openDatabase(own)
    const settled = { ...config, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }
    const platform = await openInstallation(settled, createLogger(config.LOG_LEVEL), own)
    return { ...platform, ownerUrl, tidy: () => tidy(ownerUrl) }
  }
  return { folder, closers, config, open }
}

/** As autovacuum leaves a database, whose planner then knows its sizes; the application's role may not. */
async function tidy(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('vacuum analyze')
  await owner.end()
}
