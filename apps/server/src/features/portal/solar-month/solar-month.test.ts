import { energy } from '@voisol/contract/energy'
import { mails } from '@voisol/contract/mails'
import { notifications as mine } from '@voisol/contract/notifications'
import { whiteLabel } from '@voisol/contract/white-label'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { notifications, participants, participations, portalHolders } from '../../../db/schema/index.ts'
import { sanitizePng } from '../white-label/picture-png.ts'
import { solarMonthJobs } from './jobs.ts'
import { getLastMonth, notifySolarMonth } from './notify-solar-month.ts'

const server = useServer()
const MONTH = { from: getLastMonth(), to: addMonths(getLastMonth(), 1) }
type Meters = Parameters<typeof makeOperationFixture>[1]['consumers']

async function ownerOf(companyId: number, pointId: string) {
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const [seat] = await server.db.select().from(participations).where(eq(participations.pointId, pointId))
  const own = eq(participants.id, seat?.participantId ?? '')
  await server.db.update(participants).set({ userId: client.id }).where(own)
  return client
}

/** Creates an operation with data of last month; each consumer has a portal account. */
async function makeSolarMonthCase(consumers: Meters, from = MONTH.from) {
  const here = await makeOperationFixture(server, { from, to: MONTH.to, stepMinutes: 60, producers: [400], consumers })
  const { companyId } = here
  await requestKeyAdoption(server, here, { method: 'default' })
  const clients = []
  for (const point of here.consumers) clients.push(await ownerOf(companyId, point.id))
  const tell = async (month = MONTH.from) => {
    await notifySolarMonth(server.deps, { companyId, month })
    await waitForJobs(server)
  }
  return { ...here, clients, tell, share: () => runAllocation(server, here, { from, to: MONTH.to }) }
}
const listSentMails = (address: string) => listMailsTo(server, address)
const setMail = (token: string, enabled: boolean, channel: 'mail' | 'app' = 'mail') =>
  call(server, mine.savePreferences, { body: { items: [{ category: 'month', channel, enabled }] } }, { token })

test('a complete month is sent once with the portal’s texts, figures and chart', async () => {
  const { companyId, admin, clients, share, tell } = await makeSolarMonthCase([600, 200])
  const [client, other] = clients as [(typeof clients)[0], (typeof clients)[0]]
  const name = 'Toits "><script>alert(1)</script>'
  await call(server, whiteLabel.update, { params: { companyId }, body: { version: 0, companyName: name } }, admin)
  await tell()
  expect(await listSentMails(client.email)).toEqual([])
  await share()
  for (const _ of [1, 2, 3]) await tell()
  const [mail, ...more] = await listSentMails(client.email)
  expect(more).toEqual([])
  const { body } = await call(server, energy.summary, { query: MONTH }, client)
  expect(body.current.selfProduction).toBeCloseTo(0.5, 2)
  expect(mail?.subject).toMatch(/^Votre mois solaire\u00a0: \p{L}+ \d{4}$/u)
  expect(mail?.text).toContain('50\u00a0% de votre électricité a été locale en ')
  expect(mail?.text).toMatch(/kWh sont venus des toits voisins, [\d,\s\u202f]+kWh du réseau\./)
  expect(mail?.text).toContain(`/client-portal/consumption?unit=month&from=${MONTH.from}&to=${MONTH.to}`)
  expect(mail?.text).toContain('Ne plus recevoir ces messages')
  expect(mail?.html).toContain('&lt;script&gt;')
  expect(mail?.html).not.toContain('<script')
  expect(mail?.html).toMatch(/<img src="cid:[\da-f]{32}@voisol" alt="[^"]*50\u00a0% de votre électricité a été locale/)
  const [picture] = mail?.attachments ?? []
  expect(picture).toMatchObject({ mimeType: 'image/png', disposition: 'inline' })
  expect(mail?.html).toContain(`cid:${picture?.contentId?.replace(/[<>]/g, '')}`)
  expect(await sanitizePng(Buffer.from(picture?.content as ArrayBuffer))).toMatchObject({ width: 988 }) // binary unless asked otherwise
  expect(await listSentMails(other.email)).toHaveLength(1)
  expect(await listRecordedEvents(server.db, companyId, ['month.summed'])).toHaveLength(2)
})

test('every holder of a home is notified by their own preferences', async () => {
  const { companyId, clients, share, tell } = await makeSolarMonthCase([600])
  const [first] = clients as [(typeof clients)[0]]
  const person = () => makeUser(server.db, { companyId, isAdmin: false })
  const [beside, silent] = [await person(), await person()]
  const [home] = await server.db.select().from(participants).where(eq(participants.userId, first.id))
  const participantId = home?.id ?? ''
  for (const { id: userId } of [beside, silent])
    await server.db.insert(portalHolders).values({ companyId, participantId, userId })
  await setMail(silent.token, false)
  await share()
  for (const _ of [1, 2]) await tell()
  const counts = []
  for (const { email } of [first, beside, silent]) counts.push((await listSentMails(email)).length)
  expect(counts).toEqual([1, 1, 0])
})

