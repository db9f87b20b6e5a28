import { randomBytes } from 'node:crypto'
import { backups } from '@voisol/contract/backups'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildArchiveRows } from '../../../../test/archive-rows.ts'
import {
  buildArchivedParticipant,
  buildTableEntry,
  CREATED_AT,
  packSignedArchive,
  packUnsignedArchive,
} from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeSiteAdmin, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { companyCopies, curveDays, participants, points, users } from '../../../db/schema/index.ts'
import { createSecrets } from '../../../secrets.ts'
import { getOwnPublicKeys } from './archive-format.ts'
import { expireCompanyCopies } from './company-copies.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let victim: Person
let admin: Person
const OTHER = createSecrets(randomBytes(32))
const SOME_IBAN = 'FR7630006000011234567890189'

beforeAll(async () => {
  victim = await makeUser(server.db)
  admin = await makeSiteAdmin(server.db)
})

const upload = (content: Buffer, person: { token: string }) =>
  call(server, backups.take, { query: { name: 'copie.zip' }, upload: content }, person)
const confirm = (id: string, person: { token: string }, body: object = { password: PASSWORD }) =>
  call(server, backups.confirm, { params: { id }, body }, person)
const waitUntilSettled = (person: Person, id: string) =>
  waitUntil(async () => {
    const { items } = (await call(server, backups.list, {}, person)).body
    return items.find((copy: { id: string; state: string }) => copy.id === id && copy.state !== 'waiting')
  })

/** Uploads, and confirms what was read. */
async function importArchive(content: Buffer, person: Person) {
  const { status, body } = await upload(content, person)
  expect(status).toBe(200)
  const read = await waitUntilSettled(person, body.id)
  if (read.state !== 'read') return { read, done: read }
  expect((await confirm(body.id, person)).status).toBe(200)
  return { read, done: await waitUntilSettled(person, body.id) }
}
/** What an attacker put into an archive, and where it would have done harm. */
const HOSTILE = () => ({
  subscription_invoices: { seller_company_id: victim.companyId, invoice_id: crypto.randomUUID(), kind: 'plan' },
  subscription_add_ons: {
    id: crypto.randomUUID(),
    kind: 'inconnue',
    price: 0,
    state: 'running',
    ordered_on: '2026-01-01',
  },
  subscriptions: { held: true, state: 'active', plan: 'large', period: 'year', paid_to: '2099-01-01' },
  roles: { id: crypto.randomUUID(), name: 'Tout', permissions: ['installation.write', 'backups.write'] },
  sso_connections: {
    id: crypto.randomUUID(),
    name: 'Fournisseur',
    kind: 'saml',
    sso_url: 'javascript:alert(1)',
    tested_at: CREATED_AT,
    activated_at: CREATED_AT,
  },
  api_keys: { id: crypto.randomUUID(), name: 'Clé', permissions: ['installation.write'] },
  webhooks: { id: crypto.randomUUID(), url: 'http://127.0.0.1', events: [], status: 'active', secret: 'x' },
  white_labels: { config: { domain: 'mauvais.exemple' }, version: 1 },
  contents: { id: crypto.randomUUID(), kind: 'page', slug: 'accueil', status: 'published', draft: {} },
  invoices: { id: crypto.randomUUID() },
})

describe('what an archive never brings', () => {
  test('money, rights, single sign-on, secrets and the site stay out, even of an archive that this installation signed', async () => {
    const attacker = await makeUser(server.db)
    const { invoices: _, ...never } = HOSTILE()
    const entries = Object.entries(never).map(([name, row]) => buildTableEntry(name, [row]))
    const { read, done } = await importArchive(await packSignedArchive(server.deps.secrets, entries), attacker)
    expect(read.preview).toMatchObject({ signedBy: 'cette installation', taken: [] })
    expect(read.preview.left.map(({ label }: { label: string }) => label)).toEqual(
      expect.arrayContaining(['Abonnement à Voisol', 'Personnes, rôles et droits', 'Clés, webhooks et connexions']),
    )
    expect(done).toMatchObject({ state: 'done', rows: 0 })
    for (const name of Object.keys(never)) {
      const { rows } = await server.asOwner(`select count(*)::int as n from ${name} where company_id = $1`, [
        attacker.companyId,
      ])
      expect([name, rows[0].n]).toEqual([name, 0])
    }
  })

  test('an issued invoice that is not whole is refused with its file and line, and nothing of the archive stays', async () => {
    const attacker = await makeUser(server.db)
    const archive = await packSignedArchive(server.deps.secrets, [
      buildTableEntry('participants', [buildArchivedParticipant()]),
      buildTableEntry('invoices', [HOSTILE().invoices]),
    ])
    const { done } = await importArchive(archive, attacker)
    expect(done).toMatchObject({ state: 'failed', failure: expect.stringMatching(/invoices\.001\.jsonl, ligne 1/) })
    const found = await server.db.select().from(participants).where(eq(participants.companyId, attacker.companyId))
    expect(found).toEqual([])
  })
})

