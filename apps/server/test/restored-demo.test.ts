import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSmallScale } from '@voisol/simulator/demo/blueprint'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { openDeps } from '../src/deps.ts'
import {
  makeCopy,
  openCopyStore,
  requireBackupKey,
  requireCopySource,
  restoreCopy,
} from '../src/features/admin/backups/index.ts'
import { fillDemo } from '../src/features/admin/demo/fill-demo.ts'
import { compareAllResponses } from './compare-responses.ts'
import { queryAs } from './database.ts'
import { makeTempFolder } from './demo-data.ts'
import { makeSiteAdmin } from './factories.ts'
import { waitForJobs } from './jobs.ts'
import { useServer } from './server.ts'

const server = useServer()
const ANCHOR = '2025-11-05'
const scale = (anchor: string) => ({ ...createSmallScale(anchor, 3), homes: 7 })

const folder = makeTempFolder('voisol-elsewhere-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** Identifies the PostgreSQL that answers: each cluster has its own system identifier. */
const CLUSTER = 'select system_identifier::text as cluster from pg_control_system()'

/** An installation that has only a backup of this one and its two keys. */
async function openRestored() {
  const { secretKey, dataDir } = server.deps.config
  const keys = { SECRET_KEY: secretKey.toString('base64'), BACKUP_KEY: requireBackupKey(server.deps.config) }
  const quiet = { NODE_ENV: 'test', LOG_LEVEL: 'silent', WEB: 'off', COMPUTE_THREADS: '1' }
  const config = loadConfig({
    ...quiet,
    ...keys,
    BACKUP_FOLDER: join(dataDir, 'backups'),
    DATA_DIR: join(folder, 'data'),
  })
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
  return { config, postgres }
}

test('a backup of the demo, restored on another PostgreSQL, gives the same answers, hash for hash', {
  timeout: 600_000,
}, async () => {
  const keeper = await makeSiteAdmin(server.db)
  await fillDemo(server.deps, { companyId: keeper.companyId, today: ANCHOR, scale })
  await waitForJobs(server)
  await makeCopy(server.deps)
  const { config, postgres } = await openRestored()
  try {
    const { url, ownerUrl } = postgres
    expect((await queryAs(ownerUrl, CLUSTER)).rows).not.toEqual((await server.asOwner(CLUSTER)).rows)
    const { source } = await requireCopySource(openCopyStore(config), 'latest')
    const { deps, close } = openDeps(config, url, pino({ level: 'silent' }))
    await restoreCopy({
      source,
      key: requireBackupKey(config),
      secretKey: config.secretKey,
      url,
      ownerUrl,
      files: deps.files,
    })
    const app = await buildApp(deps)
    await app.ready()
    const { wrong, all, served } = await compareAllResponses(server.app, app, keeper.token)
    await app.close()
    await close()
    expect(wrong).toEqual([])
    expect(served.length).toBeGreaterThan(all.length * 0.7)
  } finally {
    await postgres.stop()
  }
})
