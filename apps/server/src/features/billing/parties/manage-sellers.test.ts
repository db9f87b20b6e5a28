import { parties } from '@voisol/contract/parties'
import type { Seller, SellerCandidate } from '@voisol/contract/sellers'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeIssuedInvoice, makeProducer, makeSeller, makeSellerVat } from '../../../../test/factories-billing.ts'
import { makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, operationBilling, sellers } from '../../../db/schema/index.ts'
import { decryptSellerIban, loadSellers, proposeInvoicePrefix } from './index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const DRAFT = {
  name: 'Copropriété Les Tilleuls',
  legalForm: '',
  siren: '552 081 317',
  siret: '',
  vatNumber: 'FR03 552 081 317',
  address: '12 rue des Tilleuls',
  postalCode: '69007',
  city: 'Lyon',
  country: 'FR',
  email: 'syndic@exemple.fr',
  phone: '',
  prefix: 'til-',
  managementFees: [{ kind: 'perKwh', price: 137 }],
  managementFeeRate: 2000,
}
const add = (who: User, change: object = {}) =>
  call(server, parties.addSeller, { body: { ...DRAFT, participantId: null, ...change } }, who)
const update = (who: User, id: string, change: object) =>
  call(server, parties.updateSeller, { params: { id }, body: { ...DRAFT, version: 1, ...change } }, who)
const vat = (who: User, id: string, startsOn: string, mode = 'standard', rate = 2000) =>
  call(server, parties.addVat, { params: { id }, body: { startsOn, mode, rate } }, who)
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.issues?.[0]?.path ?? body.code]

test('turns a producer into a seller once, with compact numbers', async () => {
  const user = await makeUser(server.db)
  const { participantId } = await makeProducer(server.db, user)
  const { status, body } = await add(user, { participantId })
  expect(status).toBe(200)
  expect(body).toMatchObject({ siren: '552081317', vatNumber: 'FR03552081317', prefix: 'TIL-', participantId })
  expect(refusal(await add(user, { participantId, prefix: 'AUTRE-' }))).toEqual([409, 'participantId'])
  expect(refusal(await add(user, { prefix: 'TIL-' }))).toEqual([409, 'prefix'])
  expect(refusal(await add(user, { prefix: 'BON-', siren: '552081318' }))).toEqual([422, 'siren'])
})

test('refuses as seller a consumer or a participant of another company', async () => {
  const [user, stranger] = [await makeUser(server.db), await makeUser(server.db)]
  const { operationId, participantId } = await makeProducer(server.db, user)
  const consumer = await makeParticipation(server.db, { companyId: user.companyId, operationId })
  expect(refusal(await add(user, { participantId: consumer.participantId }))).toEqual([422, 'participantId'])
  expect(refusal(await add(stranger, { participantId }))).toEqual([404, 'participantId'])
})

test('proposes producers and the organiser as sellers, each with a free prefix', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id } = await makeParticipant(server.db, { companyId, kind: 'organisation', name: 'École Jean-Macé' })
  await makeProducer(server.db, user, id)
  await makeProducer(server.db, user, id)
  await makeSeller(server.db, { companyId, participantId: (await makeProducer(server.db, user)).participantId })
  await makeSeller(server.db, {
    companyId,
    prefix: 'ECOJEA-',
    participantId: (await makeProducer(server.db, user)).participantId,
  })
  const items: SellerCandidate[] = (await call(server, parties.candidates, {}, user)).body.items
  expect(items.map(({ participantId, prefix }) => [participantId, prefix.slice(0, 3)])).toEqual([
    [id, 'ECO'],
    [null, 'COP'],
  ])
  expect(items[0]).toMatchObject({ prefix: 'ECOJEA2-', operations: [expect.any(String), expect.any(String)] })
})

test.each([
  ['Copropriété Les Tilleuls', 'COPTIL-'],
  ['SCI de la Grange', 'GRANGE-'],
  ['Énergie d’Ici', 'ENEICI-'],
  ['***', 'VENDEUR-'],
])('for « %s » proposes the prefix %s', (name, prefix) => {
  expect(proposeInvoicePrefix(name, new Set())).toBe(prefix)
})

test('keeps the prefix once a document is issued, and updates the rest by version', async () => {
  const user = await makeUser(server.db)
  const { body: made } = await add(user)
  const changed = await update(user, made.id, { prefix: 'NEUF-', city: 'Vaulx' })
  expect(changed.body).toMatchObject({ prefix: 'NEUF-', city: 'Vaulx', version: 2 })
  expect((await update(user, made.id, { prefix: 'TIL-' })).body.code).toBe('stale')
  await makeIssuedInvoice(server.db, { companyId: user.companyId, sellerId: made.id, number: 'NEUF-2026-00001' })
  const refused = await update(user, made.id, { prefix: 'TIL-', version: 2 })
  expect(refusal(refused)).toEqual([409, 'prefix'])
  expect(refused.body.message).toContain('NEUF-2026-00001')
  expect((await update(user, made.id, { prefix: 'NEUF-', version: 2 })).status).toBe(200)
})

