import { billing } from '@voisol/contract/billing'
import { invoices as documents } from '@voisol/contract/invoices'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { buildEndpointPath, call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  allocateBillableMonth,
  type BillableMonth,
  loadHolderId,
  makeBillableMonth,
} from '../../../../test/factories-billing.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { invoiceDeliveries, invoices, mandates, participants } from '../../../db/schema/index.ts'

const server = useServer()
const MONTH = '2025-10'
let here: BillableMonth
let homes: string[]
const params = () => ({ operationId: here.operation.id, month: MONTH })
const send = () => call(server, billing.send, { params: params() }, here)
const unsent = async () => (await call(server, billing.check, { params: params(), query: {} }, here)).body.unsent

beforeAll(async () => {
  here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  homes = await Promise.all(here.consumers.map(({ id }) => loadHolderId(server.db, here.companyId, id)))
  for (const [at, email] of ['ada@exemple.fr', 'bob@exemple.fr', ''].entries())
    await server.db
      .update(participants)
      .set({ email })
      .where(eq(participants.id, homes[at] ?? ''))
  await call(server, billing.close, { params: params(), body: {} }, here)
})

const own = (buyerId = '') =>
  server.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.companyId, here.companyId), eq(invoices.buyerId, buyerId)))
    .orderBy(invoices.number)
const sum = (rows: { gross: number }[]) => rows.reduce((all, { gross }) => all + gross, 0)
const stepsOf = async (invoiceId: string) =>
  (await server.db.select().from(invoiceDeliveries).where(eq(invoiceDeliveries.invoiceId, invoiceId)))
    .map(({ state }) => state)
    .sort()

test('refuses to send a month before it is issued', async () => {
  const { status, body } = await send()
  expect([status, body.detail]).toEqual([409, expect.stringContaining('ne sont pas émis')])
  expect(await unsent()).toBeUndefined()
})

test('sends one message with a cover to a buyer of several sellers, and reports who has no address', async () => {
  await call(server, billing.issue, { params: params() }, here)
  expect(await unsent()).toBe(6)
  expect((await send()).body).toEqual({ sent: 4, failed: 2, mails: 2 })
  await waitForJobs(server)
  const mails = await listMailsTo(server, 'ada@exemple.fr')
  expect(mails).toHaveLength(1)
  const [mail] = mails
  const rows = await own(homes[0])
  expect(mail?.subject).toContain('Vos factures et leur avis d’échéance')
  expect(mail?.attachments.map(({ filename }) => filename)).toEqual([
    `avis-echeance-${rows[0]?.issuedOn}.pdf`,
    ...rows.map(({ number }) => `${number}.pdf`),
  ])
  for (const { number, gross } of rows) {
    expect(mail?.text).toContain(number)
    expect(mail?.text).toContain(formatEuros(gross))
  }
  const cover = extractPdfText(Buffer.from(mail?.attachments[0]?.content as ArrayBuffer)) // the attachment holds bytes
  expect(cover).toContain('Avis d’échéance')
  expect(cover).toContain('n’est pas une facture')
  expect(cover).not.toContain('Voisol')
  expect(cover).toContain(formatEuros(sum(rows)))
  for (const { id } of rows) expect(await stepsOf(id)).toEqual(['sent', 'waiting'])
})

test('sends nothing twice on a second click, and serves an address added since', async () => {
  expect(await unsent()).toBe(2)
  expect((await send()).body).toEqual({ sent: 0, failed: 2, mails: 0 })
  for (const { id } of await own(homes[2])) expect(await stepsOf(id)).toEqual(['failed'])
  const participantId = homes[2] ?? ''
  await server.db.update(participants).set({ email: 'eve@exemple.fr' }).where(eq(participants.id, participantId))
  expect((await send()).body).toEqual({ sent: 2, failed: 0, mails: 1 })
  await waitForJobs(server)
  expect(await unsent()).toBe(0)
  for (const who of ['ada', 'bob', 'eve']) expect(await listMailsTo(server, `${who}@exemple.fr`)).toHaveLength(1)
})

test('prints on the cover how each seller is paid: by mandate or by transfer to its account', async () => {
  const [first, second] = await own(homes[0])
  if (!first || !second) throw new Error('two invoices')
  const noticeOf = async (id = '') => {
    const headers = { authorization: `Bearer ${here.token}` }
    const { statusCode, rawPayload } = await server.app.inject({
      url: buildEndpointPath(documents.dueNotice, { id }),
      headers,
    })
    expect(statusCode).toBe(200)
    return extractPdfText(rawPayload)
  }
  expect(await noticeOf(first?.id)).not.toContain('prélèvement')
  const about = { rum: 'RUM-7731', holder: 'Ada', iban: 'x', ibanEnd: '4407', ibanPrint: 'p', method: 'paper' }
  await server.db.insert(mandates).values({
    companyId: here.companyId,
    creditorId: first?.sellerId ?? '',
    participantId: homes[0] ?? '',
    signedOn: '2025-01-07',
    statusOn: '2025-01-07',
    createdBy: 'Camille',
    ...about,
  })
  const text = await noticeOf(second?.id)
  expect(text).toContain('RUM-7731')
  for (const { number } of [first, second]) expect(text).toContain(number)
  await server.db.update(mandates).set({ status: 'revoked' }).where(eq(mandates.rum, 'RUM-7731'))
  expect(await noticeOf(second?.id)).not.toContain('RUM-7731')
  const { body } = await call(server, documents.get, { params: { id: first?.id ?? '' } }, here)
  const gross = sum(await own(homes[0]))
  expect(body.notice).toEqual({ documents: 2, sellers: 2, gross, open: gross })
})

test('hides the month from another organisation', async () => {
  const [first] = await own(homes[1])
  const other = await makeUser(server.db)
  expect((await call(server, documents.dueNotice, { params: { id: first?.id ?? '' } }, other)).status).toBe(404)
})
