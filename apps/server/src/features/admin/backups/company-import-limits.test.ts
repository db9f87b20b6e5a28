import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backups } from '@voisol/contract/backups'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  buildArchivedParticipant,
  buildTableEntry,
  CREATED_AT,
  packArchiveWithFile,
  packSignedArchive,
  packUnsignedArchive,
  repackArchive,
} from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { transaction } from '../../../db/client.ts'
import { companyCopies, curveDays, participants, participations, subscriptions } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { createSecrets } from '../../../secrets.ts'
import { getOwnPublicKeys } from './archive-format.ts'
import { expireCompanyCopies, runCompanyCopyJob } from './company-copies.ts'
import { exportCompany } from './company-export.ts'
import { importCompany } from './company-import.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let admin: Person
const OTHER = createSecrets(randomBytes(32))

beforeAll(async () => {
  admin = await makeSiteAdmin(server.db)
})

const upload = (content: Buffer, person: { token: string }) =>
  call(server, backups.take, { query: { name: 'copie.zip' }, upload: content }, person)
const confirm = (id: string, person: { token: string }) =>
  call(server, backups.confirm, { params: { id }, body: { password: PASSWORD } }, person)
const findCopy = async (person: Person, id: string) => {
  const { items } = (await call(server, backups.list, {}, person)).body
  return items.find((copy: { id: string }) => copy.id === id)
}
const waitUntilSettled = (person: Person, id: string) =>
  waitUntil(async () => {
    const copy = await findCopy(person, id)
    return copy?.state === 'waiting' ? undefined : copy
  })
async function uploadAndRead(content: Buffer, person: Person) {
  const { status, body } = await upload(content, person)
  expect(status).toBe(200)
  return waitUntilSettled(person, body.id)
}
async function importArchive(content: Buffer, person: Person) {
  const first = await uploadAndRead(content, person)
  if (first.state !== 'read') return first
  expect((await confirm(first.id, person)).status).toBe(200)
  return waitUntilSettled(person, first.id)
}
const requireNothingLeft = (person: Person) =>
  waitUntil(async () => (await server.deps.files.list(String(person.companyId))).length === 0)

describe('a refusal', () => {
  test('of a column name of four million characters: is short and does not repeat it', async () => {
    const attacker = await makeUser(server.db)
    const name = randomBytes(2_000_000).toString('hex')
    const copy = await uploadAndRead(
      await packUnsignedArchive([buildTableEntry('participants', [{ ...buildArchivedParticipant(), [name]: 1 }])]),
      attacker,
    )
    expect(copy).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/participants\.001\.jsonl, ligne 1.*colonne inconnue/),
    })
    expect(copy.failure.length).toBeLessThanOrEqual(500)
    await requireNothingLeft(attacker)
  })

  test('of an unknown column: names it', async () => {
    const attacker = await makeUser(server.db)
    const copy = await uploadAndRead(
      await packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant({ colour: 'red' })])]),
      attacker,
    )
    expect(copy.failure).toContain('colonne inconnue\u00a0: colour.')
  })

  test('of an entry whose name fills a page: is cut', async () => {
    const attacker = await makeUser(server.db)
    const sha256 = '0'.repeat(64)
    const content = { name: `fichiers/${sha256}/${'a'.repeat(500)}`, content: 'non' }
    const copy = await uploadAndRead(
      await packArchiveWithFile(server, { name: 'a.pdf', size: 3, sha256 }, content),
      attacker,
    )
    expect(copy).toMatchObject({ state: 'failed', failure: expect.stringMatching(/^Le fichier fichiers/) })
    expect(copy.failure.length).toBeLessThanOrEqual(500)
  })

  test.each([
    [
      'a column',
      () => packUnsignedArchive([buildTableEntry('participants', [{ ...buildArchivedParticipant(), 'a\0b': 1 }])]),
    ],
    [
      'an entry',
      () => {
        const sha256 = '0'.repeat(64)
        const content = { name: `fichiers/${sha256}/\0`, content: 'non' }
        return packArchiveWithFile(server, { name: 'a.pdf', size: 3, sha256 }, content)
      },
    ],
    [
      'the company',
      () =>
        packUnsignedArchive([
          { name: 'organisation.json', content: JSON.stringify({ name: 'A\0B' }) },
          buildTableEntry('participants', [buildArchivedParticipant()]),
        ]),
    ],
    [
      'a participant',
      () => packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant({ notes: 'A\0B' })])]),
    ],
  ])('of a null character in the name of %s: ends the import, and the next one can begin', async (_, make) => {
    const attacker = await makeUser(server.db)
    const copy = await importArchive(await make(), attacker)
    expect(copy).toMatchObject({ state: 'failed', failure: expect.stringMatching(/^[^\p{Cc}]{10,500}$/u) })
    expect(copy.failure).not.toMatch(/insert into|update |Failed query/i)
    await requireNothingLeft(attacker)
    expect((await upload(await packUnsignedArchive([]), attacker)).status).toBe(200)
  })
})

