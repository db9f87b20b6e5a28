import { allocations } from '@voisol/contract/allocations'
import { closure } from '@voisol/contract/closure'
import { energy } from '@voisol/contract/energy'
import { erasure } from '@voisol/contract/erasure'
import { payments } from '@voisol/contract/payments'
import { support } from '@voisol/contract/support'
import { addMonths } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { loadHolderId } from '../../../../test/factories-billing.ts'
import { makeConsents } from '../../../../test/factories-energy.ts'
import { billPastMonth, makePastMonth, PAST_MONTH } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { consents, memberships, participants, participations, users } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { eraseDueParticipants } from './erasure.ts'

const server = useServer()
/** Creates a participant who left long ago, was invoiced, wrote to the support and has an account. */
async function makeErasureCase() {
  const { db } = server
  const here = await makePastMonth(server, `${PAST_MONTH}-22`)
  const { companyId } = here
  const { id } = here.admin
  const client = await makeUser(db, { companyId, isAdmin: false, email: `lea.${id.slice(0, 8)}@exemple.fr` })
  const participantId = await loadHolderId(db, companyId, here.consumers[0]?.id ?? '')
  const known = {
    name: 'Léa Brisson',
    firstName: 'Léa',
    lastName: 'Brisson',
    phone: '06 11 22 33 44',
    notes: 'Sonner deux fois',
  }
  await db
    .update(participants)
    .set({ ...known, email: client.email, userId: client.id, iban: 'scellé', ibanEnd: '0189' })
    .where(eq(participants.id, participantId))
  await makeConsents(db, companyId, [participantId], 'collection')
  await billPastMonth(server, here)
  const question = { subject: 'Ma part de mars', body: 'Léa Brisson demande.', category: 'other' }
  await call(server, support.create, { body: question }, client)
  await waitForJobs(server)
  const leaves = (endsOn: string | null) =>
    db.update(participations).set({ endsOn }).where(eq(participations.participantId, participantId))
  return { ...here, client, participantId, leaves }
}
type Scene = Awaited<ReturnType<typeof makeErasureCase>>

const look = (token: string, id: string) => call(server, erasure.look, { params: { id } }, { token })
const ask = (token: string, id: string, version: number) =>
  call(server, erasure.ask, { params: { id }, body: { version } }, { token })

/** Every total and hash of the operation, every document and every accounting entry. */
async function readProofs({ token, companyId, operation, run }: Scene) {
  const month = { from: `${PAST_MONTH}-01`, to: '2024-04-01', operationId: operation.id }
  const proof = (await call(server, allocations.proof, { params: { id: run.id } }, { token })).body
  const summary = (await call(server, energy.summary, { query: month }, { token })).body
  const hashes: Record<string, unknown> = {}
  for (const table of [
    'invoices',
    'invoice_files',
    'curve_days',
    'curve_months',
    'allocation_days',
    'allocation_totals',
    'allocation_pairs',
    'billing_computations',
    'producer_statements',
    'operation_months',
    'book_lines',
  ]) {
    const { rows } =
      await server.db.execute(sql`select count(*)::int as n, md5(string_agg(t::text, '|' order by t::text)) as hash
      from ${sql.identifier(table)} t where company_id = ${companyId}`)
    hashes[table] = rows[0]
  }
  return { proof, summary, hashes }
}

/** Pays the invoices of the person. */
async function payInvoices({ token, companyId, participantId }: Scene) {
  const { rows } = await server.db.execute<{ sellerId: string; gross: string }>(sql`
    select seller_id as "sellerId", gross from invoices where company_id = ${companyId} and buyer_id = ${participantId}`)
  for (const { sellerId, gross } of rows) {
    const body = { sellerId, buyerId: participantId, amount: Number(gross), method: 'transfer', bookedOn: getToday() }
    const paid = await call(server, payments.create, { body }, { token })
    if (paid.status !== 200) throw new Error(paid.text)
  }
}

