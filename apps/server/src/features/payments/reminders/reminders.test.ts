import { reminders as api } from '@voisol/contract/reminders'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { addDays } from '@voisol/money/days'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeSellerAndBuyer } from '../../../../test/factories-billing.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import {
  bankAccounts,
  bankStatements,
  buyers,
  datedSettings,
  files,
  reminderItems,
  reminders,
} from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { loadDueAccounts } from './due-accounts.ts'
import { sendAutomaticReminders } from './jobs.ts'
import { sendReminder } from './send-reminder.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User

beforeAll(async () => {
  admin = await makeUser(server.db)
})

const late = (days: number) => ({ dueOn: addDays(getToday(), -days), issuedOn: addDays(getToday(), -days - 15) })
const ask = (e: Parameters<typeof call>[1], input: object, who: User = admin) => call(server, e, input, who)
type World = Awaited<ReturnType<typeof makeSellerAndBuyer>>
const world = (who: User = admin) => makeSellerAndBuyer(server.db, { companyId: who.companyId })
const which = ({ seller, buyer }: World) => ({ sellerId: seller.id, buyerId: buyer.id })
const due = async (own: World, day = getToday(), who: User = admin) =>
  (await loadDueAccounts(server.db, who.companyId, day, which(own)))[0]
const send = (own: World, day: string, level: number, formal = false) =>
  sendReminder(
    server.db,
    { companyId: admin.companyId, secrets: server.deps.secrets, by: 'Camille', today: day },
    { ...which(own), level, formal },
  )

test('sends a due reminder by mail with its letter, at most once a day', async () => {
  const own = await world()
  const invoice = await own.document(4634, late(9))
  await own.pay(1003, { bookedOn: getToday() })
  expect(await due(own)).toMatchObject({ level: 1, overdue: 3631, late: 9, stopped: '', fees: null, last: null })
  const read = (await ask(api.preview, { query: which(own) })).body
  expect(read.text).toMatch(/36,31\s€ restent à régler/)
  expect(read.text).toContain(invoice.number)
  expect(read.text).not.toMatch(/[{}]/)
  const order = { accounts: [{ ...which(own), level: 1 }] }
  expect((await ask(api.send, { body: order })).body).toEqual({ sent: 1, refused: [] })
  expect((await ask(api.send, { body: order })).body).toMatchObject({ sent: 0, refused: [{ buyer: own.buyer.name }] })
  await waitForJobs(server)
  const [row] = (await ask(api.list, { query: { buyerId: own.buyer.id } })).body.items
  expect(row).toMatchObject({ level: 1, open: 3631, email: own.buyer.email, mailedAt: expect.any(String), failure: '' })
  const headers = { authorization: `Bearer ${admin.token}` }
  const letter = await server.app.inject({ url: `/api/reminders/${row.id}/pdf`, headers })
  const text = extractPdfText(new Uint8Array(letter.rawPayload))
  // The letter is in the creditor's name: in the header, above its address, and in the footer.
  expect(text.split(own.seller.name).length).toBeGreaterThan(3)
  expect(text).not.toContain('Voisol')
})

test('raises the level of the account one by one, at least a week apart', async () => {
  const own = await world()
  await own.document(4634, late(40))
  const second = await own.document(2003, late(8))
  expect(await due(own)).toMatchObject({ level: 1, items: [{ level: 1 }, { level: 1, id: second.id }] })
  await send(own, getToday(), 1)
  await own.document(907, late(30))
  expect((await due(own, addDays(getToday(), 6)))?.level).toBeNull()
  expect(await due(own, addDays(getToday(), 7))).toMatchObject({ level: 2, items: [{ level: 2 }, { level: 1 }] })
})

test('requires a person to read a formal notice, again when something changed since', async () => {
  const own = await world()
  await own.document(4634, late(60))
  await send(own, addDays(getToday(), -30), 1)
  await send(own, addDays(getToday(), -20), 2)
  await expect(send(own, getToday(), 2, true)).rejects.toThrow(/n’est plus «\sRelance\s»/)
  await expect(send(own, getToday(), 3)).rejects.toThrow(/doit la relire/)
  expect(await sendAutomaticReminders(server.deps, admin.companyId, '2027-03-30')).toBe(0)
  await send(own, getToday(), 3, true)
  const rows = await server.db.select().from(reminderItems).where(eq(reminderItems.companyId, admin.companyId))
  expect(rows.filter(({ level }) => level === 3)).toHaveLength(1)
})

test('sends nothing for a small amount, a dispute, a promise or a schedule that is kept', async () => {
  const own = await world()
  const invoice = await own.document(499, late(9))
  expect(await due(own)).toMatchObject({ level: null, stopped: '' })
  const second = await own.document(3003, late(9))
  expect((await due(own))?.level).toBe(1)
  const hold = (body: object) => ask(api.hold, { body: { ...which(own), ...body } })
  const dispute = (await hold({ kind: 'dispute', reason: 'Compteur contesté.', invoiceId: second.id })).body
  expect(await due(own)).toMatchObject({ level: 1, items: [{ id: invoice.id }] })
  const close = (version: number) =>
    ask(api.closeHold, { params: { id: dispute.id }, body: { resolution: 'Relevé vérifié ensemble.', version } })
  expect((await close(2)).status).toBe(409)
  expect((await close(1)).body).toMatchObject({ closedOn: getToday(), holds: false })
  expect((await due(own))?.items).toHaveLength(2)
  await hold({ kind: 'promise', until: addDays(getToday(), 4) })
  expect((await due(own))?.stopped).toMatch(/promis/)
  expect((await due(own, addDays(getToday(), 5)))?.level).toBe(1)
})

