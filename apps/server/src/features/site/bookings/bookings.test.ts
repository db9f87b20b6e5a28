import { BOOKING_SLOTS, bookings as endpoints } from '@voisol/contract/bookings'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readAttachedCalendar } from '../../../../test/calendar.ts'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin } from '../../../../test/factories.ts'
import { makeBooking } from '../../../../test/factories-site.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import { auditEntries, bookings, notifications, throttles } from '../../../db/schema/index.ts'
import { getSlotStart } from './booking-slots.ts'

const server = useServer()
beforeEach(async () => {
  await server.db.delete(throttles)
  await server.db.delete(bookings)
})
afterEach(() => void vi.useRealTimers())

let count = 0
const PERSON = {
  firstName: 'Zoé',
  lastName: 'Lefèvre',
  phone: '06 12 34 56 78',
  company: 'Copropriété du Parc',
  projectType: 'Copropriété résidentielle',
  message: 'Bonjour',
}
const newEmail = () => `visiteur${++count}@exemple.fr`
const create = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  call(server, endpoints.create, { body: { ...PERSON, email: newEmail(), ...body } }, { headers })
const slots = async () => (await call(server, endpoints.slots)).body
async function freeSlot(nth = 0) {
  const { days } = await slots()
  const day = days[5 + nth]
  return { date: `${day.day}T12:00:00.000Z`, day: day.day, time: day.free[0] }
}
const asked = async (nth = 0) => {
  const { date, time } = await freeSlot(nth)
  return { date, time }
}

const supportMail = (reference: string) =>
  waitUntil(async () =>
    (await listMailsTo(server, 'support@voisol.fr')).find(({ subject }) => subject?.includes(reference)),
  )

describe('a booking', () => {
  test('is kept, answered, and mailed with its event', async () => {
    const { date, day, time } = await freeSlot()
    const email = newEmail()
    const { status, body } = await create({ date, time, email })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'Démonstration confirmée !',
      reference: expect.stringMatching(/^D-[2-9A-Z]{6}$/),
    })
    const [row] = await server.db.select().from(bookings).where(eq(bookings.email, email))
    expect(row).toMatchObject({ ...PERSON, day, time, status: 'booked', reference: body.reference, sequence: 0 })
    const [mail] = await waitForMails(server, email)
    expect(mail?.subject).toBe(`Votre démonstration est réservée (${body.reference})`)
    expect(mail?.text).toContain('Bonjour Zoé,')
    expect(mail?.replyTo?.[0]?.address).toBe('support@voisol.fr')
    const event = readAttachedCalendar(mail)
    const starts = getSlotStart(day, time)
    const compact = (at: Temporal.Instant) => at.toString().replace(/[-:]/g, '')
    expect(event).toMatchObject({
      METHOD: 'REQUEST',
      UID: `${row?.id}@voisol`,
      SEQUENCE: '0',
      ATTENDEE: `mailto:${email}`,
      DTSTART: compact(starts),
      DTEND: compact(starts.add({ minutes: 30 })),
      LOCATION: 'Visioconférence - Lien envoyé par email',
    })
    expect(event.DESCRIPTION).toContain('Copropriété du Parc')
  })

  test('tells the site’s administrators and the support mailbox; the audit log holds nothing personal', async () => {
    // Whoever comes later still hears of what waits to be told.
    await waitForJobs(server)
    const admin = await makeSiteAdmin(server.db)
    const email = newEmail()
    const { body } = await create({ ...(await asked()), email })
    await waitForJobs(server)
    const told = await server.db.select().from(notifications).where(eq(notifications.userId, admin.id))
    expect(told).toMatchObject([{ title: 'Nouvelle démonstration réservée', actionUrl: '/admin/bookings' }])
    const mail = await supportMail(body.reference)
    expect(mail?.text).toContain(email)
    expect(mail?.replyTo?.[0]?.address).toBe(email)
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.target, body.reference))
    expect(entries).toMatchObject([
      { companyId: await loadSiteOwnerId(server.db), actor: 'visiteur', label: 'Réserver une démonstration' },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Lefèvre|visiteur\d/)
  })

  test('takes its hour off the list', async () => {
    const { date, day, time } = await freeSlot()
    await create({ date, time })
    const free = (await slots()).days.find((one: { day: string }) => one.day === day).free
    expect(free).not.toContain(time)
    expect(free).toHaveLength(BOOKING_SLOTS.length - 1)
  })

  test('a day with no hour left is not offered', async () => {
    const { day } = await freeSlot()
    for (const time of BOOKING_SLOTS)
      await makeBooking(server.db, { startsAt: new Date(getSlotStart(day, time).epochMilliseconds), day, time })
    expect((await slots()).days.map((one: { day: string }) => one.day)).not.toContain(day)
  })

  test('of a cancelled one’s hour is possible', async () => {
    const { date, day, time } = await freeSlot()
    const startsAt = new Date(getSlotStart(day, time).epochMilliseconds)
    await makeBooking(server.db, { startsAt, day, time, status: 'cancelled' })
    expect((await create({ date, time })).status).toBe(200)
  })
})

