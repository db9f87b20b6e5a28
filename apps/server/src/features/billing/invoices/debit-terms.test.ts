import { invoices as documents } from '@voisol/contract/invoices'
import { and, asc, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOwnBankAccount } from '../../../../test/factories-bank.ts'
import { makeBillingMandate, makeSeller } from '../../../../test/factories-billing.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices, mandates, sellers } from '../../../db/schema/index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

async function month(status = 'active') {
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from('2026-06-04'))
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId })
  const give = (creditorId: string) =>
    server.db.insert(mandates).values({
      companyId,
      creditorId,
      participantId: world.people[0]?.participant.id ?? '',
      rum: 'TIL-7731',
      status,
      holder: 'Ada',
      iban: 'x',
      ibanEnd: '4407',
      ibanPrint: 'p',
      method: 'paper',
      createdBy: 'Camille',
      signedOn: '2025-01-07',
      statusOn: '2025-01-07',
    })
  const issued = async () => {
    await issueMonthDocuments(withoutSubscribers(server.db), world)
    const rows = await server.db
      .select()
      .from(invoices)
      .where(and(eq(invoices.companyId, companyId)))
      .orderBy(asc(invoices.number))
    const own = rows.find(({ buyerId }) => buyerId === world.people[0]?.participant.id)
    const other = rows.find((row) => row !== own)
    // Only this part of the stored snapshot is read here.
    const debitOf = (row: typeof own) => (row?.snapshot as { debit?: object } | undefined)?.debit
    return { own, debit: debitOf(own), none: debitOf(other) }
  }
  return { admin, companyId, world, give, issued }
}

test('prints the debit, its day and the mandate on a document issued under a mandate', async () => {
  const { admin, companyId, world, give, issued } = await month()
  await makeOwnBankAccount(server, companyId, { ownerId: world.seller.id })
  await give(world.seller.id)
  const { own, debit, none } = await issued()
  // Due on Friday 19 June, and announced more than 14 days before.
  expect(debit).toEqual({
    creditor: world.seller.name,
    ics: 'FR72ZZZ123456',
    rum: 'TIL-7731',
    ibanEnd: '4407',
    collectionOn: '2026-06-19',
  })
  expect(none).toBeUndefined()
  const { body } = await call(server, documents.explain, { params: { id: own?.id ?? '' } }, admin)
  expect(JSON.stringify(body)).toContain('seront prélevés le 19 juin 2026')
})

test('uses a mandate given to the collecting organiser, and not one that ended', async () => {
  const here = await month()
  const { companyId, world } = here
  const { id: participantId } = world.people[1]?.participant ?? { id: '' }
  await server.db.update(sellers).set({ participantId }).where(eq(sellers.id, world.seller.id))
  const organiser = await makeSeller(server.db, { companyId, name: 'Les Toits d’Été' })
  await makeOwnBankAccount(server, companyId, { ownerId: organiser.id })
  await makeBillingMandate(server.db, { companyId, sellerId: world.seller.id, collects: true })
  await here.give(organiser.id)
  expect((await here.issued()).debit).toMatchObject({ creditor: 'Les Toits d’Été', rum: 'TIL-7731' })
  const revoked = await month('revoked')
  await makeOwnBankAccount(server, revoked.companyId, { ownerId: revoked.world.seller.id })
  await revoked.give(revoked.world.seller.id)
  expect((await revoked.issued()).debit).toBeUndefined()
})
