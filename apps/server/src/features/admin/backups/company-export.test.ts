import { backups } from '@voisol/contract/backups'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { numberOperations, repackArchive } from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { allocateBillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { storeFile } from '../../../core/stored-files.ts'
import {
  allocationRuns,
  documents,
  files,
  invoiceSeries,
  invoices,
  pastDocuments,
  sellers,
} from '../../../db/schema/index.ts'
import { readZip } from '../../../files/zip.ts'
import { decryptSellerIban } from '../../billing/parties/change-seller.ts'
import type { StoredSignOff } from '../../energy/allocation/index.ts'
import { expireCompanyCopies, runCompanyCopyJob } from './company-copies.ts'
import { EXCLUDED_FROM_COPY } from './company-export.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let admin: Person
let zip: Buffer
let copyId: string
const IBAN = 'FR7630006000011234567890189'
const SIGN_OFF = {
  reason: 'Relevés perdus',
  by: 'Camille Morel',
  at: '2025-11-05T08:00:00.000Z',
  missing: ['Relevés manquants sur 1 jour.'],
  inputHash: 'a'.repeat(64),
}

beforeAll(async () => {
  const { db, deps } = server
  admin = await makeUser(db)
  const { companyId } = admin
  const here = await makeBillableMonth(server, { companyId })
  // The factories make every point one of a consumer; no way of the product does.
  await server.asOwner(`update points set segment = 'P4' where company_id = $1 and direction = 'production'`, [
    companyId,
  ])
  await allocateBillableMonth(server, here)
  const signOff: StoredSignOff = { ...SIGN_OFF, userId: admin.id }
  await server.asOwner('update allocation_runs set sign_off = $2 where company_id = $1', [
    companyId,
    JSON.stringify(signOff),
  ])
  await issueMonthDocuments(withoutSubscribers(db), await makeMonthFixture(db, { companyId, prefix: 'Z1-' }))
  await numberOperations(server.asOwner, companyId)
  const file = await storeFile(db, deps.files, companyId, {
    name: 'pv d’assemblée.txt',
    mediaType: 'text/plain',
    content: Buffer.from('Approuvé'),
  })
  const owner = { ownerKind: 'operation', ownerId: here.operation.id }
  await db.insert(documents).values({ companyId, ...owner, fileId: file.id, label: 'PV', addedBy: 'Camille' })
  await makeApiKey(db, admin, { permissions: ['operations.read'] })
  const asked = await call(server, backups.make, {}, admin)
  copyId = asked.body.id
  await waitUntilEnded(admin, copyId)
  const answer = await server.app.inject({
    method: 'GET',
    url: `/api/backups/${copyId}/file`,
    headers: { authorization: `Bearer ${admin.token}` },
  })
  zip = answer.rawPayload
})

/** The copy once its job has ended, however long others keep the machine. */
const waitUntilEnded = (person: Person, id: string) =>
  waitUntil(async () => {
    const { items } = (await call(server, backups.list, {}, person)).body
    return items.find((copy: { id: string; state: string }) => copy.id === id && copy.state !== 'waiting')
  })

const readEntryText = (name: string) =>
  readZip(zip)
    .find((file) => file.name === name)
    ?.read()
    .toString() ?? ''

async function importArchive(content: Buffer, person: Person) {
  const asked = await call(server, backups.take, { query: { name: 'copie.zip' }, upload: content }, person)
  if (asked.status !== 200) return { asked }
  const read = await waitUntilEnded(person, asked.body.id)
  if (read.state !== 'read') return { asked, read, done: read }
  const params = { id: asked.body.id }
  const confirmed = await call(server, backups.confirm, { params, body: { password: PASSWORD } }, person)
  expect(confirmed.status).toBe(200)
  return { asked, read, done: await waitUntilEnded(person, asked.body.id) }
}

describe('the copy of a company', () => {
  test('is ready, says what it holds, and opens without Voisol', async () => {
    const { items } = (await call(server, backups.list, {}, admin)).body
    expect(items[0]).toMatchObject({ kind: 'export', state: 'done', failure: null, files: 1 })
    const names = readZip(zip).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'LISEZMOI.txt',
        'organisation.json',
        'personnes.json',
        'donnees/operations.001.jsonl',
        'tableaux/invoices.001.csv',
      ]),
    )
    expect(readEntryText('LISEZMOI.txt')).toContain('api_keys\u00a0: les clés d’API sont des secrets')
    const [, first = ''] = readEntryText('tableaux/curve_days.001.csv').split('\r\n')
    expect(first.split(';').some((cell) => cell.split(' ').length >= 96)).toBe(true)
    expect(readEntryText('donnees/sellers.001.jsonl')).toContain(IBAN)
  })

  test('holds no secret, no password, no session and nothing of another company', async () => {
    const other = await makeUser(server.db)
    const all = readZip(zip)
      .map((file) => file.read().toString('latin1'))
      .join('\n')
    const { rows } = await server.asOwner('select password_hash as hash from users where id = $1', [admin.id])
    const keys = await server.asOwner('select encode(key_hash, $2) as hash from api_keys where company_id = $1', [
      admin.companyId,
      'hex',
    ])
    for (const secret of [rows[0].hash, keys.rows[0].hash, admin.token, other.email]) expect(all).not.toContain(secret)
    for (const name of Object.keys(EXCLUDED_FROM_COPY))
      expect(readZip(zip).some((file) => file.name.includes(`/${name}.`))).toBe(false)
  })
})

