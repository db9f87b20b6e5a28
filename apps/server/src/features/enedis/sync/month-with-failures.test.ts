import { addDays, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { TestSimulator } from '../../../../test/enedis-simulator.ts'
import {
  toParisInstant as at,
  createTestClock,
  makeSyncFixture,
  runCredentialUntil,
  type SyncFixture,
  summarizeStoredReadings,
  type TestClock,
  useEnedisSimulator,
  useTestPlatform,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import { resumePoint } from './blocked-points.ts'
import { planDailySync } from './plan-sync.ts'

const platform = useTestPlatform()
const calmBox = useEnedisSimulator()
const roughBox = useEnedisSimulator()

/** A month that contains a change of clocks, and some days for late data. */
const FROM = '2026-10-05'
const TO = '2026-11-14'
const HOURS = [8, 13, 20]
const iso = (day: string, hour = 0) => at(day, hour).toISOString()
const METERS: { prm: string; step?: number; direction?: 'production' }[] = [
  ...Array.from({ length: 5 }, (_, n) => ({ prm: `3111111111110${n}` })),
  { prm: '31111111111120', step: 30 },
  { prm: '31111111111121', direction: 'production' },
]
const [A = '', B = '', C = '', D = '', E = ''] = METERS.map(({ prm }) => prm)

/** What both scenarios share: a late day, a very late day, and corrections. */
const readings = [
  { prm: A, direction: 'consumption', day: '2026-10-12', watts: null, from: iso('2026-10-15', 12) },
  { prm: B, direction: 'consumption', day: '2026-10-14', watts: null, from: iso('2026-10-29', 3) },
  {
    prm: C,
    direction: 'consumption',
    day: '2026-10-16',
    watts: Array.from({ length: 96 }, (_, n) => 100 + n),
    from: iso('2026-10-21', 6),
  },
  {
    prm: D,
    direction: 'consumption',
    day: '2026-10-25',
    from: iso('2026-10-28', 7),
    watts: Array.from({ length: stepsOfDay('2026-10-25', 15) }, (_, n) => 900 - n),
  },
]

/**
 * Every fault of the simulator, spread over the month and ending a week before it. The first matching fault applies, so
 * that faults of a single day come before recurring ones.
 */
const faults = [
  { kind: 'throttled', seconds: 2400, from: iso('2026-10-09'), times: 2 },
  { kind: 'q4', from: iso('2026-10-13'), times: 1 },
  { kind: '401', from: iso('2026-10-17'), to: iso('2026-10-18') },
  { kind: '403', prm: C, from: iso('2026-10-23'), to: iso('2026-10-24') },
  { kind: 'no-data', prm: E, from: iso('2026-10-19'), to: iso('2026-10-23') },
  ...['q3', '500', 'timeout', 'truncated', 'hostile', 'reset', '503-html', 'late', 'partial', 'duplicate'].map(
    (kind, n) => ({
      kind,
      every: 9 + n,
      to: iso('2026-11-05'),
    }),
  ),
  // The oldest days are soon no longer requested: the third call returns them once in their own steps.
  { kind: 'mixed-steps', prm: A, every: 4, from: iso('2026-10-07'), to: iso('2026-11-05') },
  { kind: 'mixed-steps', prm: '31111111111120', every: 3, from: iso('2026-10-07'), to: iso('2026-11-05') },
  { kind: 'slow', seconds: 0.2, every: 25, to: iso('2026-11-05') },
  { kind: 'token-expired', every: 12, to: iso('2026-11-05') },
  { kind: '500', from: iso('2026-10-27'), to: iso('2026-10-28') },
]

async function isBlocked({ deps, companyId }: SyncFixture): Promise<string[]> {
  const { rows } = await deps.db.execute<{ id: string }>(
    sql`select point_id as id from point_links where company_id = ${companyId} and blocked_at is not null`,
  )
  return rows.map(({ id }) => id)
}

/** Every evening an administrator resumes the points whose consent is back. */
async function resumeAll(world: SyncFixture) {
  for (const id of await isBlocked(world)) await transaction(world.deps.db, (tx) => resumePoint(tx, world.actor, id))
}

async function troubleConsents(box: TestSimulator, day: string) {
  if (day === '2026-10-20') await box.control('PUT', 'consents', { prm: D, state: 'withdrawn' })
  if (day === '2026-10-24') await box.control('PUT', 'consents', { prm: D, state: 'active' })
  if (day === '2026-10-26')
    await box.control('PUT', 'consents', { prm: B, state: 'moved', until: iso('2026-10-27', 5) })
}

type Lived = { world: SyncFixture; clock: TestClock }

/** In the scenario without faults, the last sync of a day finds what the earlier ones would have found. */
async function live(day: string, { calm, rough }: { calm: Lived; rough: Lived }) {
  for (const [n, hour] of HOURS.entries()) {
    const next = HOURS[n + 1]
    const end = next ? at(day, next) : at(addDays(day, 1), 8)
    const worlds = next ? [rough] : [calm, rough]
    for (const { clock } of worlds) await clock.at(new Date(Math.max(at(day, hour).getTime(), clock.now().getTime())))
    const now = at(day, hour, 1)
    await planDailySync(platform.deps, { now: () => now, sleep: async () => {} })
    for (const { world, clock } of worlds) await runCredentialUntil(world, clock, end, 150)
  }
}

const daysOf = ({ companyId }: SyncFixture) => sql`
  select p.prm, p.direction, d.* from curve_days d join points p on p.company_id = d.company_id and p.id = d.point_id
   where d.company_id = ${companyId} and d.superseded_at is null`

test('a month with every fault ends with the same curves as one without', async () => {
  const acc = 'ACC90000001'
  const [calm, rough] = [
    { world: await makeSyncFixture(platform.deps, calmBox, METERS, { acc }), clock: createTestClock(calmBox) },
    { world: await makeSyncFixture(platform.deps, roughBox, METERS, { acc }), clock: createTestClock(roughBox) },
  ]
  const seats = METERS.map(({ prm, direction }) => ({
    prm,
    role: direction ? 'prod' : 'cons',
    startsOn: '2026-01-01',
    endsOn: null,
  }))
  for (const { clock } of [calm, rough]) await clock.at(at(FROM, 7))
  for (const box of [calmBox, roughBox]) {
    await box.control('PUT', 'readings', readings)
    await box.control('PUT', 'agreements', [{ acc, name: 'Mois', startsOn: '2026-01-01', endsOn: null, points: seats }])
  }
  await roughBox.control('PUT', 'faults', faults)
  const bothered = new Set<string>()
  for (const day of listDays(FROM, TO)) {
    await troubleConsents(roughBox, day)
    await live(day, { calm, rough })
    for (const id of await isBlocked(rough.world)) bothered.add(id)
    if (day >= '2026-10-24') await resumeAll(rough.world)
  }
  const used = (await roughBox.control('GET', 'state')).faults.filter((fault: { used: number }) => !fault.used)
  expect(used).toEqual([])
  expect(bothered.size).toBeGreaterThanOrEqual(2)
  const [expected, found] = [
    await summarizeStoredReadings(calm.world.deps, calm.world.companyId),
    await summarizeStoredReadings(rough.world.deps, rough.world.companyId),
  ]
  expect(expected.days).toBe(METERS.length * (listDays(addDays(FROM, -30), TO).length - 1))
  const { rows: different } = await platform.db.execute(sql`
    with calm as materialized (${daysOf(calm.world)}), rough as materialized (${daysOf(rough.world)})
    select c.prm, c.day::text, c.step, c.present, c.energy, r.step as theirs, r.present as known, r.energy as other
      from calm c left join rough r on r.prm = c.prm and r.direction = c.direction and r.day = c.day
     where c.watts is distinct from r.watts`)
  expect(different).toEqual([])
  expect(found).toEqual(expected)
})
