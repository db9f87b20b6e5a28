import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSmallScale } from '@voisol/simulator/demo/blueprint'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { recordTableDistribution } from '../src/db/citus.ts'
import { type Deps, openDeps } from '../src/deps.ts'
import {
  makeCopy,
  openCopyStore,
  requireBackupKey,
  requireCopySource,
  restoreCopy,
} from '../src/features/admin/backups/index.ts'
import { fillDemo } from '../src/features/admin/demo/fill-demo.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { joinMachines } from './cluster.ts'
import { compareAllResponses } from './compare-responses.ts'
import { buildDatabaseUrl, dropDatabase, queryAs, runAs, TEST_ROLES } from './database.ts'
import { makeTempFolder } from './demo-data.ts'
import { makeSiteAdmin } from './factories.ts'
import { waitForJobs } from './jobs.ts'
import { useServer } from './server.ts'

const server = useServer()
const postgres = inject('postgres')
const folder = makeTempFolder('voisol-full-')
const createdDatabases: string[] = []
let siteAdmin: Awaited<ReturnType<typeof makeSiteAdmin>>

beforeAll(async () => {
  siteAdmin = await makeSiteAdmin(server.db)
  const scale = (anchor: string) => ({ ...createSmallScale(anchor, 3), homes: 7 })
  await fillDemo(server.deps, { companyId: siteAdmin.companyId, today: '2025-11-05', scale })
  await waitForJobs(server)
  await makeCopy(server.deps)
}, 900_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const name of createdDatabases) await dropDatabase(postgres.machines, name)
})

function buildConfig(name: string) {
  const { secretKey, dataDir } = server.deps.config
  const keys = { SECRET_KEY: secretKey.toString('base64'), BACKUP_KEY: requireBackupKey(server.deps.config) }
  const quiet = { NODE_ENV: 'test', LOG_LEVEL: 'silent', WEB: 'off', COMPUTE_THREADS: '1' }
  return loadConfig({ ...quiet, ...keys, BACKUP_FOLDER: join(dataDir, 'backups'), DATA_DIR: join(folder, name) })
}

/** The demo in a database without Citus; then the machines are registered, and the server is started. */
async function spreadWhenFull(roles: string[], urls: (name: string) => { url: string; ownerUrl: string | undefined }) {
  const name = `${postgres.run}_full_${randomBytes(4).toString('hex')}`
  createdDatabases.push(name)
  for (const url of postgres.machines)
    await runAs(url, [`create database ${name} owner ${TEST_ROLES.owner} template template0`])
  const config = buildConfig(name)
  const { url, ownerUrl } = urls(name)
  const { deps, close } = openDeps(config, url, pino({ level: 'silent' }))
  const { source } = await requireCopySource(openCopyStore(config), 'latest')
  const order = { source, key: requireBackupKey(config), secretKey: config.secretKey, url, ownerUrl: ownerUrl ?? url }
  await restoreCopy({ ...order, files: deps.files })
  const rows = async () =>
    (await queryAs(buildDatabaseUrl(postgres.admin, name), 'select count(*)::int as n from curve_days')).rows
  const before = await rows()
  await joinMachines(postgres.machines, name, roles)
  await prepareDatabase(deps.db, { url, ownerUrl })
  await recordTableDistribution(deps.db, deps.aside)
  expect(await rows()).toEqual(before)
  return { deps, close }
}

async function answers(deps: Deps) {
  const app = await buildApp(deps)
  await app.ready()
  return compareAllResponses(server.app, app, siteAdmin.token).finally(() => app.close())
}

const LAST = sql`select 1 from pg_dist_partition where logicalrelid = 'curve_days'::regclass and partmethod = 'h'`

test('a full database gives the same answers after it is distributed, hash for hash', {
  timeout: 900_000,
}, async () => {
  const { deps, close } = await spreadWhenFull(Object.values(TEST_ROLES), (name) => ({
    url: buildDatabaseUrl(postgres.application, name),
    ownerUrl: buildDatabaseUrl(postgres.owner, name),
  }))
  try {
    expect((await deps.db.execute(LAST)).rowCount).toBe(1)
    const { wrong, all, served } = await answers(deps)
    expect(wrong).toEqual([])
    expect(served.length).toBeGreaterThan(all.length * 0.7)
  } finally {
    await close()
  }
})

test('the same with one role that owns and uses the tables, deleting only old rows', {
  timeout: 900_000,
}, async () => {
  const { deps, close } = await spreadWhenFull([TEST_ROLES.owner], (name) => ({
    url: buildDatabaseUrl(postgres.owner, name),
    ownerUrl: undefined,
  }))
  try {
    expect((await answers(deps)).wrong).toEqual([])
    const { companyId } = siteAdmin
    const retire = (until: string) =>
      deps.db.execute(sql`select retire_audit(${companyId}, ${until}::timestamptz, 1) as n`)
    expect((await retire('2020-01-01')).rows).toEqual([{ n: '0' }])
    await expect(retire('2999-01-01')).rejects.toThrow()
    await expect(deps.db.execute(sql`delete from audit_entries where company_id = ${companyId}`)).rejects.toThrow()
  } finally {
    await close()
  }
})