/** What was issued there is found here as taken over, and owes what was left of it; nothing continues its chain. */
async function sameDocuments(heir: Person) {
  const issued = await server.db.select().from(invoices).where(eq(invoices.companyId, admin.companyId))
  const past = await server.db.select().from(pastDocuments).where(eq(pastDocuments.companyId, heir.companyId))
  const facts = ({ number, net, tax, gross }: Pick<(typeof past)[number], 'number' | 'net' | 'tax' | 'gross'>) =>
    `${number} ${net} ${tax} ${gross}`
  expect(past.map(facts).sort()).toEqual(issued.map(facts).sort())
  expect(past.every(({ open, gross, paymentId }) => open === gross && paymentId !== null)).toBe(true)
  expect(await server.db.select().from(invoices).where(eq(invoices.companyId, heir.companyId))).toEqual([])
  const [series] = await server.db.select().from(invoiceSeries).where(eq(invoiceSeries.companyId, heir.companyId))
  expect(series).toMatchObject({ last: issued.length, before: issued.length, lastHash: '', lastOn: null })
}

describe('taken up by an empty company', () => {
  test('it gives the same figures there, sealed anew, with its files; another company is untouched', async () => {
    const heir = await makeUser(server.db)
    const { read, done } = await importArchive(zip, heir)
    const labels = read.preview.taken.map(({ label }: { label: string }) => label)
    expect(labels.slice(0, 5)).toEqual([
      'Opérations',
      'Participants',
      'Points de livraison',
      'Journées de courbe',
      'Factures reprises',
    ])
    expect(done).toMatchObject({ state: 'done', failure: null })
    const same = async (e: typeof operations.list | typeof participants.list, query = {}) => {
      const [a, b] = [await call(server, e, { query }, admin), await call(server, e, { query }, heir)]
      expect([b.status, b.body.total]).toEqual([200, a.body.total])
      expect(a.body.total).toBeGreaterThan(0)
    }
    await same(operations.list)
    await same(participants.list)
    const days = { query: { from: '2025-10-24', to: '2025-11-01' } }
    const sum = async (person: Person) => {
      const { status, body } = await call(server, energy.summary, days, person)
      expect(status).toBe(200)
      return body
    }
    expect(await sum(heir)).toEqual(await sum(admin))
    const [seller] = await server.db.select().from(sellers).where(eq(sellers.companyId, heir.companyId))
    expect(seller && decryptSellerIban(server.deps.secrets, seller)).toBe(IBAN)
    const [file] = await server.db.select().from(files).where(eq(files.companyId, heir.companyId))
    expect(Buffer.from((await server.deps.files.get(`${heir.companyId}/${file?.sha256}`)) ?? []).toString()).toBe(
      'Approuvé',
    )
    const runs = await server.db.select().from(allocationRuns).where(eq(allocationRuns.companyId, heir.companyId))
    expect(runs.map(({ signOff }) => signOff)).toEqual([SIGN_OFF]) // without the account that gave it there
    await sameDocuments(heir)
    const again = await importArchive(zip, heir)
    expect(again.asked.status).toBe(409)
    expect(again.asked.body.message).toContain('n’est pas vide')
  })

  test('an archive that is none, or was changed after its signature, leaves nothing behind', async () => {
    const heir = await makeUser(server.db)
    expect((await importArchive(Buffer.from('PK pas une archive'), heir)).done).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('n’est pas une copie d’organisation'),
    })
    const changed = await repackArchive(zip, (name, text) =>
      name.startsWith('donnees/invoices.') ? text.replace(/"gross": ?\d+/, '"gross": 1') : text,
    )
    const { done } = await importArchive(changed, heir)
    expect(done).toMatchObject({ state: 'failed', failure: expect.stringContaining('modifiée depuis sa signature') })
    const { rows } = await server.asOwner(
      `select (select count(*)::int from operations where company_id = $1) as operations,
              (select count(*)::int from files where company_id = $1) as files`,
      [heir.companyId],
    )
    expect(rows).toEqual([{ operations: 0, files: 0 }])
    await waitUntil(async () => (await server.deps.files.list(String(heir.companyId))).length === 0)
  })
})

test('after its days it is gone, content and all', async () => {
  await server.asOwner(`update company_copies set expires_at = now() - interval '1 hour' where id = $1`, [copyId])
  await expireCompanyCopies(server.deps)
  const { items } = (await call(server, backups.list, {}, admin)).body
  expect(items.find(({ id }: { id: string }) => id === copyId)).toMatchObject({ state: 'expired' })
  expect((await call(server, backups.file, { params: { id: copyId } }, admin)).status).toBe(404)
})

test('what a key asked for is not made once that key is revoked, whoever made it', async () => {
  const token = await makeApiKey(server.db, admin, { permissions: ['backups.read', 'backups.write'] })
  const asked = await call(server, backups.make, {}, { token })
  expect(asked.status).toBe(200)
  const { id } = asked.body
  expect(await waitUntilEnded(admin, id)).toMatchObject({ state: 'done' })
  const { rows } = await server.asOwner(
    `select data from jobs.job where name = 'copies.company' and data ->> 'id' = $1`,
    [id],
  )
  await server.asOwner(`update company_copies set state = 'waiting' where id = $1`, [id])
  await server.asOwner('update api_keys set revoked_at = now() where id = $1', [rows[0]?.data.keyId])
  await runCompanyCopyJob(server.deps, rows[0]?.data)
  expect(await waitUntilEnded(admin, id)).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('n’en a plus le droit'),
  })
})
