import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { makeBillingMandate, makeProducer, makeSeller, makeSellerVat } from '../../../../test/factories-billing.ts'
import { makeParticipant } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { buyers, companies, sellers } from '../../../db/schema/index.ts'
import { loadPartyIssues } from './index.ts'

const server = useServer()
const PLACE = { address: '3 impasse du Four', postalCode: '38200', city: 'Vienne' }
const ON = { day: '2026-03-31', issuedOn: '2026-04-03' }

async function makeProducerSeller(more: Partial<typeof sellers.$inferInsert> = {}) {
  const { id: companyId } = await makeCompany(server.db)
  const { participantId } = await makeProducer(server.db, { companyId })
  const whole = { siren: '552081317', vatNumber: 'FR03552081317', iban: 'sealed', name: 'Les Tilleuls' }
  const seller = await makeSeller(server.db, { companyId, participantId, ...whole, ...more })
  return { companyId, sellerId: seller.id }
}
const listIssueCodes = async (of: { companyId: number; sellerId: string }, on: typeof ON = ON) =>
  (await loadPartyIssues(server.db, of.companyId, { sellerIds: [of.sellerId], buyerIds: [], ...on })).map(
    ({ code, level }) => `${level} ${code}`,
  )

test('finds no issue for a complete seller', async () => {
  const of = await makeProducerSeller()
  await makeSellerVat(server.db, of)
  await makeBillingMandate(server.db, of)
  expect(await listIssueCodes(of)).toEqual([])
})

test('reports every issue of an incomplete seller at once, each with the page that fixes it', async () => {
  const of = await makeProducerSeller({ siren: '', vatNumber: '', iban: null, address: '' })
  expect(await listIssueCodes(of)).toEqual([
    'error seller-address',
    'error seller-vat',
    'error seller-mandate',
    'warning seller-siren',
    'warning seller-iban',
  ])
  const issues = await loadPartyIssues(server.db, of.companyId, { sellerIds: [of.sellerId], buyerIds: [], ...ON })
  for (const { sentence, href, sellerId } of issues) {
    expect(sentence).toMatch(/^[A-ZÀÉ].*\.$/)
    expect(href).toBe(`/advanced-billing?tab=sellers&seller=${of.sellerId}`)
    expect(sellerId).toBe(of.sellerId)
  }
})

test('marks a missing account as advice, and a missing SIREN unless professionals are sold to', async () => {
  const of = await makeProducerSeller({ siren: '', vatNumber: '', iban: null })
  const { companyId } = of
  const place = { address: '3 place du Marché', postalCode: '31000', city: 'Toulouse' }
  const [person, firm] = [
    await makeParticipant(server.db, { companyId, ...place }),
    await makeParticipant(server.db, { companyId, kind: 'company', ...place }),
  ]
  const advice = async (buyerIds: string[]) =>
    (await loadPartyIssues(server.db, companyId, { sellerIds: [of.sellerId], buyerIds, ...ON }))
      .filter((issue) => issue.advice)
      .map(({ code }) => code)
  expect(await advice([person.id])).toEqual(['seller-siren', 'seller-iban'])
  expect(await advice([person.id, firm.id])).toEqual(['seller-iban'])
})

test('checks the VAT mode on the last day supplied, and the mandate on the day of issue', async () => {
  const of = await makeProducerSeller()
  await makeSellerVat(server.db, { ...of, startsOn: '2026-03-31' })
  await makeBillingMandate(server.db, { ...of, startsOn: '2026-04-03', endsOn: '2026-04-10' })
  expect(await listIssueCodes(of)).toEqual([])
  expect(await listIssueCodes(of, { ...ON, day: '2026-03-30' })).toEqual(['error seller-vat'])
  expect(await listIssueCodes(of, { ...ON, issuedOn: '2026-04-02' })).toEqual(['error seller-mandate'])
  expect(await listIssueCodes(of, { ...ON, issuedOn: '2026-04-10' })).toEqual(['error seller-mandate'])
})

test('warns about details to confirm at each close, and requires a VAT number when VAT is owed', async () => {
  const of = await makeProducerSeller({ vatNumber: '' })
  await makeBillingMandate(server.db, of)
  await makeSellerVat(server.db, { ...of, mode: 'elsewhere', rate: 0 })
  expect(await listIssueCodes(of)).toEqual(['warning seller-vat-elsewhere'])
  await makeSellerVat(server.db, { ...of, startsOn: '2026-02-01' })
  expect(await listIssueCodes(of)).toEqual(['warning seller-vat-number'])
})

test('requires no mandate to invoice in one’s own name', async () => {
  const of = await makeProducerSeller()
  await makeSellerVat(server.db, of)
  expect(await listIssueCodes(of)).toEqual(['error seller-mandate'])
  await server.db.update(companies).set({ siren: '552081317' }).where(eq(companies.id, of.companyId))
  expect(await listIssueCodes(of)).toEqual([])
  await server.db.update(companies).set({ siren: '' }).where(eq(companies.id, of.companyId))
  await server.db.update(sellers).set({ participantId: null }).where(eq(sellers.id, of.sellerId))
  expect(await listIssueCodes(of)).toEqual([])
})

test('requires an address of every buyer, and a number of public bodies and companies', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const make = (name: string, more: object = {}) => makeParticipant(server.db, { companyId, name, ...PLACE, ...more })
  const people = [
    await make('Ana'),
    await make('Bob', { city: '' }),
    await make('Café', { kind: 'organisation' }),
    await make('Mairie', { kind: 'organisation', siren: '130025265' }),
    await make('Épicerie', { kind: 'organisation', siren: '552081317' }),
  ]
  const { id: town } = people[3] ?? { id: '' }
  await server.db.insert(buyers).values({ companyId, participantId: town, kind: 'public' })
  const ids = people.map(({ id }) => id)
  const issues = await loadPartyIssues(server.db, companyId, { sellerIds: [], buyerIds: [...ids, ...ids], ...ON })
  expect(issues.map(({ code, buyerId }) => [code, ids.indexOf(buyerId ?? '')])).toEqual([
    ['buyer-address', 1],
    ['buyer-siren', 2],
    ['buyer-siret', 3],
  ])
  expect(issues[2]?.href).toBe(`/advanced-billing?tab=buyers&buyer=${town}`)
  const other = await makeCompany(server.db)
  expect(await loadPartyIssues(server.db, other.id, { sellerIds: [], buyerIds: ids, ...ON })).toEqual([])
})