describe('whose archive is believed', () => {
  const archive = (secrets: typeof OTHER) =>
    packSignedArchive(secrets, [
      buildTableEntry('participants', [buildArchivedParticipant()]),
      buildTableEntry('message_templates', [
        {
          id: crypto.randomUUID(),
          name: 'Accueil',
          subject: 'Bonjour',
          body: 'Bienvenue',
          created_at: CREATED_AT,
          version: 1,
        },
      ]),
      buildTableEntry('debits', [{}]),
    ])
  const BILLING = 'Facturation, règlements et comptabilité'
  const labels = (list: { label: string }[]) => list.map(({ label }) => label)

  test('of an unknown installation, participants come in as a file would bring them, without account numbers', async () => {
    const heir = await makeUser(server.db)
    const { read, done } = await importArchive(await archive(OTHER), heir)
    expect(read.preview.signedBy).toBeNull()
    expect(labels(read.preview.taken)).toEqual(['Participants'])
    expect(read.preview.left).toContainEqual(
      expect.objectContaining({ label: 'Modèles de message', why: expect.stringContaining('confiance') }),
    )
    expect(read.preview.left).toContainEqual({
      label: BILLING,
      rows: null,
      why: 'Sans signature de confiance, ni facture ni solde n’est repris.',
    })
    expect(done).toMatchObject({ state: 'done', rows: 1 })
    const [row] = await server.db.select().from(participants).where(eq(participants.companyId, heir.companyId))
    expect(row).toMatchObject({ name: 'Camille Morel', iban: null, ibanEnd: '', mandateReference: '' })
  })

  test('of an unknown installation, what no file says is as if it had been entered here: dates, versions, tags, how well a place is known', async () => {
    const heir = await makeUser(server.db)
    const { companyId } = heir
    const rows = buildArchiveRows({ family: 'elsewhere', mark: 'Tilleul', prmStart: '19000001', iban: SOME_IBAN })
    const tables = Object.entries({
      ...rows,
      participants: rows.participants?.map((row) => ({ ...row, version: 40 })),
      points: rows.points?.map((row) => ({ ...row, version: 40 })),
      curve_days: rows.curve_days?.map((row) => ({ ...row, version: 7 })),
    })
    const zip = await packSignedArchive(
      OTHER,
      tables.map(([name, table = []]) => buildTableEntry(name, table)),
    )
    expect((await importArchive(zip, heir)).done).toMatchObject({ state: 'done', rows: 4 })
    const asEntered = { version: 1, createdAt: expect.toSatisfy((at: Date) => at > new Date(CREATED_AT)) }
    expect(await server.db.select().from(participants).where(eq(participants.companyId, companyId))).toMatchObject([
      { name: 'Tilleul Morel', notes: 'Tilleul à rappeler', tags: [], iban: null, mandateReference: '', ...asEntered },
    ])
    const found = await server.db.select().from(points).where(eq(points.companyId, companyId)).orderBy(points.prm)
    expect(found).toMatchObject([
      { prm: '19000001000001', label: 'Tilleul logement', precision: 'address', ...asEntered },
      { prm: '19000001000002', peakWatts: 9000, precision: 'address', ...asEntered },
    ])
    const days = await server.db.select().from(curveDays).where(eq(curveDays.companyId, companyId))
    expect(days).toMatchObject([{ version: 1, source: 'import', receivedAt: asEntered.createdAt }])
  })

  test('the owner of the site enters a key: its archives bring the rest; once removed, they no longer do', async () => {
    const [publicKey = ''] = getOwnPublicKeys(OTHER)
    const body = { name: 'Voisol de Lyon', publicKey }
    const refused = await call(server, backups.trust, { body: { ...body, password: 'pas celui-là' } }, admin)
    expect(refused.status).toBe(422)
    const added = await call(server, backups.trust, { body: { ...body, password: PASSWORD } }, admin)
    expect(added.status).toBe(200)
    const listed = (await call(server, backups.trusted, {}, admin)).body
    expect(listed.items).toMatchObject([body])
    expect(listed.publicKey).toBe(getOwnPublicKeys(server.deps.secrets)[0])
    const heir = await makeUser(server.db)
    const { read, done } = await importArchive(await archive(OTHER), heir)
    expect(read.preview.signedBy).toBe('Voisol de Lyon')
    expect(labels(read.preview.taken)).toEqual(['Participants', 'Modèles de message'])
    expect(read.preview.left).toEqual([
      { label: BILLING, rows: 1, why: expect.stringContaining('reprises pour mémoire') },
    ])
    expect(done).toMatchObject({ state: 'done', rows: 2 })
    const [row] = await server.db.select().from(participants).where(eq(participants.companyId, heir.companyId))
    expect(row?.ibanEnd).toBe('0189')
    expect((await call(server, backups.distrust, { params: { id: added.body.id } }, admin)).status).toBe(200)
    const later = await makeUser(server.db)
    expect((await importArchive(await archive(OTHER), later)).read.preview.signedBy).toBeNull()
  })

  test('a key of this installation, one twice and one that is none are refused in French', async () => {
    const trust = (publicKey: string) =>
      call(server, backups.trust, { body: { name: 'X', publicKey, password: PASSWORD } }, admin)
    expect((await trust(getOwnPublicKeys(server.deps.secrets)[0] ?? '')).body.issues).toMatchObject([
      { path: 'publicKey' },
    ])
    expect((await trust('trop court')).status).toBe(422)
    const [publicKey = ''] = getOwnPublicKeys(createSecrets(randomBytes(32)))
    expect((await trust(publicKey)).status).toBe(200)
    expect((await trust(publicKey)).status).toBe(409)
  })
})

