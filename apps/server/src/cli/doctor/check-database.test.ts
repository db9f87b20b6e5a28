import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { makeApiKey, makeCompany, makeUser } from '../../../test/factories.ts'
import { enqueueTestJob, useQueues } from '../../../test/jobs.ts'
import { useServer } from '../../../test/server.ts'
import { apiKeys, copyRuns } from '../../db/schema/index.ts'
import { makeCopy } from '../../features/admin/backups/index.ts'
import { defineJob } from '../../jobs/job.ts'
import { DEAD_LETTER } from '../../jobs/queue.ts'
import { checkBloat, checkIndexes, checkJobs, findCleanupProblems } from './check-database.ts'
import { checkCopies, checkKeys } from './check-stored-data.ts'
import { examineDatabase } from './doctor.ts'
import type { DoctorFinding } from './finding.ts'

const server = useServer()
const start = useQueues(server)
/** The problems found; each must have a remedy. */
const formatProblems = (found: DoctorFinding[]) => {
  const bad = found.filter(({ level }) => level !== 'ok')
  for (const { remedy } of bad) expect(remedy).toMatch(/^[A-ZÀ-Ý].*[.:]/)
  return bad.map(({ level, text }) => `${level} ${text}`)
}

test('a sound database has no finding but the missing backup', async () => {
  expect(formatProblems(await examineDatabase(server.deps))).toEqual(['warning Aucune copie n’a encore été faite'])
})

test('a database migrated by a later version is a fault, with what to do', async () => {
  await server.asOwner(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`)
  const found = await examineDatabase(server.deps)
  await server.asOwner('delete from drizzle.__drizzle_migrations where created_at = 9999999999999')
  expect(formatProblems(found)).toEqual([expect.stringMatching(/^fault .*version plus récente de Voisol \(1 étape/)])
  expect(found.at(-1)?.remedy).toContain('Lancez cette version plus récente')
})

test('reports missing, invalid and unused indexes', async () => {
  for (let n = 0; n < 2; n++) await makeCompany(server.db)
  await server.asOwner('drop index api_keys_hash')
  await server.asOwner('create unique index concurrently half_made on companies ((1))').catch(() => {})
  expect(formatProblems(await checkIndexes(server.db))).toEqual([
    'fault Index manquants\u00a0: api_keys_hash',
    'fault Index invalides, que PostgreSQL n’utilise pas\u00a0: half_made',
  ])
  const [, , unused] = formatProblems(await checkIndexes(server.db, { bytes: -1, days: -1 }))
  expect(unused).toMatch(/^warning Index jamais lus .* et \d+ autres$/)
  await server.asOwner('drop index if exists half_made')
  await server.asOwner('create unique index api_keys_hash on api_keys (company_id, key_hash)')
  expect(formatProblems(await checkIndexes(server.db))).toEqual([])
})

test('reports a table full of dead rows, and what prevents vacuum', async () => {
  await server.asOwner(
    `create table churned with (autovacuum_enabled = off) as select n from generate_series(1, 20000) n`,
  )
  await server.asOwner('update churned set n = n + 1')
  expect(formatProblems(await checkBloat(server.db))).toEqual([
    expect.stringMatching(/^warning .* churned \(20.000 lignes mortes\)$/),
  ])
  await server.asOwner('drop table churned')
  const well = { vacuums: true, age: 1000, most: 200_000_000, idle: 0 }
  expect(findCleanupProblems(well)).toEqual([])
  expect(formatProblems(findCleanupProblems({ ...well, vacuums: false, age: 500_000_000, idle: 2 }))).toHaveLength(3)
})

test('reports late jobs, failed jobs, and a missing worker', async () => {
  const queue = await start({ idle: defineJob({ input: z.object({}), run: async () => {} }) }, false)
  expect(formatProblems(await checkJobs(server.db))).toEqual([])
  await enqueueTestJob(server.db, 'idle')
  await server.asOwner(`update jobs.job set start_after = now() - interval '1 hour' where name = 'idle'`)
  await queue.send(DEAD_LETTER, {})
  const late = await checkJobs(server.db)
  expect(formatProblems(late)).toEqual([
    'fault Tâches en retard\u00a0: idle (1, 60\u00a0min)',
    'warning 1 tâche(s) abandonnée(s)',
  ])
  await server.asOwner(`update status_samples set at = at - interval '1 hour'`)
  const [alone] = await checkJobs(server.db)
  expect(alone?.remedy).toContain('Aucun ROLE=worker')
  await server.asOwner(`delete from jobs.job where name in ('idle', '${DEAD_LETTER}')`)
  expect(formatProblems(await checkJobs(server.db))).toEqual(['warning Aucune tâche n’a tourné depuis trois minutes'])
})

const insertEndedRun = (kind: string, hours: number) => {
  const at = new Date(Date.now() - hours * 3_600_000)
  return server.db.insert(copyRuns).values({ kind, state: 'done', askedBy: 'Voisol', startedAt: at, endedAt: at })
}

test('reports old backups, backups never restored, and a missing key', async () => {
  const { db, deps } = server
  expect(formatProblems(await checkCopies(db, { ...deps.config, backupKey: undefined }))[0]).toMatch(
    /^fault BACKUP_KEY manque/,
  )
  await insertEndedRun('copy', 100)
  expect(formatProblems(await checkCopies(db, deps.config))).toEqual([
    'fault Dernière copie il y a 100\u00a0h',
    'warning Aucune copie n’a été restaurée à l’essai',
  ])
  await insertEndedRun('drill', 24 * 20)
  await insertEndedRun('copy', 40)
  expect(formatProblems(await checkCopies(db, deps.config))).toEqual([
    'warning Dernière copie il y a 40\u00a0h',
    'warning Dernier essai de restauration il y a 20 jours',
  ])
  await insertEndedRun('copy', 1)
  await insertEndedRun('drill', 1)
  expect(formatProblems(await checkCopies(db, deps.config))).toEqual([])
})

test('a backup made by the command counts, even without a record', async () => {
  await server.db.delete(copyRuns)
  const config = { ...server.deps.config, BACKUP_FOLDER: join(server.deps.config.dataDir, 'by-hand') }
  expect(formatProblems(await checkCopies(server.db, config))).toEqual(['warning Aucune copie n’a encore été faite'])
  await makeCopy({ ...server.deps, config })
  expect(formatProblems(await checkCopies(server.db, config))).toEqual([
    'warning Aucune copie n’a été restaurée à l’essai',
  ])
  await insertEndedRun('copy', 100)
  expect(formatProblems(await checkCopies(server.db, config))).toEqual([
    'warning Aucune copie n’a été restaurée à l’essai',
  ])
})

test('reports keys never changed, and keys about to expire', async () => {
  const maker = await makeUser(server.db)
  await makeApiKey(server.db, maker, { permissions: [] })
  expect(formatProblems(await checkKeys(server.db))).toEqual([])
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await makeApiKey(server.db, maker, { permissions: [], expiresOn: tomorrow })
  const old = new Date(Date.now() - 400 * 86_400_000)
  await server.db.update(apiKeys).set({ createdAt: old }).where(eq(apiKeys.companyId, maker.companyId))
  expect(formatProblems(await checkKeys(server.db))).toEqual([
    'warning 2 clé(s) d’API de plus d’un an, de 1 organisation(s)',
    'warning 1 clé(s) d’API finissent sous quatorze jours',
  ])
  await server.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.companyId, maker.companyId))
  expect(formatProblems(await checkKeys(server.db))).toEqual([])
})
