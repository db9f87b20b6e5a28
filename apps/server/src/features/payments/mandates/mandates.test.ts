import { bank } from '@voisol/contract/bank'
import { getIcsError } from '@voisol/contract/bank-accounts'
import { mandates as contract } from '@voisol/contract/mandates'
import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  ANNA_IBAN,
  BRUNO_IBAN,
  makeOwnBankAccount,
  makeSalesFixture,
  OUR_IBAN,
  type SalesFixture,
  signAllMandates,
} from '../../../../test/factories-bank.ts'
import { makeSeller } from '../../../../test/factories-billing.ts'
import { useServer } from '../../../../test/server.ts'
import { mandates, notifications, participants } from '../../../db/schema/index.ts'
import { sha256 } from '../../../secrets.ts'
import { lapseMandates } from './change-mandates.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

const whoseOf = ({ world }: SalesFixture, at = 0) => ({
  creditorId: world.seller.id,
  participantId: world.people[at]?.participant.id ?? '',
})
const rowOf = async (id: string) => (await server.db.select().from(mandates).where(eq(mandates.id, id)))[0]

test.each([
  ['FR72ZZZ123456', null],
  ['FR73ZZZ123456', 'clé de contrôle'],
  ['FR72ZZZ12345', 'treize caractères'],
  ['72FRZZZ123456', 'deux lettres'],
  ['DE98ZZZ09999999999', null],
])('checks the ICS %s', (ics, fault) => {
  if (fault) expect(getIcsError(ics)).toContain(fault)
  else expect(getIcsError(ics)).toBeNull()
})

test('encrypts an account’s IBAN, refuses it twice, and changes it by version', async () => {
  const { auth, world, account } = await makeSalesFixture(server)
  expect(account).toMatchObject({ ibanEnd: '0189', owner: world.seller.name, open: 0, until: null })
  const { rows } = await server.db.execute<{ iban: string }>(
    sql`select iban from bank_accounts where id = ${account.id}`,
  )
  expect(rows[0]?.iban).not.toContain('7890189')
  const again = {
    ownerId: world.seller.id,
    name: 'Autre',
    iban: `fr76 3000 6000 0112 3456 7890 189`,
    bic: '',
    ics: '',
    painVersion: '08',
  }
  const twice = await call(server, bank.addAccount, { body: again }, auth)
  expect([twice.status, twice.body.message]).toEqual([422, expect.stringContaining('déjà enregistré')])
  const wrong = await call(
    server,
    bank.addAccount,
    { body: { ...again, iban: 'FR76 3000 6000 0112 3456 7890 188' } },
    auth,
  )
  expect([wrong.status, wrong.body.issues[0].path]).toEqual([422, 'iban'])
  const change = {
    name: 'Compte pro',
    bic: 'AGRIFRPP',
    ics: 'fr72 zzz 123456',
    painVersion: '02',
    version: account.version,
  }
  const saved = await call(server, bank.updateAccount, { params: { id: account.id }, body: change }, auth)
  expect(saved.body).toMatchObject({ name: 'Compte pro', painVersion: '02', ibanEnd: '0189', ics: 'FR72ZZZ123456' })
  expect((await call(server, bank.updateAccount, { params: { id: account.id }, body: change }, auth)).status).toBe(409)
})

test('stores the proof of a mandate signed on screen by its holder', async () => {
  const client = await makeUser(server.db, { role: 'client' })
  const sales = await makeSalesFixture(server)
  const whose = whoseOf(sales)
  // Another seller of the company that sells nothing to this household.
  const { id: ownerId } = await makeSeller(server.db, { companyId: sales.companyId })
  await makeOwnBankAccount(server, sales.companyId, { ownerId, iban: BRUNO_IBAN })
  const holder = await makeUser(server.db, { companyId: sales.companyId, role: 'client' })
  await server.db.update(participants).set({ userId: holder.id }).where(eq(participants.id, whose.participantId))
  const auth = { token: holder.token, headers: { 'user-agent': 'Firefox/143' } }
  const { body: shown } = await call(server, contract.text, { query: whose }, auth)
  expect(shown.text).toContain('FR72ZZZ123456')
  expect(shown.text).toContain(sales.world.seller.name)
  expect(shown.hash).toBe(sha256(shown.text).toString('hex'))
  const body = { ...whose, holder: 'Anna Lefèvre', iban: ANNA_IBAN, bic: '', name: 'Anna Lefèvre', hash: shown.hash }
  const other = await call(server, contract.sign, { body: { ...body, hash: 'a'.repeat(64) } }, auth)
  expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('a changé')])
  const signed = await call(server, contract.sign, { body }, auth)
  expect(signed.status).toBe(200)
  expect(signed.body).toMatchObject({ state: 'active', method: 'screen', ibanEnd: '2606', ics: 'FR72ZZZ123456' })
  expect(signed.body.proof).toMatchObject({
    name: 'Anna Lefèvre',
    userAgent: 'Firefox/143',
    text: shown.text,
    hash: shown.hash,
    ip: '127.0.0.1',
  })
  expect(signed.body.rum).toMatch(/^[A-Z0-9]+-[2-9A-Z]{10}$/)
  const { body: offered } = await call(server, contract.list, { query: {} }, auth)
  expect(offered.creditors).toEqual([
    { id: sales.world.seller.id, name: sales.world.seller.name, ics: 'FR72ZZZ123456' },
  ])
  expect(offered.people).toHaveLength(1)
  // Nobody can sign for a neighbour, or read another company's text.
  const neighbour = { ...body, participantId: whoseOf(sales, 1).participantId }
  expect((await call(server, contract.sign, { body: neighbour }, auth)).status).toBe(404)
  expect((await call(server, contract.text, { query: whose }, { token: client.token })).status).toBe(404)
})

