import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { createLogger } from '../src/http/logging.ts'
import { createClosers, openDatabaseUrls, openInstallation } from '../src/open.ts'

/** A database of its own in a folder of its own, which goes when the measure ends. */
export function createBench(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-bench-'))
  const closers = createClosers()
  closers.add(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: folder, WEB: 'off', LOG_LEVEL: 'warn', ...environment })
  const open = async (own = closers) => {
    const { url, ownerUrl } = await openDatabaseUrls(config, own)
    const settled = { ...config, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }
    const platform = await openInstallation(settled, createLogger(config.LOG_LEVEL), own)
    return { ...platform, tidy: () => tidy(ownerUrl ?? url) }
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