test('checks and encrypts an IBAN, and shows and logs its last digits only', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id } = await makeSeller(server.db, { companyId })
  const save = (iban: string | undefined, version: number, bic = 'agrifrpp') =>
    call(server, parties.sellerBank, { params: { id }, body: { iban, bic, version } }, user)
  expect(refusal(await save('FR76 3000 6000 0112 3456 7890 188', 1))).toEqual([422, 'iban'])
  expect(refusal(await save('', 1, 'AB'))).toEqual([422, 'bic'])
  const { body } = await save('FR76 3000 6000 0112 3456 7890 189', 1)
  expect(body).toMatchObject({ ibanEnd: '0189', bic: 'AGRIFRPP' })
  const row = (await loadSellers(server.db, companyId))[0]
  if (!row) throw new Error('no seller')
  expect(decryptSellerIban(server.deps.secrets, row)).toBe('FR7630006000011234567890189')
  expect(() => decryptSellerIban(server.deps.secrets, { ...row, companyId: companyId + 1 })).toThrow()
  expect(() => decryptSellerIban(server.deps.secrets, { ...row, id: crypto.randomUUID() })).toThrow()
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  expect(JSON.stringify([entries, body])).not.toMatch(/30006000|01123456/)
  expect((await save(undefined, 2)).body.ibanEnd).toBe('0189')
  expect((await save('', 3)).body.ibanEnd).toBe('')
})

test('appends VAT modes in order, and removes the last one while nothing was invoiced under it', async () => {
  const user = await makeUser(server.db)
  const { id } = await makeSeller(server.db, { companyId: user.companyId })
  const stranger = await makeUser(server.db)
  await vat(user, id, '2025-01-01', 'exempt', 0)
  const { body } = await vat(user, id, '2099-01-01')
  const states = (seller: Seller) => seller.vat.map(({ mode, state, removable }) => [mode, state, removable])
  expect(states(body)).toEqual([
    ['exempt', 'held', false],
    ['standard', 'future', true],
  ])
  expect(refusal(await vat(user, id, '2099-01-01', 'outside', 0))).toEqual([409, 'startsOn'])
  expect(refusal(await vat(user, id, '2098-01-01', 'outside', 0))).toEqual([409, 'startsOn'])
  const remove = (vatId: string, who: User = user) => call(server, parties.removeVat, { params: { id: vatId } }, who)
  expect((await remove(body.vat[1].id, stranger)).status).toBe(404)
  expect((await remove(body.vat[0].id)).body.code).toBe('conflict')
  expect(states((await remove(body.vat[1].id)).body)).toEqual([['exempt', 'held', true]])
})

test('refuses a VAT mode that begins in or before an invoiced month', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id: sellerId } = await makeSeller(server.db, { companyId })
  const { id: held } = await makeSellerVat(server.db, { companyId, sellerId, startsOn: '2026-03-31' })
  await makeIssuedInvoice(server.db, {
    companyId,
    sellerId,
    number: 'A-2026-00007',
    from: '2026-03-01',
    to: '2026-04-01',
  })
  await makeIssuedInvoice(server.db, { companyId, sellerId, kind: 'statement', from: '2026-05-01', to: '2026-06-01' })
  const { body } = await call(server, parties.removeVat, { params: { id: held } }, user)
  expect([body.code, body.message]).toEqual(['conflict', expect.stringContaining('A-2026-00007')])
  await server.db.execute(`update seller_vat set starts_on = '2026-01-01' where id = '${held}'`)
  expect(refusal(await vat(user, sellerId, '2026-03-31', 'exempt', 0))).toEqual([409, 'startsOn'])
  expect((await vat(user, sellerId, '2026-04-01', 'exempt', 0)).status).toBe(200)
})

test('removes a seller that nothing refers to', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const remove = (id: string) => call(server, parties.removeSeller, { params: { id } }, user)
  const { id } = await makeSeller(server.db, { companyId })
  await makeSellerVat(server.db, { companyId, sellerId: id })
  const { operationId } = await makeProducer(server.db, user)
  await server.db.insert(operationBilling).values({ companyId, operationId, organiserId: id })
  expect((await remove(id)).body.message).toContain('comme organisateur')
  await server.db.update(operationBilling).set({ organiserId: null }).where(eq(operationBilling.companyId, companyId))
  expect((await remove(id)).status).toBe(200)
  const { id: used } = await makeSeller(server.db, { companyId })
  await makeIssuedInvoice(server.db, { companyId, sellerId: used })
  expect((await remove(used)).body.message).toContain('a émis des documents')
  expect(await server.db.select().from(sellers).where(eq(sellers.companyId, companyId))).toHaveLength(1)
})

test('lists only the company’s sellers, with what they issued', async () => {
  const [user, stranger] = [await makeUser(server.db), await makeUser(server.db)]
  const { id } = await makeSeller(server.db, { companyId: user.companyId, name: 'À nous' })
  await makeIssuedInvoice(server.db, { companyId: user.companyId, sellerId: id })
  await makeSeller(server.db, { companyId: stranger.companyId, name: 'À eux' })
  const { items } = (await call(server, parties.sellers, {}, user)).body
  expect(items.map(({ name, documents }: Seller) => [name, documents])).toEqual([['À nous', 1]])
  expect((await call(server, parties.seller, { params: { id } }, stranger)).status).toBe(404)
})
