import { invoices as api } from '@voisol/contract/invoices'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { readZipEnd, readZipEntries } from '@voisol/file-formats/open-zip'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildSnapshotDraft,
  computeMonthDocuments,
  issueMonthDocuments,
  type MonthFixture,
  makeMonthFixture,
  TEST_SECRETS,
} from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import {
  buyers,
  files,
  invoiceDeliveries,
  invoiceFiles,
  notifications,
  participants,
} from '../../../db/schema/index.ts'
import { issueDocuments, sendDocuments } from './index.ts'
import { invoiceJobs } from './jobs.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
let client: Awaited<ReturnType<typeof makeUser>>
let world: MonthFixture
let ids: string[]
beforeAll(async () => {
  admin = await makeUser(server.db)
  client = await makeUser(server.db, { companyId: admin.companyId, isAdmin: false })
  world = await makeMonthFixture(server.db, { companyId: admin.companyId, members: 2, prefix: 'A/', userId: client.id })
  ids = (await issueMonthDocuments(server.db, world)).ids
  await waitForJobs(server)
})
const get = (id = '') => call(server, api.get, { params: { id } }, { token: admin.token })
const send = (id = '', channel?: string) =>
  call(server, api.send, { params: { id }, body: channel ? { channel } : {} }, { token: admin.token })
const deliveries = (id = '') =>
  server.db
    .select()
    .from(invoiceDeliveries)
    .where(eq(invoiceDeliveries.invoiceId, id))
    .orderBy(invoiceDeliveries.createdAt)
const task = { id: crypto.randomUUID(), signal: new AbortController().signal }

test('makes the files of each issued document once', async () => {
  const kept = () => server.db.select().from(invoiceFiles).where(eq(invoiceFiles.companyId, admin.companyId))
  const before = await kept()
  expect(before.map(({ kind }) => kind).sort()).toEqual(['pdf', 'pdf', 'xml', 'xml'])
  for (const invoiceId of ids)
    await invoiceJobs['invoice.files'].run(server.deps, { companyId: admin.companyId, invoiceId }, task)
  expect(await kept()).toEqual(before)
})

test('serves the stored PDF and XML, and renders lost files again identically', async () => {
  const ask = (e: typeof api.pdf | typeof api.xml) =>
    server.app.inject({
      method: 'GET',
      url: e.path.replace(':id', ids[0] ?? ''),
      headers: { authorization: `Bearer ${admin.token}` },
    })
  const [pdf, xml] = [await ask(api.pdf), await ask(api.xml)]
  expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(pdf.headers['content-disposition']).toMatch(/A-\d{4}-00001\.pdf/)
  const { number } = (await get(ids[0])).body.snapshot
  expect(await extractPdfText(pdf.rawPayload)).toContain(number)
  expect(xml.body).toContain(number)
  const [row] = await server.db
    .select({ sha256: files.sha256 })
    .from(invoiceFiles)
    .innerJoin(files, and(eq(files.companyId, invoiceFiles.companyId), eq(files.id, invoiceFiles.fileId)))
    .where(and(eq(invoiceFiles.invoiceId, ids[0] ?? ''), eq(invoiceFiles.kind, 'pdf')))
  await server.deps.files.remove(`${admin.companyId}/${row?.sha256}`)
  expect((await ask(api.pdf)).rawPayload.equals(pdf.rawPayload)).toBe(true)
})

test('explains why a document has no XML', async () => {
  const { id: operationId } = world.operation
  const [first] = computeMonthDocuments(world.input)
    .filter(({ buyer }) => buyer === world.people[0]?.participant.id)
    .map((document) => buildSnapshotDraft(world, document))
  if (!first) throw new Error('one')
  const snapshot = { ...first.snapshot, seller: { ...first.snapshot.seller, siren: '' } }
  const order = { companyId: admin.companyId, operationId, computationId: null, issuedBy: 'Camille' }
  const { ids: made } = await issueDocuments(server.db, TEST_SECRETS, { ...order, drafts: [{ ...first, snapshot }] })
  const { status, body } = await call(server, api.xml, { params: { id: made[0] ?? '' } }, { token: admin.token })
  expect([status, body.detail]).toEqual([409, expect.stringContaining('n’a pas de SIREN')])
  expect((await get(made[0])).body.hasXml).toBe(false)
})

