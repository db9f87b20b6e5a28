import { incidents } from '@voisol/contract/incidents'
import { webhooks } from '@voisol/contract/webhooks'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { createStatusLoader } from '../status/index.ts'
import { getAnnouncedDays } from './incident-queries.ts'

const server = useServer()
let keeper: Awaited<ReturnType<typeof makeSiteAdmin>>
beforeAll(async () => {
  keeper = await makeSiteAdmin(server.db)
})
afterEach(() => server.asOwner('delete from incident_updates; delete from incidents'))

const OPEN = {
  title: 'Messages retardés',
  parts: ['mail', 'queue'],
  severity: 'major',
  state: 'investigating',
  message: 'Les e-mails partent en retard. Nous cherchons pourquoi.',
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const PLAN = () => ({
  title: 'Mise à jour de la base',
  parts: ['database'],
  startsAt: inHours(31),
  endsAt: inHours(33),
  message: 'Le service sera fermé deux heures.',
})
const open = (more: object = {}) => call(server, incidents.open, { body: { ...OPEN, ...more } }, keeper)
const plan = (more: object = {}) => call(server, incidents.plan, { body: { ...PLAN(), ...more } }, keeper)
const tell = (id: string, version: number, state: string, more: object = {}) =>
  call(
    server,
    incidents.tell,
    { params: { id }, body: { state, version, message: 'Voici ce que nous savons.', ...more } },
    keeper,
  )
const listShownIncidents = async () => (await createStatusLoader(server.deps)()).incidents
const begin = (id: string) =>
  server.asOwner(`update incidents set starts_at = now() - interval '7 minutes' where id = '${id}'`)

describe('an incident', () => {
  test('shows every update from its opening to its end', async () => {
    const { status, body } = await open()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      kind: 'incident',
      state: 'investigating',
      severity: 'major',
      closedAt: null,
      version: 1,
    })
    expect((await tell(body.id, 1, 'identified')).body).toMatchObject({ state: 'identified', version: 2 })
    const { body: over } = await tell(body.id, 2, 'resolved', { message: 'Tout est <b>parti</b> depuis 9 h.' })
    expect(over.closedAt).not.toBeNull()
    const [seen] = await listShownIncidents()
    expect(seen?.updates.map(({ state }) => state)).toEqual(['resolved', 'identified', 'investigating'])
    expect(seen?.updates[0]?.message).toBe('Tout est <b>parti</b> depuis 9 h.')
    const again = await tell(body.id, 3, 'monitoring')
    expect([again.status, again.body.issues[0].message]).toEqual([422, expect.stringContaining('plus rien à publier')])
  })

  test('can be written by the installation operator and read by everybody', async () => {
    const other = await makeUser(server.db)
    expect((await call(server, incidents.open, { body: OPEN }, other)).status).toBe(403)
    expect((await call(server, incidents.list, {}, other)).status).toBe(403)
    await open()
    expect((await call(server, incidents.list, {}, keeper)).body).toMatchObject({ items: [{ title: OPEN.title }] })
    expect(await listShownIncidents()).toHaveLength(1)
  })

  test('one of two concurrent updates is refused, and each invalid field is named', async () => {
    const { body } = await open()
    const both = await Promise.all(['identified', 'monitoring'].map((state) => tell(body.id, 1, state)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const bad of [{ parts: [] }, { parts: ['toit'] }, { message: 'Court' }, { title: '' }, { severity: 'nul' }])
      expect((await open(bad)).body.issues[0].path).toMatch(new RegExp(`^${Object.keys(bad)[0]}`))
    expect((await tell(body.id, 2, 'completed')).body.issues[0].path).toBe('state')
  })

  test('leaves the public page ninety days after its end, and never while it is open', async () => {
    const { body } = await open()
    await server.asOwner(`update incidents set starts_at = now() - interval '120 days'`)
    expect(await listShownIncidents()).toHaveLength(1)
    await tell(body.id, 1, 'resolved')
    await server.asOwner(`update incidents set closed_at = now() - interval '91 days'`)
    expect(await listShownIncidents()).toHaveLength(0)
  })
})

