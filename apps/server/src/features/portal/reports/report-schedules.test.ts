import type { Permission } from '@voisol/contract/permissions'
import { reports as api } from '@voisol/contract/reports'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { postOneClickUnsubscribe } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { apiKeys, events, memberships, notifications, reportSchedules, reports } from '../../../db/schema/index.ts'
import { enqueueDueReports, sendScheduledReport } from './report-schedules.ts'
import { getLastCompletePeriod, getNextSendDay } from './subject-and-period.ts'

const post = (url: string) => postOneClickUnsubscribe(server, url)
const linkIn = (text = '') => /https?:\/\/\S+\/api\/reports\/unsubscribe\/\S+/.exec(text)?.[0] ?? ''

const server = useServer()
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))
beforeEach(() => void itIs('2026-05-20'))
afterEach(() => vi.restoreAllMocks())

async function makeSchedule(more: object = {}, rights?: Permission[]) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const reader = await makeUser(server.db, { companyId, isAdmin: false })
  const { id: subjectId } = await makeOperation(server.db, { companyId, name: `Lilas ${companyId}` })
  const body = { template: 'operation-month', subjectId, month: null, day: 3, recipientIds: [reader.id], ...more }
  const by = rights ? { token: await makeApiKey(server.db, admin, { permissions: rights }) } : admin
  const answer = await call(server, api.createSchedule, { body }, by)
  return { admin, reader, companyId, subjectId, answer, schedule: answer.body }
}
const madeFor = (companyId: number) => server.db.select().from(reports).where(eq(reports.companyId, companyId))
const mailsTo = async (email: string) =>
  (await server.catcher.messages()).filter(({ to }) => JSON.stringify(to).includes(email))

test('is sent on its day with the PDF attached, once even when the job runs twice', async () => {
  const { schedule, reader, companyId } = await makeSchedule()
  expect(schedule).toMatchObject({
    nextOn: '2026-06-03',
    lastPeriod: '',
    active: true,
    recipients: [{ id: reader.id }],
  })
  await enqueueDueReports(server.deps)
  await waitForJobs(server)
  expect(await madeFor(companyId)).toEqual([])
  itIs('2026-06-03')
  await enqueueDueReports(server.deps)
  await waitForJobs(server)
  await enqueueDueReports(server.deps)
  await sendScheduledReport(server.deps, { companyId, scheduleId: schedule.id, period: '2026-05' })
  await waitForJobs(server)
  expect((await madeFor(companyId)).map(({ period }) => period)).toEqual(['2026-05'])
  const mails = await mailsTo(reader.email)
  expect(mails.map(({ subject }) => subject)).toEqual([`Rapport mensuel d’opération, Lilas ${companyId}, mai 2026`])
  const [row] = await server.db.select().from(reportSchedules).where(eq(reportSchedules.id, schedule.id))
  expect(row).toMatchObject({ lastPeriod: '2026-05', nextOn: '2026-07-03' })
  const told = await server.db.select().from(events).where(eq(events.companyId, companyId))
  expect(told.filter(({ name }) => name === 'report.sent').map(({ data }) => data)).toMatchObject([
    { scheduleId: schedule.id, period: '2026-05', readers: 1 },
  ])
})

test('stops and says why when its author lost a permission', async () => {
  const { schedule, admin, companyId, reader } = await makeSchedule()
  const head = await makeUser(server.db, { companyId })
  await server.db
    .update(memberships)
    .set({ role: 'technician' })
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, admin.id)))
  itIs('2026-06-03')
  await sendScheduledReport(server.deps, { companyId, scheduleId: schedule.id, period: '2026-05' })
  await waitForJobs(server)
  const { items } = (await call(server, api.schedules, {}, head)).body
  expect(items).toMatchObject([{ active: false, trouble: expect.stringContaining('n’en a plus le droit') }])
  expect(await madeFor(companyId)).toEqual([])
  expect(await mailsTo(reader.email)).toEqual([])
  const told = await server.db.select().from(notifications).where(eq(notifications.userId, head.id))
  expect(told.map(({ title }) => title)).toContain('Un envoi de rapport est arrêté')
  const [stopped] = await server.db.select().from(events).where(eq(events.name, 'report.unscheduled'))
  expect(stopped?.data).toMatchObject({ reason: expect.stringContaining('n’en a plus le droit') })
})

test('set by an API key, runs with its permissions and stops once the key is revoked', async () => {
  const { schedule, admin, companyId, reader } = await makeSchedule({}, [
    'reports.read',
    'reports.write',
    'energy.read',
  ])
  const send = (period: string) => sendScheduledReport(server.deps, { companyId, scheduleId: schedule.id, period })
  await send('2026-03')
  expect(await madeFor(companyId)).toMatchObject([{ period: '2026-03' }])
  await server.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.companyId, companyId))
  await send('2026-04')
  await waitForJobs(server)
  expect(await madeFor(companyId)).toHaveLength(1)
  expect(await mailsTo(reader.email)).toHaveLength(1)
  const { items } = (await call(server, api.schedules, {}, admin)).body
  expect(items).toMatchObject([{ active: false, trouble: expect.stringContaining('clé d’API') }])
  // Once a person saves it, it runs with the permissions of that person.
  const { month, day, recipientIds, version } = items[0]
  const body = { month, day, recipientIds, active: true, version }
  expect((await call(server, api.updateSchedule, { params: { id: schedule.id }, body }, admin)).status).toBe(200)
  await send('2026-04')
  expect(await madeFor(companyId)).toHaveLength(2)
})