describe('an import whose job is dead', () => {
  test('ends as failed within the hour, its file goes, and the next one can begin', async () => {
    const heir = await makeUser(server.db)
    const { id } = await uploadAndRead(
      await packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant()])]),
      heir,
    )
    // What a process killed at each of its attempts leaves.
    await waitForJobs(server)
    await server.asOwner(`update company_copies set state = 'waiting' where id = $1`, [id])
    expect((await call(server, backups.make, {}, heir)).status).toBe(409)
    await enqueue(server.db, 'copies.due', {})
    await waitForJobs(server)
    expect(await findCopy(heir, id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('s’est arrêté'),
    })
    expect((await call(server, backups.remove, { params: { id } }, heir)).status).toBe(200)
    expect((await upload(await packUnsignedArchive([]), heir)).status).toBe(200)
  })

  test('is left alone while a job is still to try it', async () => {
    const heir = await makeUser(server.db)
    const { id } = await uploadAndRead(
      await packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant()])]),
      heir,
    )
    await waitForJobs(server)
    await server.asOwner(`update company_copies set state = 'waiting' where id = $1`, [id])
    await transaction(server.db, (tx) =>
      enqueue(tx, 'copies.company', { companyId: heir.companyId, id }, { after: 3600 }),
    )
    await enqueue(server.db, 'copies.due', {})
    await waitForJobs(server)
    expect(await findCopy(heir, id)).toMatchObject({ state: 'waiting' })
  })
})

/** The archive of a company whose operation has so many members today. */
async function exportMembers(count: number) {
  const { companyId } = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, {
    companyId,
    accNumber: 'ACC00000001',
    startsOn: '2025-01-01',
  })
  const { id: participantId } = await makeParticipant(server.db, { companyId })
  for (let n = 0; n < count; n++) await makeParticipation(server.db, { companyId, operationId, participantId })
  const path = join(server.deps.config.dataDir, `members-${companyId}.zip`)
  await exportCompany(server.deps, companyId, path)
  return readFileSync(path)
}

describe('the points of a plan', () => {
  test('an archive with more points than the plan includes: says so before, and is refused whole', async () => {
    const heir = await makeUser(server.db)
    await server.db.insert(subscriptions).values({ companyId: heir.companyId, plan: 'starter' })
    const zip = await exportMembers(51)
    const first = await uploadAndRead(zip, heir)
    expect(first.preview.remarks.join(' ')).toMatch(/51 points de mesure.*50/)
    expect((await confirm(first.id, heir)).status).toBe(200)
    expect(await waitUntilSettled(heir, first.id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('50 points de mesure'),
    })
    const found = await server.db.select().from(participations).where(eq(participations.companyId, heir.companyId))
    expect(found).toEqual([])
  })

  test('an archive with as many points as the plan includes: comes in without a remark on it', async () => {
    const heir = await makeUser(server.db)
    await server.db.insert(subscriptions).values({ companyId: heir.companyId, plan: 'starter' })
    const first = await uploadAndRead(await exportMembers(50), heir)
    expect(first.preview.remarks.join(' ')).not.toContain('points de mesure')
    expect((await confirm(first.id, heir)).status).toBe(200)
    expect(await waitUntilSettled(heir, first.id)).toMatchObject({ state: 'done' })
  })
})

describe('a signed archive', () => {
  const make = () =>
    packSignedArchive(server.deps.secrets, [
      buildTableEntry('participants', [buildArchivedParticipant()]),
      buildTableEntry('points', []),
    ])
  const CHANGED = { state: 'failed', failure: expect.stringContaining('modifiée depuis sa signature') }

  test('with an entry removed: is refused', async () => {
    const heir = await makeUser(server.db)
    const zip = await repackArchive(await make(), (name, text) => (name.includes('participants') ? undefined : text))
    expect(await uploadAndRead(zip, heir)).toMatchObject(CHANGED)
  })

  test('with another description: is refused', async () => {
    const heir = await makeUser(server.db)
    const zip = await repackArchive(await make(), (name, text) =>
      name === 'copie.json' ? text.replace('2026-05-19', '2020-01-01') : text,
    )
    expect(await uploadAndRead(zip, heir)).toMatchObject(CHANGED)
  })
})

describe('what was confirmed', () => {
  const make = () =>
    packSignedArchive(OTHER, [
      buildTableEntry('participants', [buildArchivedParticipant()]),
      buildTableEntry('message_templates', [
        { id: crypto.randomUUID(), name: 'A', subject: 'B', body: 'C', created_at: CREATED_AT, version: 1 },
      ]),
    ])
  const [publicKey = ''] = getOwnPublicKeys(OTHER)

  test('is what is written: an archive that reads otherwise by then waits for another confirmation', async () => {
    const heir = await makeUser(server.db)
    const first = await uploadAndRead(await make(), heir)
    expect(first.preview.signedBy).toBeNull()
    const body = { name: 'Voisol de Nantes', publicKey, password: PASSWORD }
    expect((await call(server, backups.trust, { body }, admin)).status).toBe(200)
    expect((await confirm(first.id, heir)).status).toBe(200)
    const again = await waitUntilSettled(heir, first.id)
    expect(again).toMatchObject({ state: 'read', preview: { signedBy: 'Voisol de Nantes' }, failure: null })
    expect(again.preview.remarks[0]).toContain('confirmez de nouveau')
    expect(Date.parse(again.expiresAt)).toBeGreaterThan(Date.now())
    const found = await server.db.select().from(participants).where(eq(participants.companyId, heir.companyId))
    expect(found).toEqual([])
    expect((await confirm(first.id, heir)).status).toBe(200)
    expect(await waitUntilSettled(heir, first.id)).toMatchObject({ state: 'done', rows: 2 })
  })
})

