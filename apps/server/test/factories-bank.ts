import { mandates } from '@voisol/contract/mandates'
import { asc, eq } from 'drizzle-orm'
import { invoices } from '../src/db/schema/index.ts'
import { addBankAccount } from '../src/features/money/bank/bank.ts'
import type { Actor } from '../src/http/actor.ts'
import { ANNA_IBAN, BRUNO_IBAN, OUR_IBAN } from './bank-files.ts'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from './factories-invoices.ts'

export const TEST_ICS = 'FR72ZZZ123456'
const PAYER_IBANS = [ANNA_IBAN, BRUNO_IBAN, 'FR7630004000031234567890143']

/** A plant whose May was invoiced to some homes, with its bank account and a signed-in manager. */
export async function makeSalesFixture(
  server: TestServer,
  { members = 2, ics = TEST_ICS, userId }: { members?: number; ics?: string; userId?: string } = {},
) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId, members, ...(userId && { userId }) })
  await issueMonthDocuments(withoutSubscribers(server.db), world)
  const account = await makeOwnBankAccount(server, admin.companyId, { ownerId: world.seller.id, ics })
  const rows = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(asc(invoices.number))
  return { admin, auth: { token: admin.token }, companyId, world, account, invoices: rows }
}
export type SalesFixture = Awaited<ReturnType<typeof makeSalesFixture>>

type AccountInput = { ownerId: string; iban?: string; ics?: string; name?: string }
export const makeOwnBankAccount = (
  server: TestServer,
  companyId: number,
  { ownerId, iban = OUR_IBAN, ics = TEST_ICS, name = 'Compte courant' }: AccountInput,
) =>
  addBankAccount(server.db, server.app.deps.secrets, { companyId } as Actor, {
    ownerId,
    name,
    iban,
    bic: 'AGRIFRPP',
    ics,
    painVersion: '08',
  }) // the other fields of an actor are not used

/** A paper mandate for each buyer. */
export async function signAllMandates(server: TestServer, { auth, world }: SalesFixture) {
  const signed = []
  for (const [at, { participant }] of world.people.entries()) {
    const body = {
      creditorId: world.seller.id,
      participantId: participant.id,
      holder: participant.name,
      iban: PAYER_IBANS[at % PAYER_IBANS.length],
      bic: '',
      kind: 'recurrent',
      signedOn: '2026-03-18',
    }
    const { body: mandate } = await call(server, mandates.add, { body }, auth)
    signed.push(mandate)
  }
  return signed
}