describe('who may import', () => {
  const small = () => packUnsignedArchive([buildTableEntry('participants', [buildArchivedParticipant()])])

  test('nothing is written before somebody who proved who they are has confirmed it', async () => {
    const heir = await makeUser(server.db)
    const { body } = await upload(await small(), heir)
    expect(await waitUntilSettled(heir, body.id)).toMatchObject({
      state: 'read',
      preview: { taken: [{ label: 'Participants', rows: 1 }] },
    })
    const count = async () =>
      (await server.db.select().from(participants).where(eq(participants.companyId, heir.companyId))).length
    expect(await count()).toBe(0)
    expect((await confirm(body.id, heir, {})).status).toBe(422)
    expect((await confirm(body.id, heir, { password: 'pas celui-là' })).status).toBe(422)
    const token = await makeApiKey(server.db, heir, { permissions: ['backups.read', 'backups.write'] })
    expect((await confirm(body.id, { token })).status).toBe(403)
    expect((await confirm(body.id, victim)).status).toBe(404)
    expect(await count()).toBe(0)
    expect((await confirm(body.id, heir)).status).toBe(200)
    expect(await waitUntilSettled(heir, body.id)).toMatchObject({ state: 'done' })
    expect(await count()).toBe(1)
    expect((await confirm(body.id, heir)).status).toBe(409)
  })

  test('an address that is not confirmed imports nothing, and a company that tries again and again waits', async () => {
    const fresh = await makeUser(server.db)
    await server.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, fresh.id))
    expect((await upload(await small(), fresh)).body.code).toBe('email-unverified')
    const eager = await makeUser(server.db)
    const zip = Buffer.from('PK pas une archive')
    for (let n = 0; n < 10; n++) {
      const { status, body } = await upload(zip, eager)
      expect(status).toBe(200)
      await waitUntilSettled(eager, body.id)
    }
    expect((await upload(zip, eager)).status).toBe(429)
  })

  test('a preview that nobody confirms goes with its file', async () => {
    const heir = await makeUser(server.db)
    const { body } = await upload(await small(), heir)
    await waitUntilSettled(heir, body.id)
    expect((await upload(await small(), heir)).status).toBe(409)
    await server.asOwner(`update company_copies set expires_at = now() - interval '1 hour' where id = $1`, [body.id])
    await expireCompanyCopies(server.deps)
    const [row] = await server.db.select().from(companyCopies).where(eq(companyCopies.id, body.id))
    expect(row).toMatchObject({ state: 'expired', fileId: null })
    await waitUntil(async () => (await server.deps.files.list(String(heir.companyId))).length === 0)
  })
})
