import { bookings as endpoints } from '@voisol/contract/bookings'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { useServer } from '../../../../test/server.ts'
import { bookings, throttles } from '../../../db/schema/index.ts'

const server = useServer()
beforeEach(async () => {
  await server.db.delete(throttles)
  await server.db.delete(bookings)
})
afterEach(() => void vi.useRealTimers())

const PERSON = {
  firstName: 'Zoé',
  lastName: 'Lefèvre',
  phone: '06 12 34 56 78',
  company: 'Copropriété du Parc',
  projectType: 'Copropriété résidentielle',
  message: 'Bonjour',
  email: 'visiteur@exemple.fr',
}
const create = (body: { date: string; time: string }) =>
  call(server, endpoints.create, { body: { ...PERSON, ...body } })
const slots = async () => (await call(server, endpoints.slots)).body
/** The clock of the server, for what depends on the day. */
const setClock = (instant: string) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date(instant))
}

describe('the day and the hour', () => {
  const MONDAY = '2026-03-02T07:00:00Z'
  test.each([
    [MONDAY, '2026-03-01T12:00:00Z', '09:00', 'date', 'passée'],
    [MONDAY, '1970-01-01', '09:00', 'date', 'du lundi 2 mars 2026 au vendredi 1 mai 2026'],
    [MONDAY, '2026-05-02', '09:00', 'date', 'trop lointaine'],
    [MONDAY, '9999-12-31T23:59:59Z', '09:00', 'date', 'trop lointaine'],
    [MONDAY, '0000-01-01T00:00:00Z', '09:00', 'date', 'passée'],
    [MONDAY, '2026-03-07T10:00:00Z', '09:00', 'date', 'du lundi au vendredi'],
    [MONDAY, '2026-04-06', '09:00', 'date', 'hors jours fériés'],
    [MONDAY, '2026-05-01', '09:00', 'date', 'hors jours fériés'],
    // Friday evening in Greenwich is Saturday in Paris.
    [MONDAY, '2026-03-06T23:30:00Z', '09:00', 'date', 'du lundi au vendredi'],
    ['2026-03-02T08:30:01Z', '2026-03-02', '10:30', 'time', 'encore possible ce jour-là\u00a0: 11:00'],
    ['2026-03-02T17:00:00Z', '2026-03-02', '17:00', 'time', 'choisissez un autre jour'],
  ])('at %s, %s at %s: %s, %s', async (clock, date, time, path, message) => {
    setClock(clock)
    const { status, body } = await create({ date, time })
    expect(status).toBe(422)
    expect(body.issues).toMatchObject([{ path, message: expect.stringContaining(message) }])
    expect(await server.db.select().from(bookings)).toEqual([])
  })

  test.each([
    ['2026-03-27', '09:00', '2026-03-27T08:00:00.000Z'],
    ['2026-03-29T22:00:00.000Z', '09:00', '2026-03-30T07:00:00.000Z'],
    ['2026-03-02', '09:00', '2026-03-02T08:00:00.000Z'],
    ['2026-04-30', '17:00', '2026-04-30T15:00:00.000Z'],
  ])('%s at %s is %s', async (date, time, instant) => {
    setClock(MONDAY)
    expect((await create({ date, time })).status).toBe(200)
    const [row] = await server.db.select().from(bookings)
    expect(row?.startsAt.toISOString()).toBe(instant)
  })

  test('the list is the one that is accepted, in autumn too', async () => {
    setClock('2026-10-22T06:00:00Z')
    const { days, from, to } = await slots()
    expect({ from, to }).toEqual({ from: '2026-10-22', to: '2026-12-21' })
    const named = days.map(({ day }: { day: string }) => day)
    expect(named).toEqual(expect.arrayContaining(['2026-10-22', '2026-10-23', '2026-10-26', '2026-12-21']))
    for (const day of ['2026-10-24', '2026-10-25', '2026-11-11', '2026-12-22']) expect(named).not.toContain(day)
    await create({ date: '2026-10-23', time: '09:00' })
    await create({ date: '2026-10-26', time: '09:00' })
    const instants = (await server.db.select().from(bookings)).map(({ startsAt }) => startsAt.toISOString()).sort()
    expect(instants).toEqual(['2026-10-23T07:00:00.000Z', '2026-10-26T08:00:00.000Z'])
  })
})