test('stops the previous mandate on a new signature, and signs nothing with a revoked one', async () => {
  const sales = await makeSalesFixture(server)
  const [first] = await signAllMandates(server, sales)
  const body = {
    ...whoseOf(sales),
    holder: 'X',
    iban: BRUNO_IBAN,
    bic: '',
    kind: 'recurrent',
    signedOn: '2026-05-02',
    rum: 'tilleuls-7',
  }
  const { body: second } = await call(server, contract.add, { body }, sales.auth)
  expect(second.rum).toBe('TILLEULS-7')
  expect(await rowOf(first.id)).toMatchObject({ status: 'revoked', statusReason: 'Remplacé par le mandat TILLEULS-7.' })
  const twice = await call(server, contract.add, { body }, sales.auth)
  expect([twice.status, twice.body.issues[0].path]).toEqual([422, 'rum'])
  const revoke = { params: { id: second.id }, body: { reason: 'Déménagement', version: second.version } }
  const { body: gone } = await call(server, contract.revoke, revoke, sales.auth)
  expect(gone).toMatchObject({ state: 'revoked', reason: 'Déménagement' })
  const again = await call(
    server,
    contract.revoke,
    { ...revoke, body: { ...revoke.body, version: gone.version } },
    sales.auth,
  )
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('n’est plus actif')])
})

test('reports a changed account to the bank once the older was debited, unless changed back', async () => {
  const sales = await makeSalesFixture(server)
  const [mandate] = await signAllMandates(server, sales)
  const params = { id: mandate.id }
  const change = (iban: string, version: number) =>
    call(server, contract.account, { params, body: { iban, holder: 'Anna', bic: '', version } }, sales.auth)
  const { body: unused } = await change(BRUNO_IBAN, mandate.version)
  expect(unused).toMatchObject({ amended: false, ibanEnd: '3000' })
  await server.db.update(mandates).set({ lastDebitOn: '2026-05-20' }).where(eq(mandates.id, mandate.id))
  const { body: moved } = await change(OUR_IBAN, unused.version)
  expect(moved).toMatchObject({ amended: true, ibanEnd: '0189' })
  const { body: twice } = await change(ANNA_IBAN, moved.version)
  expect(twice.amended).toBe(true)
  const { body: back } = await change(BRUNO_IBAN, twice.version)
  expect(back.amended).toBe(false)
})

test('ends a mandate after 36 months without a debit, and notifies people once before', async () => {
  const sales = await makeSalesFixture(server)
  const [mandate] = await signAllMandates(server, sales)
  await server.db
    .update(mandates)
    .set({ signedOn: '2023-05-02', lastDebitOn: '2023-06-20' })
    .where(eq(mandates.id, mandate.id))
  const told = () => server.db.select().from(notifications).where(eq(notifications.companyId, sales.companyId))
  itIs('2026-05-01')
  await lapseMandates(server.app.deps)
  await lapseMandates(server.app.deps)
  expect(await rowOf(mandate.id)).toMatchObject({ status: 'active', lapseToldOn: '2026-05-01' })
  expect((await told()).map(({ message }) => message)).toEqual([expect.stringContaining('20 juin 2026')])
  itIs('2026-06-19')
  await lapseMandates(server.app.deps)
  expect((await rowOf(mandate.id))?.status).toBe('active')
  itIs('2026-06-20')
  await lapseMandates(server.app.deps)
  expect(await rowOf(mandate.id)).toMatchObject({ status: 'lapsed', statusReason: expect.stringContaining('36 mois') })
})