test('a former member gets nothing', async () => {
  const { schedule, companyId, reader } = await makeSchedule()
  await server.db
    .update(memberships)
    .set({ disabledAt: new Date() })
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, reader.id)))
  await sendScheduledReport(server.deps, { companyId, scheduleId: schedule.id, period: '2026-05' })
  await waitForJobs(server)
  expect(await madeFor(companyId)).toHaveLength(1)
  expect(await mailsTo(reader.email)).toEqual([])
})

test('accepts only members of the company, valid periods and users with the permissions', async () => {
  const stranger = await makeUser(server.db)
  const refused = async (more: object) => {
    const { status, body } = (await makeSchedule(more)).answer
    return [status, body.issues?.[0]?.path]
  }
  expect(await refused({ recipientIds: [stranger.id] })).toEqual([422, 'recipientIds'])
  expect(await refused({ month: 4 })).toEqual([422, 'month'])
  expect(await refused({ template: 'assembly-year' })).toEqual([422, 'month'])
  expect(await refused({ day: 29 })).toEqual([422, 'day'])
  const { companyId, schedule, reader } = await makeSchedule({ template: 'assembly-year', month: 4 })
  const half = await makeUser(server.db, { companyId, permissions: ['reports.read', 'reports.write', 'energy.read'] })
  const { month, day } = schedule
  const body = { month, day, recipientIds: [half.id], active: true, version: 1 }
  const update = (who: { token: string }) =>
    call(server, api.updateSchedule, { params: { id: schedule.id }, body }, who)
  expect((await update(half)).status).toBe(403)
  expect((await update(reader)).status).toBe(403)
  expect((await update(stranger)).status).toBe(404)
})

test('computes the next sending day and the last complete period', () => {
  const monthly = { month: null, day: 3 }
  expect(getNextSendDay(monthly, '2026-06-02')).toBe('2026-06-03')
  expect(getNextSendDay(monthly, '2026-06-03')).toBe('2026-07-03')
  expect(getNextSendDay(monthly, '2026-12-28')).toBe('2027-01-03')
  expect(getNextSendDay({ month: 4, day: 15 }, '2026-04-15')).toBe('2027-04-15')
  expect(getNextSendDay({ month: 4, day: 15 }, '2026-01-31')).toBe('2026-04-15')
  expect([getLastCompletePeriod('month', '2026-01-03'), getLastCompletePeriod('year', '2026-04-15')]).toEqual([
    '2025-12',
    '2025',
  ])
})

test('one-click unsubscribe removes the recipient, and without any the schedule stops', async () => {
  const { admin, reader, companyId, schedule } = await makeSchedule()
  const other = await makeUser(server.db, { companyId, isAdmin: false })
  const recipientIds = [reader.id, other.id]
  const body = { month: null, day: 3, recipientIds, active: true, version: schedule.version }
  await call(server, api.updateSchedule, { params: { id: schedule.id }, body }, admin)
  await sendScheduledReport(server.deps, { companyId, scheduleId: schedule.id, period: '2026-05' })
  await waitForJobs(server)
  const [mail] = await mailsTo(reader.email)
  const link = linkIn(mail?.text)
  expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'list-unsubscribe', value: `<${link}>` }))
  const stands = async () => (await call(server, api.schedules, {}, admin)).body.items[0]
  // A GET by a link scanner does not unsubscribe, nor does a key for somebody else.
  const page = await server.app.inject({ method: 'GET', url: new URL(link).pathname })
  expect([page.statusCode, page.body.includes('method="post"')]).toEqual([200, true])
  expect((await post(link.replace(reader.id, other.id))).statusCode).toBe(200)
  expect((await post(link.replace(`/${companyId}.`, `/${companyId + 1}.`))).statusCode).toBe(200)
  expect((await post(`${link.slice(0, link.lastIndexOf('.'))}.x`)).statusCode).toBe(200)
  expect((await stands()).recipientIds).toEqual(recipientIds)
  for (let twice = 0; twice < 2; twice++) expect((await post(link)).statusCode).toBe(200)
  expect(await stands()).toMatchObject({ recipientIds: [other.id], active: true, trouble: '' })
  const [second] = await mailsTo(other.email)
  await post(linkIn(second?.text))
  expect(await stands()).toMatchObject({
    recipientIds: [],
    active: false,
    trouble: expect.stringContaining('plus personne'),
  })
  const told = await server.db.select().from(events).where(eq(events.companyId, companyId))
  expect(told.filter(({ name }) => name === 'report.unscheduled')).toHaveLength(1)
})