test('a deleted notification is not sent again, nor is an older month', async () => {
  const before = addMonths(MONTH.from, -1)
  const { clients, share, tell } = await makeSolarMonthCase([600], before)
  const [client] = clients as [(typeof clients)[0]]
  await share()
  await tell(before)
  expect(await listSentMails(client.email)).toEqual([])
  await tell()
  expect((await listSentMails(client.email))[0]?.text).toContain('C’est autant qu’au mois d’avant.')
  await server.db.delete(notifications).where(eq(notifications.userId, client.id))
  await server.db.execute(`delete from jobs.job where name = 'mail.send' and state = 'completed'`)
  await tell()
  expect(await listSentMails(client.email)).toHaveLength(1)
  expect(await server.db.select().from(notifications).where(eq(notifications.userId, client.id))).toEqual([])
})

test('respects a disabled preference and a one-click unsubscribe', async () => {
  const { clients, share, tell } = await makeSolarMonthCase([600, 200])
  const [off, leaving] = clients as [(typeof clients)[0], (typeof clients)[0]]
  await setMail(off.token, false)
  await share()
  await tell()
  expect(await listSentMails(off.email)).toEqual([])
  const [mail] = await listSentMails(leaving.email)
  const url = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value.replace(/[<>]/g, '') ?? ''
  expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = 'List-Unsubscribe=One-Click'
  await server.app.inject({ method: 'POST', url: new URL(url).pathname, headers, payload })
  const { body } = await call(server, mine.preferences, {}, leaving)
  const own = body.items.filter(
    ({ category, enabled }: { category: string; enabled: boolean }) => category === 'month' && !enabled,
  )
  expect(own).toEqual([{ category: 'month', channel: 'mail', enabled: false }])
})

test('an incomplete month waits, and one without data is never sent', async () => {
  const last = addDays(MONTH.to, -1)
  const { clients, share, tell, companyId } = await makeSolarMonthCase([
    { watts: 600, silent: (day) => day === last },
    { watts: 200, silent: () => true },
    300,
  ])
  await share()
  await tell()
  const got = []
  for (const { email } of clients) got.push((await listSentMails(email)).length)
  expect(got).toEqual([0, 0, 1])
  expect(await listRecordedEvents(server.db, companyId, ['month.summed'])).toHaveLength(1)
})

test('processes every company separately', async () => {
  const [one, other] = [await makeSolarMonthCase([600]), await makeSolarMonthCase([100])]
  await one.share()
  await other.share()
  await solarMonthJobs['solar-month.due'].run(server.deps, {}, { id: '', signal: new AbortController().signal })
  await waitForJobs(server)
  const texts = []
  for (const { clients } of [one, other]) texts.push((await listSentMails(clients[0]?.email ?? ''))[0]?.text ?? '')
  expect(texts.map((text) => /(\d+)\u00a0% de votre/.exec(text)?.[1])).toEqual(['67', '100'])
})

test('can be previewed in the back office with its chart', async () => {
  const { admin, share, clients } = await makeSolarMonthCase([600])
  const sample = () => call(server, mails.sample, { query: { kind: 'notification-month' } }, admin)
  expect((await sample()).status).toBe(409)
  await share()
  const { status, body } = await sample()
  expect(status).toBe(200)
  expect(body.subject).toMatch(/^Votre mois solaire/)
  expect(body.html).toMatch(/<img src="data:image\/png;base64,iVBOR/)
  expect(body.html).not.toContain('cid:')
  expect(body.text).toContain('67\u00a0% de votre électricité a été locale')
  expect(await listSentMails(clients[0]?.email ?? '')).toEqual([])
})

test('a producer is told what was shared, as is a back office member who takes part', async () => {
  const { producers, consumers, companyId, admin, share, tell } = await makeSolarMonthCase([100])
  const producer = await ownerOf(companyId, producers[0]?.id ?? '')
  const [seat] = await server.db
    .select()
    .from(participations)
    .where(eq(participations.pointId, consumers[0]?.id ?? ''))
  const own = eq(participants.id, seat?.participantId ?? '')
  await server.db.update(participants).set({ userId: admin.id }).where(own)
  await share()
  await tell()
  const [made] = await listSentMails(producer.email)
  expect(made?.text).toContain('25\u00a0% de votre production a été partagée avec vos voisins en ')
  expect(made?.text).toContain('/client-portal/production?unit=month')
  const texts = (await listSentMails(admin.email)).map(({ text }) => text ?? '')
  expect(texts.filter((text) => text.includes('100\u00a0% de votre électricité a été locale'))).toHaveLength(1)
})