describe('readings of an unsigned archive', () => {
  const point = {
    id: crypto.randomUUID(),
    prm: '19000000000017',
    direction: 'consumption',
    label: '',
    segment: 'C5',
    subscribed_va: null,
    peak_watts: null,
    azimuth: null,
    tilt: null,
    commissioned_on: null,
    address: '',
    latitude: null,
    longitude: null,
    storage: false,
    precision: 'address',
    created_at: CREATED_AT,
    version: 1,
  }
  const curveDay = (more: object = {}) => ({
    point_id: point.id,
    day: '2025-03-03',
    version: 7,
    step: 60,
    watts: `\\x${'64000000'.repeat(24)}`,
    marks: null,
    quality: 0,
    present: 24,
    expected: 24,
    energy: 0,
    peak: 0,
    source: 'enedis',
    import_id: null,
    received_at: '2019-01-01T00:00:00+00:00',
    superseded_at: null,
    ...more,
  })
  const pack = (...days: object[]) =>
    packUnsignedArchive([buildTableEntry('points', [point]), buildTableEntry('curve_days', days)])

  test('come in as a file would bring them: as the first version, received now, imported', async () => {
    const heir = await makeUser(server.db)
    const before = Date.now()
    const superseded = curveDay({ version: 6, superseded_at: '2020-01-01T00:00:00+00:00' })
    expect(await importCompany(server.deps, heir.companyId, await pack(superseded, curveDay()))).toMatchObject({
      rows: 2,
    })
    const rows = await server.db.select().from(curveDays).where(eq(curveDays.companyId, heir.companyId))
    expect(rows).toMatchObject([{ day: '2025-03-03', source: 'import', version: 1, supersededAt: null }])
    expect(rows[0]?.receivedAt.getTime()).toBeGreaterThanOrEqual(before)
  })

  test.each(['0001-01-01', '1999-12-31', '2100-01-01', '9999-12-31'])('of %s: are refused', async (day) => {
    const heir = await makeUser(server.db)
    await expect(importCompany(server.deps, heir.companyId, await pack(curveDay({ day })))).rejects.toThrow(
      /curve_days\.001\.jsonl, ligne 1.*2000/,
    )
  })
})

test('two imports that one company starts at once: the second is refused', async () => {
  const heir = await makeUser(server.db)
  const zip = await packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant()])])
  const statuses = await Promise.all([upload(zip, heir), upload(zip, heir), upload(zip, heir)])
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('an import that a second worker begins while the first still writes it: ends as done, with its files', async () => {
  const heir = await makeUser(server.db)
  const content = Buffer.from('Approuvé')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const entry = { name: `fichiers/${sha256}/a.pdf`, content }
  const { id } = await uploadAndRead(
    await packArchiveWithFile(server, { name: 'a.pdf', size: content.length, sha256 }, entry),
    heir,
  )
  await waitForJobs(server)
  await server.asOwner(`update company_copies set state = 'waiting', confirmed_at = now() where id = $1`, [id])
  const work = () => runCompanyCopyJob(server.deps, { companyId: heir.companyId, id })
  await Promise.all([work(), work()])
  expect(await findCopy(heir, id)).toMatchObject({ state: 'done', failure: null, files: 1 })
  await waitUntil(async () => (await server.deps.files.list(String(heir.companyId))).length === 1)
  expect(await server.deps.files.list(String(heir.companyId))).toEqual([`${heir.companyId}/${sha256}`])
})

test('an import confirmed in the moment in which it expires: is not taken away', async () => {
  const heir = await makeUser(server.db)
  const { id } = await uploadAndRead(
    await packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant()])]),
    heir,
  )
  await server.asOwner(`update company_copies set expires_at = now() - interval '1 hour' where id = $1`, [id])
  let expiry: Promise<void> | undefined
  await transaction(server.db, async (tx) => {
    await tx.update(companyCopies).set({ state: 'waiting', expiresAt: null }).where(eq(companyCopies.id, id))
    const { rows: own } = await tx.$client.query('select pg_backend_pid() as pid')
    expiry = expireCompanyCopies(server.deps)
    // It has read its list once it waits for this row.
    await waitUntil(async () => {
      const waiting = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
      return (await server.asOwner(waiting, [own[0]?.pid])).rows.length > 0
    })
  })
  await expiry
  const [row] = await server.db.select().from(companyCopies).where(eq(companyCopies.id, id))
  expect(row?.state).toBe('waiting')
  expect(row?.fileId).not.toBeNull()
})