test('imports mandates from a table despite an invalid line', async () => {
  const sales = await makeSalesFixture(server, { members: 3 })
  const [anna, bruno, carla] = sales.world.people.map(({ participant }) => participant)
  const csv = [
    'Participant;RUM;IBAN;Date de signature;Premier prélèvement',
    `${anna?.name};OLD-1;${ANNA_IBAN};18/03/2024;05/04/2024`,
    `${bruno?.email};OLD-2;FR7630006000011234567890188;18/03/2024;`,
    `Inconnue;OLD-3;${ANNA_IBAN};18/03/2024;`,
    `${carla?.name};OLD-1;${BRUNO_IBAN};2024-03-18;`,
    `${carla?.name};OLD-4;${BRUNO_IBAN};31/02/2024;`,
  ].join('\n')
  const query = { name: 'mandats.csv', creditorId: sales.world.seller.id }
  const send = (more = {}) =>
    call(server, contract.import, { query: { ...query, ...more }, upload: Buffer.from(csv) }, sales.auth)
  const dry = await send({ dryRun: 'true' })
  expect(dry.body).toMatchObject({ added: 1, known: 0, refused: 4 })
  expect(await server.db.$count(mandates, eq(mandates.companyId, sales.companyId))).toBe(0)
  const { body } = await send()
  expect(body.lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'added',
    'refused',
    'refused',
    'refused',
    'refused',
  ])
  expect(body.lines.map(({ message }: { message: string }) => message).join()).toMatch(
    /Repris.*clé de contrôle.*Inconnue.*déjà plus haut.*31\/02\/2024/s,
  )
  const [row] = await server.db.select().from(mandates).where(eq(mandates.companyId, sales.companyId))
  expect(row).toMatchObject({ rum: 'OLD-1', firstDebitOn: '2024-04-05', lastDebitOn: '2024-04-05', method: 'import' })
  expect((await send()).body).toMatchObject({ added: 0, known: 2 })
})

test('accepts a PDF or image scan for a mandate signed on paper only', async () => {
  const sales = await makeSalesFixture(server)
  const [mandate] = await signAllMandates(server, sales)
  const params = { id: mandate.id }
  const put = (name: string, content: string) =>
    call(server, contract.putFile, { params, query: { name }, upload: Buffer.from(content) }, sales.auth)
  expect((await put('mandat.pdf', 'bonjour')).status).toBe(422)
  expect((await put('mandat.pdf', '%PDF-1.7 signé')).body.file).toMatchObject({ name: 'mandat.pdf' })
  const file = await call(server, contract.file, { params }, sales.auth)
  expect(file.text).toBe('%PDF-1.7 signé')
})

test('refuses any mandate for a seller without an ICS', async () => {
  const sales = await makeSalesFixture(server, { ics: '' })
  const text = await call(server, contract.text, { query: whoseOf(sales) }, sales.auth)
  expect([text.status, text.body.message]).toEqual([409, expect.stringContaining('identifiant créancier')])
})

test('turns noted mandates into real ones once, and reports what the others lack', async () => {
  const sales = await makeSalesFixture(server)
  const [anna, bruno] = sales.world.people.map(({ participant }) => participant)
  const iban = server.deps.secrets.seal(ANNA_IBAN, `iban ${sales.companyId} ${anna?.id}`)
  const noted = { mandateReference: 'vieux-7', mandateSignedOn: '2024-02-29' }
  await server.db
    .update(participants)
    .set({ ...noted, iban })
    .where(eq(participants.id, anna?.id ?? ''))
  await server.db
    .update(participants)
    .set({ mandateReference: 'vieux-8' })
    .where(eq(participants.id, bruno?.id ?? ''))
  const body = { creditorId: sales.world.seller.id }
  const count = async () => (await call(server, contract.list, { query: {} }, sales.auth)).body.noted
  expect(await count()).toBe(2)
  const { body: report } = await call(server, contract.takeOver, { body }, sales.auth)
  expect(report).toMatchObject({ added: 1, refused: 1 })
  expect(JSON.stringify(report.lines)).toContain('n’a pas d’IBAN')
  const [row] = await server.db.select().from(mandates).where(eq(mandates.companyId, sales.companyId))
  expect(row).toMatchObject({ rum: 'VIEUX-7', signedOn: '2024-02-29', ibanEnd: '2606', status: 'active' })
  expect(await count()).toBe(1)
})