describe('a maintenance', () => {
  test('is announced in advance, within limits', async () => {
    expect((await plan()).body).toMatchObject({ kind: 'maintenance', state: 'planned', severity: null })
    expect((await plan({ startsAt: inHours(-1) })).body.issues[0].message).toContain('ouvrez un incident')
    expect((await plan({ endsAt: inHours(30) })).body.issues[0].path).toBe('endsAt')
    expect((await plan({ endsAt: inHours(31 + 7 * 24 + 1) })).body.issues[0].message).toContain('7 jours au plus')
  })

  test('starts by itself at its hour, can be moved only before, and ends when somebody closes it', async () => {
    const { body } = await plan()
    const moved = await tell(body.id, 1, 'planned', { startsAt: inHours(51), endsAt: inHours(53) })
    expect(Date.parse(moved.body.startsAt)).toBeGreaterThan(Date.parse(body.startsAt))
    await begin(body.id)
    expect((await listShownIncidents())[0]?.state).toBe('ongoing')
    expect((await tell(body.id, 2, 'cancelled')).status).toBe(422)
    expect((await tell(body.id, 2, 'ongoing', { endsAt: inHours(60) })).body.issues[0].path).toBe('startsAt')
    expect((await tell(body.id, 2, 'completed')).body.closedAt).not.toBeNull()
  })

  test('marks the announced days of its components and hides no measured outage', async () => {
    const { body } = await plan({ startsAt: inHours(1), endsAt: inHours(2) })
    await begin(body.id)
    await server.asOwner(
      `insert into status_samples select 'database', date_bin('5 minutes', now(), timestamptz '2020-01-01'), false`,
    )
    const { components } = await createStatusLoader(server.deps)()
    const today = (name: string) => components.find((one) => one.name === name)?.days.at(-1)
    expect(today('database')).toMatchObject({ maintenance: true, availability: 0 })
    expect(today('mail')).toMatchObject({ maintenance: false })
    await server.asOwner('delete from status_samples')
  })

  const at = (startsAt: string, endsAt: string, more: object = {}) => [
    ...getAnnouncedDays([{ ...window, startsAt, endsAt, ...more }], 'database'),
  ]
  const window = {
    id: '',
    title: '',
    kind: 'maintenance' as const,
    parts: ['database' as const],
    severity: null,
    state: 'completed' as const,
    closedAt: null,
    updates: [],
    version: 1,
  }
  test.each([
    ['2026-03-28T22:30:00Z', '2026-03-28T23:30:00Z', {}, ['2026-03-28', '2026-03-29']],
    ['2026-03-28T21:30:00.000Z', '2026-03-28T23:00:00.000Z', {}, ['2026-03-28']],
    ['2026-05-04T20:00:00.000Z', '2026-05-06T20:00:00.000Z', { closedAt: '2026-05-04T21:00:00.000Z' }, ['2026-05-04']],
    ['2026-05-04T20:00:00.000Z', '2026-05-04T21:00:00.000Z', { closedAt: '2026-05-06T20:00:00.000Z' }, ['2026-05-04']],
    ['2026-05-04T20:00:00.000Z', '2026-05-04T21:00:00.000Z', { closedAt: '2026-05-03T20:00:00.000Z' }, []],
    ['2026-05-04T20:00:00.000Z', '2026-05-04T21:00:00.000Z', { state: 'cancelled' }, []],
    ['2026-05-04T20:00:00.000Z', '2026-05-04T21:00:00.000Z', { parts: ['mail'] }, []],
  ])('from %s to %s with %o it is announced on %j', (startsAt, endsAt, more, days) => {
    expect(at(startsAt, endsAt, more)).toEqual(days)
  })
})

test('every company gets each update once, with its own event number, and so do its webhooks', async () => {
  await waitForJobs(server)
  const other = await makeUser(server.db)
  const hook = { url: 'https://exemple.fr/etat', events: ['incident.opened', 'incident.resolved'] }
  const { body: made } = await call(server, webhooks.create, { body: hook }, other)
  await call(server, webhooks.move, { params: { id: made.id }, body: { status: 'paused' } }, other)
  const { body } = await open()
  await tell(body.id, 1, 'identified')
  await tell(body.id, 2, 'resolved')
  await waitForJobs(server)
  const { rows } = await server.asOwner(
    `select company_id, array_agg(name order by seq) as names from events where object = '${body.id}' group by 1`,
  )
  for (const { id } of [keeper, other].map(({ companyId }) => ({ id: companyId })))
    expect(rows.find(({ company_id }: { company_id: number }) => company_id === id)?.names).toEqual([
      'incident.opened',
      'incident.updated',
      'incident.resolved',
    ])
  const sent = await call(server, webhooks.deliveries, { params: { id: made.id }, query: {} }, other)
  expect(sent.body.items.map(({ event }: { event: string }) => event).sort()).toEqual(hook.events)
})