describe('twenty at once', () => {
  test('for the same hour: one has it, nineteen learn that it is taken', async () => {
    const slot = await asked()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(slot)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    for (const { status, body } of answers)
      if (status === 409) {
        expect(body.code).toBe('conflict')
        expect(body.message).toMatch(/^Ce créneau vient d’être réservé/)
      }
    expect(await server.db.select().from(bookings)).toHaveLength(1)
  })

  test('of the same person for the same hour: one booking, one answer, one mail', async () => {
    const body = { ...(await asked()), email: newEmail() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.reference)).size).toBe(1)
    expect(await server.db.select().from(bookings)).toHaveLength(1)
    await waitForMails(server, body.email)
    await waitForJobs(server)
    expect(await listMailsTo(server, body.email)).toHaveLength(1)
  })

  test('of the same person for twenty hours: three', async () => {
    const email = newEmail()
    const { days } = await slots()
    const wanted = days
      .slice(2, 22)
      .map(({ day, free }: { day: string; free: string[] }) => ({ date: day, time: free[0] }))
    const answers = await Promise.all(wanted.map((slot: object) => create({ ...slot, email })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused).toHaveLength(17)
    expect(refused[0]?.body.issues[0]).toMatchObject({
      path: 'email',
      message: expect.stringContaining('3 démonstrations'),
    })
  })

  test('with one Idempotency-Key: one booking', async () => {
    const body = { ...(await asked()), email: newEmail() }
    const headers = { 'idempotency-key': 'wizard-0123456789' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body, headers)))
    expect(new Set(answers.map((answer) => answer.body.reference)).size).toBe(1)
  })
})

test('the eleventh booking an hour from one address waits', async () => {
  for (let nth = 0; nth < 10; nth++) expect((await create(await asked(nth))).status).toBe(200)
  const { status, body, headers } = await create(await asked(11))
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'throttled' })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(await server.db.select().from(bookings)).toHaveLength(10)
})

describe('bad input', () => {
  const BAD: [string, unknown[]][] = [
    ['firstName', ['', '   ', undefined, null, 4, {}, [], 'x'.repeat(201), '\u0007', '\u202e', '…']],
    ['lastName', ['', undefined, null, true, 'x'.repeat(201), '\u200b']],
    ['company', ['', undefined, null, 'x'.repeat(201), '---']],
    [
      'email',
      [
        '',
        'zoe',
        'zoe@',
        '@exemple.fr',
        'a b@exemple.fr',
        'a@b\r\nBcc: c@d.fr',
        undefined,
        null,
        7,
        `${'x'.repeat(250)}@a.fr`,
      ],
    ],
    ['phone', ['abc', '12', '06<script>', 'x'.repeat(31), null, 6]],
    ['projectType', ['', 'Château', undefined, null, 1]],
    ['message', ['x'.repeat(2001), null, 5, {}]],
    [
      'date',
      [
        '',
        'demain',
        '2026-13-01',
        '2026-02-30',
        '2026-03-12T25:00:00Z',
        '2026-03-12T10:00:00',
        undefined,
        null,
        20260312,
        '+275760-09-13T00:00:01Z',
      ],
    ],
    ['time', ['', '9:00', '12:00', '09:15', '17:30', '24:00', undefined, null, 9]],
  ]
  test.each(BAD.flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    '%s %j is refused beside the field, in French',
    async (field, value) => {
      const { status, body } = await create({ ...(await asked()), [field]: value })
      expect(status).toBe(422)
      expect(new Set(body.issues.map(({ path }: { path: string }) => path))).toEqual(new Set([field]))
      expect(body.issues[0].message).toMatch(/[.!]$/)
      expect(body.issues[0].message).not.toMatch(/invalid|expected|required/i)
      expect(await server.db.select().from(bookings)).toEqual([])
    },
  )

  test('unknown fields, other shapes and the null character', async () => {
    for (const more of [{ status: 'confirmed' }, { companyId: 2 }, { meetingUrl: 'https://x.fr' }, { id: 'x' }])
      expect((await create({ ...(await asked()), ...more })).status).toBe(422)
    for (const body of [[], 'texte', 4, null])
      expect((await call(server, endpoints.create, { body })).status).toBeLessThan(500)
    expect((await create({ ...(await asked()), firstName: 'Zo\u0000é' })).status).toBe(422)
    expect(await server.db.select().from(bookings)).toEqual([])
  })

  test('a name of several lines is refused', async () => {
    const answer = await create({ ...(await asked()), lastName: 'Dupont\r\nBcc: autre@exemple.fr', email: newEmail() })
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, 'lastName'])
  })

  test('scripts in a name stay text, and a message of several lines ends no calendar', async () => {
    const email = newEmail()
    const nasty = {
      firstName: '<img src=x onerror=alert(1)>',
      lastName: 'Dupont; Bcc: autre@exemple.fr',
      company: '=cmd()|"A";ATTENDEE:mailto:x@y.fr',
      message: '<script>alert(1)</script>\r\nEND:VCALENDAR\r\nligne',
    }
    const { body } = await create({ ...(await asked()), ...nasty, email })
    const [row] = await server.db.select().from(bookings)
    expect(row?.lastName).toBe(nasty.lastName)
    const [mail] = await waitForMails(server, email)
    expect(mail?.html).not.toMatch(/<img|<script/)
    expect(mail?.text).toContain('Bonjour,')
    expect(readAttachedCalendar(mail).ATTENDEE).toBe(`mailto:${email}`)
    const support = await supportMail(body.reference)
    expect(support?.html).toContain('&lt;script&gt;')
    expect(support?.html).not.toMatch(/<img|<script/)
    for (const one of [mail, support]) expect(one?.headers.some(({ key }) => key === 'bcc')).toBe(false)
    expect(await listMailsTo(server, 'autre@exemple.fr')).toEqual([])
  })
})