test('keeps a schedule while due parts are paid, and resumes reminders when it is broken', async () => {
  const own = await world()
  await own.document(3000, late(9))
  const parts = [
    { on: addDays(getToday(), 2), amount: 1500 },
    { on: addDays(getToday(), 30), amount: 1500 },
  ]
  const hold = (body: object) => ask(api.hold, { body: { ...which(own), kind: 'schedule', ...body } })
  expect((await hold({ parts: [...parts, { on: addDays(getToday(), 60), amount: 1 }] })).body.issues).toMatchObject([
    { path: 'parts' },
  ])
  expect((await hold({ parts: parts.toReversed() })).status).toBe(422)
  expect((await hold({ parts })).body).toMatchObject({ holds: true, parts: [{ state: 'coming' }, { state: 'coming' }] })
  expect((await hold({ parts })).status).toBe(409)
  expect((await due(own, addDays(getToday(), 2)))?.stopped).toMatch(/Échéancier tenu/)
  expect((await due(own, addDays(getToday(), 3)))?.level).toBe(1)
  await own.pay(1500, { bookedOn: getToday() })
  expect((await due(own, addDays(getToday(), 3)))?.stopped).toMatch(/Échéancier tenu/)
})

test('sends nothing when bank statements are imported but too old', async () => {
  const who = await makeUser(server.db)
  const { companyId } = who
  const own = await world(who)
  await own.document(3003, late(9))
  const [account] = await server.db
    .insert(bankAccounts)
    .values({ companyId, ownerId: own.seller.id, name: 'Compte courant' })
    .returning()
  // An account without any statement does not block reminders.
  expect((await due(own, getToday(), who))?.level).toBe(1)
  const about = { name: 'r.xml', mediaType: 'text/xml', size: 7, sha256: 'ab'.repeat(32) }
  const [file] = await server.db
    .insert(files)
    .values({ companyId, ...about })
    .returning()
  const place = { companyId, accountId: account?.id ?? '', fileId: file?.id ?? '', createdBy: 'Camille' }
  const read = (to: string) => server.db.insert(bankStatements).values({ ...place, format: 'camt.053', lines: 1, to })
  await read(addDays(getToday(), -4))
  expect(await due(own, getToday(), who)).toMatchObject({
    level: null,
    stopped: expect.stringMatching(/dernier relevé/),
  })
  await read(addDays(getToday(), -3))
  expect((await due(own, getToday(), who))?.level).toBe(1)
})

test('charges a business the indemnity and interest once, and an individual never', async () => {
  const own = await world()
  await own.document(123_45, { dueOn: '2025-05-22', issuedOn: '2025-05-07' })
  expect((await ask(api.claim, { body: which(own) })).body.detail ?? '').toMatch(/particulier/)
  await server.db.insert(buyers).values({ companyId: admin.companyId, participantId: own.buyer.id, kind: 'company' })
  const shown = (await due(own))?.fees
  expect(shown).toMatchObject({ indemnity: 4000 })
  // Forty days at 13,15 %, then 23 days at 12,15 %: 177,9 c and 94,5 c.
  expect((await due(own, '2025-07-23'))?.fees?.interest).toBe(268)
  expect((await ask(api.claim, { body: which(own) })).body).toEqual(shown)
  expect((await ask(api.claim, { body: which(own) })).status).toBe(409)
  expect((await due(own))?.fees).toEqual({ indemnity: 0, interest: 0 })
})

test('sends automatic reminders only if the company chose so, and on working days', async () => {
  const who = await makeUser(server.db)
  const own = await world(who)
  await own.document(3003, { dueOn: '2027-03-10', issuedOn: '2027-02-23' })
  // 29 March 2027 is Easter Monday, a public holiday; the 30th is a working day.
  expect(await sendAutomaticReminders(server.deps, who.companyId, '2027-03-30')).toBe(0)
  const word = {
    companyId: who.companyId,
    name: 'reminder.automatic',
    value: true,
    startsOn: '2027-01-01',
    source: 'Bureau',
  }
  await server.db.insert(datedSettings).values({ ...word, createdBy: 'Camille' })
  expect(await sendAutomaticReminders(server.deps, who.companyId, '2027-03-29')).toBe(0)
  expect(await sendAutomaticReminders(server.deps, who.companyId, '2027-03-30')).toBe(1)
  expect(await sendAutomaticReminders(server.deps, who.companyId, '2027-03-30')).toBe(0)
  const rows = await server.db.select().from(reminders).where(eq(reminders.companyId, who.companyId))
  expect(rows).toMatchObject([{ sentOn: '2027-03-30', level: 1, createdBy: '' }])
})
