import { bookings as endpoints } from '@voisol/contract/bookings'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseCalendarEvent, readAttachedCalendar } from '../../../../test/calendar.ts'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeBooking } from '../../../../test/factories-site.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { bookings } from '../../../db/schema/index.ts'
import { NEXT_BOOKING_STATUSES } from './manage-bookings.ts'

const server = useServer()
let token = ''
let count = 0
beforeEach(async () => {
  await server.db.delete(bookings)
  token = (await makeSiteAdmin(server.db)).token
})
const LINK = 'https://visio.exemple.fr/abc'
const make = (more: object = {}) => makeBooking(server.db, { email: `invite${++count}@exemple.fr`, ...more })
const update = (id: string, body: object) => call(server, endpoints.update, { params: { id }, body }, { token })
const move = (id: string, body: object) => call(server, endpoints.move, { params: { id }, body }, { token })
const past = () => new Date(Date.now() - 86_400_000 - ++count * 60_000)
async function free(nth = 0): Promise<{ day: string; time: string }> {
  const { days } = (await call(server, endpoints.slots)).body
  return { day: days[5 + nth].day, time: days[5 + nth].free[0] }
}

describe('the list', () => {
  test('is searched without accents, filtered, sorted and cut into pages', async () => {
    const first = await make({ lastName: 'Éluard', startsAt: new Date('2026-03-10T08:00:00Z'), day: '2026-03-10' })
    const second = await make({ company: 'Mairie', startsAt: new Date('2026-03-12T08:00:00Z'), day: '2026-03-12' })
    await make({ status: 'cancelled', startsAt: new Date('2026-03-11T08:00:00Z'), day: '2026-03-11' })
    const list = async (query: Record<string, string>) =>
      (await call(server, endpoints.list, { query }, { token })).body as { items: { id: string }[]; total: number }
    expect((await list({})).items.map(({ id }) => id)).toEqual([second.id, expect.any(String), first.id])
    expect((await list({ q: 'eluard' })).items).toMatchObject([{ id: first.id, lastName: 'Éluard' }])
    expect((await list({ q: first.reference.toLowerCase() })).total).toBe(1)
    expect((await list({ status: 'booked', sort: 'startsAt' })).items[0]?.id).toBe(first.id)
    expect((await list({ from: '2026-03-11', to: '2026-03-12' })).items).toMatchObject([{ status: 'cancelled' }])
    expect(await list({ size: '1', page: '2', sort: 'startsAt' })).toMatchObject({ total: 3, items: [{}] })
    for (const query of [{ status: 'x' }, { from: 'hier' }, { size: '1000' }])
      expect((await call(server, endpoints.list, { query }, { token })).status).toBe(422)
  })

  test('is taken away as a table in which nothing runs', async () => {
    await make({ company: '=1+1', lastName: 'Zoé "Z"; été' })
    const csv = await call(server, endpoints.export, { query: {} }, { token })
    expect(csv.headers['content-type']).toContain('text/csv')
    expect(csv.text).toContain("'=1+1")
    expect(csv.text).toContain('"Zoé ""Z""; été"')
    expect(csv.text).toContain('Réservée')
    const xlsx = await call(server, endpoints.export, { query: { format: 'xlsx' } }, { token })
    expect(xlsx.headers['content-type']).toContain('spreadsheetml')
  })

  test('and each of its rows are closed to the administrators of another company', async () => {
    const { id } = await make()
    const other = await makeUser(server.db)
    for (const e of [
      endpoints.list,
      endpoints.export,
      endpoints.get,
      endpoints.update,
      endpoints.move,
      endpoints.calendar,
    ]) {
      const { status, text } = await call(server, e, { params: { id }, ...(e.method !== 'GET' && { body: {} }) }, other)
      expect(status).toBe(403)
      expect(text).not.toContain('Lefèvre')
    }
  })
})

