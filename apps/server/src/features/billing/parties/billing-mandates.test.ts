import { parties } from '@voisol/contract/parties'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeBillingMandate, makeIssuedInvoice, makeSeller } from '../../../../test/factories-billing.ts'
import { useServer } from '../../../../test/server.ts'
import { files } from '../../../db/schema/index.ts'
import { findBillingMandateOn, loadInvoiceParties } from './index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const PDF = Buffer.from('%PDF-1.7 mandat signé')
const dates = (startsOn: string, endsOn: string | null = null, signedOn = '2024-12-18') => ({
  startsOn,
  endsOn,
  signedOn,
})
const add = (who: User, id: string, body: object) => call(server, parties.addMandate, { params: { id }, body }, who)
const change = (who: User, id: string, body: object) =>
  call(server, parties.updateMandate, { params: { id }, body }, who)
const put = (who: User, id: string, name: string, upload: Buffer) =>
  call(server, parties.putMandateFile, { params: { id }, query: { name }, upload }, who)
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.issues?.[0]?.path ?? body.code]

async function seller() {
  const user = await makeUser(server.db)
  return { user, companyId: user.companyId, id: (await makeSeller(server.db, { companyId: user.companyId })).id }
}

test('refuses billing mandates that overlap', async () => {
  const { user, companyId, id } = await seller()
  expect((await add(user, id, dates('2025-01-01', '2026-01-01'))).status).toBe(200)
  expect(refusal(await add(user, id, dates('2025-12-31')))).toEqual([409, 'startsOn'])
  expect((await add(user, id, dates('2026-01-01'))).status).toBe(200)
  expect(refusal(await add(user, id, dates('2099-01-01')))).toEqual([409, 'startsOn'])
  const loaded = await loadInvoiceParties(server.db, companyId, { sellerIds: [id], buyerIds: [] })
  const on = (day: string) => findBillingMandateOn(loaded, id, day)?.startsOn
  expect([on('2024-12-31'), on('2025-12-31'), on('2026-01-01')]).toEqual([undefined, '2025-01-01', '2026-01-01'])
})

test('refuses one of two simultaneous mandates on the same days', async () => {
  const { user, id } = await seller()
  const answers = await Promise.all(['2025-01-01', '2025-02-01', '2025-03-01'].map((day) => add(user, id, dates(day))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('requires a signature before the start, and an end after it', async () => {
  const { user, id } = await seller()
  expect(refusal(await add(user, id, dates('2024-12-17')))).toEqual([422, 'startsOn'])
  expect(refusal(await add(user, id, dates('2025-02-01', '2025-02-01')))).toEqual([422, 'endsOn'])
  expect(refusal(await add(user, id, dates('2099-02-01', null, '2099-01-01')))).toEqual([422, 'signedOn'])
})

test('keeps issued documents within the dates of their mandate', async () => {
  const { user, companyId, id: sellerId } = await seller()
  const { id } = await makeBillingMandate(server.db, { companyId, sellerId })
  await makeIssuedInvoice(server.db, { companyId, sellerId, number: 'B-2026-00003', issuedOn: '2026-04-03' })
  const refused = await change(user, id, { ...dates('2025-01-01', '2026-04-03'), version: 1 })
  expect(refusal(refused)).toEqual([409, 'endsOn'])
  expect(refused.body.message).toContain('B-2026-00003')
  expect(refusal(await change(user, id, { ...dates('2026-04-04'), version: 1 }))).toEqual([409, 'startsOn'])
  expect((await change(user, id, { ...dates('2025-01-01', '2026-04-04'), version: 1 })).status).toBe(200)
  const remove = (mandate: string) => call(server, parties.removeMandate, { params: { id: mandate } }, user)
  expect((await remove(id)).body.message).toContain('B-2026-00003')
  const { id: unused } = await makeBillingMandate(server.db, { companyId, sellerId, startsOn: '2026-04-04' })
  expect((await remove(unused)).body.mandates).toHaveLength(1)
})

test('stores and deletes the signed document with its mandate', async () => {
  const { user, companyId, id: sellerId } = await seller()
  const { id } = await makeBillingMandate(server.db, { companyId, sellerId })
  const kept = () => server.db.select().from(files).where(eq(files.companyId, companyId))
  expect(refusal(await put(user, id, 'mandat.exe', PDF))).toEqual([422, 'file'])
  expect(refusal(await put(user, id, 'mandat.pdf', Buffer.from('PK\u0003\u0004')))).toEqual([422, 'file'])
  expect(await kept()).toEqual([])
  const { body } = await put(user, id, '../mandat.pdf', PDF)
  expect(body.mandates[0].file).toEqual({ name: 'mandat.pdf', size: PDF.length })
  expect((await put(user, id, 'mandat-2.pdf', Buffer.concat([PDF, PDF]))).status).toBe(200)
  expect((await kept()).map(({ name }) => name)).toEqual(['mandat-2.pdf'])
  const read = await call(server, parties.mandateFile, { params: { id } }, user)
  expect([read.text.startsWith('%PDF'), read.headers['content-disposition']]).toEqual([
    true,
    expect.stringContaining('mandat-2.pdf'),
  ])
  await makeIssuedInvoice(server.db, { companyId, sellerId, issuedOn: '2026-04-03' })
  expect((await put(user, id, 'mandat-3.pdf', PDF)).body.code).toBe('conflict')
})

test('finds no document of a mandate without one, or of another company', async () => {
  const { user, companyId, id: sellerId } = await seller()
  const { id } = await makeBillingMandate(server.db, { companyId, sellerId })
  expect((await call(server, parties.mandateFile, { params: { id } }, user)).status).toBe(404)
  await put(user, id, 'mandat.pdf', PDF)
  const stranger = await makeUser(server.db)
  expect((await call(server, parties.mandateFile, { params: { id } }, stranger)).status).toBe(404)
  expect((await put(stranger, id, 'mandat.pdf', PDF)).status).toBe(404)
  expect((await add(stranger, sellerId, dates('2030-01-01'))).status).toBe(404)
})