/** Finds the tables that still contain a name or address, except those that the law requires. */
const KEPT = ['invoices', 'audit_entries', 'payments', 'mandates', 'billing_computations']
async function findTraces(companyId: number, words: string[]) {
  const { rows } = await server.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`)
  const found: string[] = []
  for (const { name } of rows)
    for (const word of words) {
      const { rowCount } = await server.db.execute(sql`select 1 from ${sql.identifier(name)} t
        where company_id = ${companyId} and position(${word} in t::text) > 0 limit 1`)
      if (rowCount && !KEPT.includes(name)) found.push(`${name}: ${word}`)
    }
  return found
}

test('erases a former member from everything except legal records, and all totals stay valid', async () => {
  const here = await makeErasureCase()
  const { token, companyId, participantId, client } = here
  const words = ['Brisson', client.email, '06 11 22 33 44', 'Sonner deux fois']
  expect((await look(token, participantId)).body).toMatchObject({ running: [expect.any(String)], possibleOn: null })
  expect((await ask(token, participantId, 1)).status).toBe(409)
  await here.leaves('2024-04-01')
  const told = (await look(token, participantId)).body
  expect(told).toMatchObject({ possibleOn: '2025-07-01', tickets: 1, invoices: 1, account: true, erasedOn: null })
  expect(told.open).toBeGreaterThan(0)
  // Nothing is erased while an amount is open; the request is scheduled instead.
  const noted = await ask(token, participantId, told.version)
  expect(noted.body).toMatchObject({ erasedOn: null, askedOn: getToday() })
  await eraseDueParticipants(server.db, companyId)
  expect(await findTraces(companyId, words)).not.toEqual([])
  await payInvoices(here)
  const before = await readProofs(here)
  expect((await look(token, participantId)).body.open).toBe(0)
  await eraseDueParticipants(server.db, companyId)
  await waitForJobs(server)
  expect(await readProofs(here)).toEqual(before)
  expect(await findTraces(companyId, words)).toEqual([])
  const [person] = await server.db.select().from(participants).where(eq(participants.id, participantId))
  expect(person).toMatchObject({ name: 'Personne effacée', email: '', iban: null, userId: null, erasedOn: getToday() })
  const kept = await server.db.select().from(consents).where(eq(consents.participantId, participantId))
  expect(kept.map(({ withdrawnAt, ip }) => [withdrawnAt !== null, ip])).toEqual([[true, '']])
  const [account] = await server.db.select().from(users).where(eq(users.id, client.id))
  expect(account).toMatchObject({ firstName: 'Compte', lastName: 'fermé' })
  const again = (await look(token, participantId)).body
  expect((await ask(token, participantId, again.version)).status).toBe(409)
})

test('a buyer stays known while a month may be corrected, then is erased by the nightly job', async () => {
  const here = await makeErasureCase()
  const { token, companyId, participantId } = here
  await here.leaves(addMonths(getToday(), -3))
  await payInvoices(here)
  const { version, possibleOn } = (await look(token, participantId)).body
  expect(possibleOn).toBe(addMonths(addMonths(getToday(), -3), 15))
  expect((await ask(token, participantId, version)).body.erasedOn).toBeNull()
  expect((await ask(token, participantId, version)).status).toBe(409)
  // A user of another company, or limited to another operation, gets not found.
  const stranger = await makeUser(server.db)
  expect((await look(stranger.token, participantId)).status).toBe(404)
  const limited = await makeUser(server.db, { companyId, operationIds: [] })
  expect((await ask(limited.token, participantId, version + 1)).status).toBe(404)
  await expect(server.db.execute(sql`select forget_person(${companyId}, ${participantId}::uuid)`)).rejects.toThrow()
})

test('requested on closing an account, erases the messages at once and the person later', async () => {
  const here = await makeErasureCase()
  const { client, participantId, companyId } = here
  await here.leaves(addMonths(getToday(), -2))
  const body = { password: PASSWORD, erase: true }
  expect((await call(server, closure.close, { body }, client)).status).toBe(200)
  const [person] = await server.db.select().from(participants).where(eq(participants.id, participantId))
  expect(person).toMatchObject({ erasureAskedOn: getToday(), erasedOn: null, name: 'Léa Brisson' })
  const { rows } = await server.db.execute(sql`select body from ticket_messages where company_id = ${companyId}`)
  expect(rows).toEqual([{ body: 'Message effacé à la demande de la personne.' }])
  const where = and(eq(memberships.companyId, companyId), eq(memberships.userId, client.id))
  const [place] = await server.db.select().from(memberships).where(where)
  expect(place?.disabledAt).not.toBeNull()
})