describe('the life cycle', () => {
  test('goes no other way than its table', async () => {
    const states = Object.keys(NEXT_BOOKING_STATUSES) as (keyof typeof NEXT_BOOKING_STATUSES)[]
    for (const from of states)
      for (const to of states) {
        if (from === to) continue
        const { id } = await make({ status: from, startsAt: past(), meetingUrl: LINK })
        const { status, body } = await update(id, { version: 1, status: to })
        if (NEXT_BOOKING_STATUSES[from].includes(to))
          expect({ from, to, status, now: body.status }).toEqual({ from, to, status: 200, now: to })
        else expect({ from, to, code: body.code }).toEqual({ from, to, code: 'invalid-transition' })
      }
  })

  test('a demonstration to come is neither done nor missed', async () => {
    const { id } = await make({ status: 'confirmed', meetingUrl: LINK })
    for (const status of ['done', 'no-show'])
      expect((await update(id, { version: 1, status })).body).toMatchObject({ code: 'invalid-transition' })
  })

  test('confirming needs the link, and mails it with an event of the next sequence', async () => {
    const { id, email } = await make()
    const without = await update(id, { version: 1, status: 'confirmed' })
    expect(without.body.issues).toMatchObject([{ path: 'meetingUrl' }])
    const { status, body } = await update(id, { version: 1, status: 'confirmed', meetingUrl: LINK })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'confirmed', meetingUrl: LINK, version: 2 })
    const [mail] = await waitForMails(server, email)
    expect(mail?.text).toContain(LINK)
    expect(readAttachedCalendar(mail)).toMatchObject({
      METHOD: 'REQUEST',
      SEQUENCE: '1',
      STATUS: 'CONFIRMED',
      URL: LINK,
      UID: `${id}@voisol`,
    })
    await update(id, { version: 2, meetingUrl: `${LINK}d` })
    const [again] = await waitForMails(server, email, 2)
    expect(readAttachedCalendar(again)).toMatchObject({ SEQUENCE: '2', URL: `${LINK}d` })
  })

  test('cancelling mails the withdrawal of the event', async () => {
    const { id, email } = await make({ status: 'confirmed', meetingUrl: LINK, sequence: 4 })
    await update(id, { version: 1, status: 'cancelled' })
    const [mail] = await waitForMails(server, email)
    expect(mail?.subject).toContain('annulée')
    expect(readAttachedCalendar(mail)).toMatchObject({
      METHOD: 'CANCEL',
      SEQUENCE: '5',
      STATUS: 'CANCELLED',
      UID: `${id}@voisol`,
    })
  })

  test('a note alone, and what is over, mail nothing', async () => {
    const one = await make()
    expect((await update(one.id, { version: 1, note: 'Rappeler' })).body).toMatchObject({
      note: 'Rappeler',
      version: 2,
    })
    const two = await make({ startsAt: past() })
    await update(two.id, { version: 1, status: 'cancelled' })
    await waitForJobs(server)
    for (const { email } of [one, two]) expect(await listMailsTo(server, email)).toEqual([])
  })

  test('of two who change it at once, the later is told', async () => {
    const { id } = await make()
    const answers = await Promise.all([1, 2].map((n) => update(id, { version: 1, note: `n${n}` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const stale = answers.find(({ status }) => status === 409)
    expect(stale?.body).toMatchObject({ code: 'stale', issues: [{ path: 'note' }] })
  })

  test.each(['http://visio.fr', 'javascript:alert(1)', 'visio', 'x'.repeat(10)])(
    '%s is no link',
    async (meetingUrl) => {
      const { id } = await make()
      const { status, body } = await update(id, { version: 1, meetingUrl })
      expect(status).toBe(422)
      expect(body.issues[0].path).toBe('meetingUrl')
    },
  )
})

describe('moving', () => {
  test('takes another free hour, frees the old one, and mails the event under a higher sequence', async () => {
    const { id, email, startsAt } = await make({ status: 'confirmed', meetingUrl: LINK, sequence: 1 })
    const to = await free()
    const { status, body } = await move(id, { version: 1, ...to })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...to, status: 'confirmed', version: 2 })
    expect(body.startsAt).not.toBe(startsAt.toISOString())
    const [mail] = await waitForMails(server, email)
    expect(mail?.subject).toContain('déplacée')
    const event = readAttachedCalendar(mail)
    expect(event).toMatchObject({ METHOD: 'REQUEST', SEQUENCE: '2', UID: `${id}@voisol` })
    expect(event.DTSTART).toBe(body.startsAt.replace(/[-:]|\.000/g, ''))
  })

  test('to an hour that is taken, to its own, to a Sunday, or of what is over, is refused', async () => {
    const to = await free()
    const held = await make()
    expect((await move(held.id, { version: 1, ...to })).status).toBe(200)
    const { id } = await make()
    expect((await move(id, { version: 1, ...to })).body).toMatchObject({ code: 'conflict', status: 409 })
    expect((await move(held.id, { version: 2, ...to })).body.issues).toMatchObject([{ path: 'time' }])
    expect((await move(id, { version: 1, day: '2020-01-05', time: '09:00' })).body.issues).toMatchObject([
      { path: 'day' },
    ])
    expect((await move(id, { version: 7, ...(await free(1)) })).body.code).toBe('stale')
    const over = await make({ status: 'cancelled' })
    expect((await move(over.id, { version: 1, ...(await free(1)) })).body.code).toBe('invalid-transition')
  })

  test('of twenty to the same hour at once, one arrives', async () => {
    const to = await free(2)
    const rows = await Promise.all(Array.from({ length: 20 }, () => make()))
    const answers = await Promise.all(rows.map(({ id }) => move(id, { version: 1, ...to })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })
})

test('the event is downloaded as a calendar', async () => {
  const { id, reference } = await make({ lastName: 'L’Été; "fils", père' })
  const { headers, text } = await call(server, endpoints.calendar, { params: { id } }, { token })
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(headers['content-disposition']).toContain(`demonstration-${reference}.ics`)
  expect(parseCalendarEvent(text)).toMatchObject({
    METHOD: 'PUBLISH',
    STATUS: 'TENTATIVE',
    SUMMARY: 'Démonstration Voisol',
  })
  expect((await call(server, endpoints.get, { params: { id } }, { token })).body).toMatchObject({ id, reference })
})
