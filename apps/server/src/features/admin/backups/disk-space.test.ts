import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildArchivedParticipant, buildTableEntry, packUnsignedArchive } from '../../../../test/archives.ts'
import { ensureSiteOwner, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { storeFile } from '../../../core/stored-files.ts'
import { transaction } from '../../../db/client.ts'
import { companyCopies, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { createFolderStore } from '../../../integrations/files/files.ts'
import { runCompanyCopyJob, startImport } from './company-copies.ts'
import { importCompany } from './company-import.ts'
import { backupJobs } from './jobs.ts'
import { runRestoreTest } from './restore-test.ts'
import { makeCopy } from './write-copy.ts'

const server = useServer()
const TASK = { id: '', signal: AbortSignal.timeout(600_000) }
const MEGA = 1_000_000
let size = 0
let companyId = 0
beforeAll(async () => {
  companyId = await ensureSiteOwner(server.db)
  const { rows } = await server.asOwner('select pg_database_size(current_database())::float8 as size')
  size = rows[0].size
})

/** As if the disks had so much left: that of the data first, then that of the copies. */
const withFree = (data: number, copies: number, device = 2): Deps => {
  const { config, room } = server.deps
  const freeSpace = async (folder: string) =>
    folder === config.dataDir ? { bytes: data, device: 1 } : { bytes: copies, device }
  return { ...server.deps, room: { ...room, freeSpace } }
}
const drafts = () => readdirSync(join(server.deps.config.dataDir)).filter((name) => name === 'copy-drafts')

test('a first copy needs the room of what is copied, and is refused before anything is written', async () => {
  await expect(makeCopy(withFree(size, 1e12))).rejects.toThrow(/^Pas assez de place pour le brouillon d’une copie/)
  await expect(makeCopy(withFree(1e12, size))).rejects.toThrow(/^Pas assez de place pour une copie/)
  // Drafts and copies on one disk need it twice.
  await expect(makeCopy(withFree(size * 1.5 + 100 * MEGA, 1e12, 1))).rejects.toThrow('brouillon')
  expect(drafts()).toEqual([])
})

test('the next one needs the room of the last, somewhat more', async () => {
  const { content } = await makeCopy(withFree(size + 100 * MEGA + 1e6, size + 100 * MEGA + 1e6))
  expect(content.bytes * 1.2).toBeLessThan(size)
  const enough = content.bytes * 1.2 + 100 * MEGA
  await makeCopy(withFree(enough, enough))
  await expect(makeCopy(withFree(enough - MEGA, enough))).rejects.toThrow('Pas assez de place')
})

test('a copy that lacks files says nothing of the room of the next: the last complete one does', async () => {
  const content = randomBytes(3 * MEGA)
  await storeFile(server.db, server.deps.files, companyId, { name: 'plan.bin', mediaType: 'text/plain', content })
  const complete = await makeCopy(server.deps)
  const files = createFolderStore(join(server.deps.config.dataDir, 'elsewhere'))
  const incomplete = await makeCopy({ ...server.deps, files })
  expect(incomplete.manifest.files.missing).toHaveLength(1)
  expect(incomplete.manifest.name).not.toBe(complete.manifest.name)
  expect(incomplete.content.bytes + 3 * MEGA).toBeLessThan(complete.content.bytes)
  const little = incomplete.content.bytes * 1.2 + 101 * MEGA
  await expect(makeCopy(withFree(little, little))).rejects.toThrow('Pas assez de place')
})

test('a restore test asks for the room of the database before it opens one', async () => {
  const { manifest } = await makeCopy(server.deps)
  const open = () => Promise.reject(new Error('opened'))
  await expect(runRestoreTest(withFree(size * 1.5, 1e12), manifest.name, open)).rejects.toThrow(
    'Pas assez de place pour un essai de restauration',
  )
  await expect(runRestoreTest(withFree(size * 1.5 + 110 * MEGA, 0), manifest.name, open)).rejects.toThrow('opened')
})

test('a job without room ends as a failed run with the sentence', async () => {
  await expect(
    backupJobs['copies.make'].run(withFree(0, 0), { askedBy: 'Voisol', prove: false }, TASK),
  ).rejects.toThrow('Pas assez de place')
  const { rows } = await server.asOwner(`select state, failure from copy_runs order by started_at desc limit 1`)
  expect(rows).toEqual([{ state: 'failed', failure: expect.stringContaining('gardez moins de copies') }])
})

test('a folder that is not there yet is measured where it will be made', async () => {
  const { room, config } = server.deps
  const there = await room.freeSpace(config.dataDir)
  const later = await room.freeSpace(join(config.dataDir, 'not', 'yet'))
  expect(later.device).toBe(there.device)
  expect(later.bytes).toBeGreaterThan(0)
})

/** What stays free beside what a company writes. */
const SPARE = 256 * 1024 * 1024

describe('an import of a company', () => {
  const pack = () => packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant()])])
  const countParticipants = (id: number) => server.db.$count(participants, eq(participants.companyId, id))

  test('is refused before its archive is stored where the disk would be full with it', async () => {
    const heir = await makeUser(server.db)
    const actor = { ...heir, userId: heir.id, keyId: null } as unknown as Actor // what the start of an import reads of one
    const zip = await pack()
    const start = (free: number) =>
      transaction(server.db, (tx) => startImport(tx, withFree(free, 0), actor, 'copie.zip', zip))
    await expect(start(zip.byteLength + SPARE - 1)).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('pas assez de place sur le disque pour reprendre'),
    })
    expect(await server.deps.files.list(String(heir.companyId))).toEqual([])
    expect(await start(zip.byteLength + SPARE)).toMatchObject({ kind: 'import', state: 'waiting' })
  })

  test('is refused before anything of it is written where its rows would fill the disk', async () => {
    const heir = await makeUser(server.db)
    const zip = await pack()
    await expect(importCompany(withFree(SPARE, 0), heir.companyId, zip)).rejects.toThrow(
      /pas assez de place sur le disque pour reprendre.*rien n’a été repris/,
    )
    expect(await countParticipants(heir.companyId)).toBe(0)
    await importCompany(withFree(SPARE + MEGA, 0), heir.companyId, zip)
    expect(await countParticipants(heir.companyId)).toBe(1)
  })

  test('is refused where free room cannot be found out', async () => {
    const heir = await makeUser(server.db)
    const freeSpace = () => Promise.reject(new Error('no such disk'))
    const deps = { ...server.deps, room: { ...server.deps.room, freeSpace } }
    await expect(importCompany(deps, heir.companyId, await pack())).rejects.toThrow('no such disk')
    expect(await countParticipants(heir.companyId)).toBe(0)
  })
})

describe('an export of a company', () => {
  const listDrafts = () => readdirSync(server.deps.config.dataDir).filter((name) => name === 'copy-drafts-company')

  test('asks for the room of its files twice, and ends as failed with the sentence before a draft is begun', async () => {
    const person = await makeUser(server.db)
    const content = randomBytes(3 * MEGA)
    const about = { name: 'plan.bin', mediaType: 'text/plain', content }
    await storeFile(server.db, server.deps.files, person.companyId, about)
    const run = async (free: number) => {
      const values = { companyId: person.companyId, kind: 'export', name: 'copie.zip', userId: person.id, askedBy: '' }
      const [row] = await server.db.insert(companyCopies).values(values).returning()
      await runCompanyCopyJob(withFree(free, 0), { companyId: person.companyId, id: row?.id ?? '' })
      const [ended] = await server.db
        .select()
        .from(companyCopies)
        .where(eq(companyCopies.id, row?.id ?? ''))
      return ended
    }
    expect(await run(2 * content.length + SPARE)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('pas assez de place sur le disque pour préparer cette copie'),
    })
    expect(listDrafts()).toEqual([])
    expect(await run(2 * content.length + SPARE + MEGA)).toMatchObject({ state: 'done', files: 1 })
  })
})