test('archives every document that matches the filters', async () => {
  const url = `${api.archive.path}?buyerId=${world.people[1]?.participant.id}`
  const answer = await server.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${admin.token}` } })
  expect(answer.headers['content-type']).toBe('application/zip')
  const bytes = answer.rawPayload
  const end = readZipEnd(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const entries = readZipEntries(new Uint8Array(bytes.subarray(end.offset, end.offset + end.size)), 0, end.count)
  expect(entries.map(({ name }) => name.slice(-9))).toEqual(['00002.pdf'])
  const none = await call(server, api.archive, { query: { state: 'overdue' } }, { token: admin.token })
  expect([none.status, none.body.detail]).toEqual([422, expect.stringContaining('rien à télécharger')])
})

test('mails the PDF to the current billing address, records it, and mails it again on request', async () => {
  const { id: participantId } = world.people[0]?.participant ?? { id: '' }
  const own = { companyId: admin.companyId, participantId, kind: 'person', email: 'factures@exemple.fr' }
  await server.db.insert(buyers).values(own)
  expect((await send(ids[0])).body.deliveries).toMatchObject([{ channel: 'mail', state: 'waiting' }])
  const [mail] = await waitForMails(server, 'factures@exemple.fr')
  expect(mail?.attachments[0]?.filename).toMatch(/^A-\d{4}-00001\.pdf$/)
  expect(await extractPdfText(Buffer.from(mail?.attachments[0]?.content as ArrayBuffer))).toContain('00001') // bytes
  await waitForJobs(server)
  const [waiting] = await deliveries(ids[0])
  const input = { companyId: admin.companyId, invoiceId: ids[0], deliveryId: waiting?.id }
  await invoiceJobs['invoice.mail'].run(server.deps, input, task)
  expect(await listMailsTo(server, 'factures@exemple.fr')).toHaveLength(1)
  expect((await deliveries(ids[0])).map(({ state }) => state)).toEqual(['waiting', 'sent'])
  await send(ids[0])
  await waitForMails(server, 'factures@exemple.fr', 2)
})

test('records a refused mail with its reason, and retries an unreachable server', async () => {
  const refusing = (error: Error) => ({
    ...server.deps,
    mailer: { send: () => Promise.reject(error), close: () => {} },
  })
  const input = { companyId: admin.companyId, invoiceId: ids[1], deliveryId: crypto.randomUUID() }
  const away = Object.assign(new Error('away'), { code: 'ECONNECTION' })
  await expect(invoiceJobs['invoice.mail'].run(refusing(away), input, task)).rejects.toThrow('away')
  expect(await deliveries(ids[1])).toEqual([])
  const refused = Object.assign(new Error('550 no such user'), { code: 'EENVELOPE', responseCode: 550 })
  await invoiceJobs['invoice.mail'].run(refusing(refused), input, task)
  expect(await deliveries(ids[1])).toMatchObject([
    { state: 'failed', detail: expect.stringContaining('550 no such user') },
  ])
  expect((await get(ids[1])).body.history[0].text).toContain('Remise refusée par e-mail')
})

test('delivers to the portal at once, waits for a person on Chorus, and reports a missing address', async () => {
  expect((await send(ids[1], 'portal')).body.deliveries.at(-1)).toMatchObject({ channel: 'portal', state: 'sent' })
  expect((await send(ids[1], 'chorus')).body.deliveries.at(-1)).toMatchObject({ channel: 'chorus', state: 'waiting' })
  const month = await makeMonthFixture(server.db, { companyId: admin.companyId, members: 1 })
  await server.db
    .update(participants)
    .set({ email: '' })
    .where(eq(participants.id, month.people[0]?.participant.id ?? ''))
  for (const person of month.people) person.participant.email = ''
  const { ids: made } = await issueMonthDocuments(server.db, month)
  const { status, body } = await send(made[0])
  expect([status, body.detail]).toEqual([409, expect.stringContaining('n’a pas d’adresse e-mail')])
  const counts = await sendDocuments(server.db, {
    companyId: admin.companyId,
    ids: [ids[0] ?? '', made[0] ?? ''],
    by: 'Camille',
  })
  expect(counts).toEqual({ sent: 1, failed: 1, mails: 1 })
  expect(await deliveries(made[0])).toMatchObject([{ channel: 'mail', state: 'failed' }])
})

test('notifies the client of a new document once', async () => {
  const told = await server.db.select().from(notifications).where(eq(notifications.userId, client.id))
  const about = told.filter(({ eventKey }) => eventKey === `invoice-issued ${ids[0]}`)
  expect(about).toMatchObject([{ category: 'billing', actionUrl: `/client-portal/invoices?facture=${ids[0]}` }])
  expect(about[0]?.message).toMatch(/8,86\u00a0€ à régler au plus tard le /)
})
