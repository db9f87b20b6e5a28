import { addDays, addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEnedisClient } from '../../server/src/integrations/enedis/client.ts'
import type { EnedisClient, EnedisCurve, SeriesType } from '../../server/src/integrations/enedis/enedis-types.ts'
import { startTestSimulator, type TestSimulator } from '../../server/test/enedis-simulator.ts'
import { SIMULATOR_CLIENT } from './client.ts'
import { createFullScale, type OperationPlan } from './demo/blueprint.ts'
import { computeCorrectedRows, computeReceivedDays, createReadingSite } from './demo/demo-readings.ts'
import { BERGES_ID, RHONE_SUD_ID, TILLEULS_ID } from './demo/identities.ts'
import { buildRunningOperations } from './demo/plan.ts'
import { listCorrections } from './demo/reading-incidents.ts'
import { SILENT_METER_REF } from './demo/rhone-sud.ts'
import { getLateEntry, LATE_ENTRY_HOME, OPPOSED_HOME, WITHDRAWN_HOME } from './demo-meters.ts'

const ANCHOR = '2026-11-15'
const plans = buildRunningOperations(createFullScale(ANCHOR))
const findPlan = (id: string): OperationPlan => {
  const plan = plans.find(({ values }) => values.id === id)
  if (!plan) throw new Error(id)
  return plan
}
const findMeter = (plan: OperationPlan, ref: string) => {
  const meter = plan.meters.find((one) => one.ref === ref)
  if (!meter) throw new Error(ref)
  return meter
}
let sandbox: TestSimulator
let enedis: EnedisClient
beforeAll(async () => {
  sandbox = await startTestSimulator({ demo: true, anchor: ANCHOR })
  await sandbox.control('PUT', 'clock', { now: `${ANCHOR}T10:00:00Z` })
  enedis = createEnedisClient({ host: sandbox.url, backend: 'dataconnect-v2', ...SIMULATOR_CLIENT })
})
afterAll(() => sandbox.stop())

const getWatts = ({ points }: EnedisCurve) => points.map(({ watts }) => watts)
const read = (id: string, ref: string, from: string, to: string) => {
  const { prm, direction } = findMeter(findPlan(id), ref)
  return enedis.loadCurve({ prm, direction, from, to })
}
const catchFaultCode = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ fault }) => fault.code,
  )

describe('simulated meters', () => {
  test.each([
    [TILLEULS_ID, 'tilleuls 3', '2026-10-22'],
    [TILLEULS_ID, 'tilleuls roof', '2026-03-26'],
    [BERGES_ID, 'berges home 27', '2026-10-01'],
    [BERGES_ID, 'berges roof ponton', '2026-11-08'],
    [RHONE_SUD_ID, 'rhone canteen', '2026-06-01'],
  ])('%s %s has the readings of the demo', async (id, ref, from) => {
    const plan = findPlan(id)
    const expected = computeReceivedDays(
      findMeter(plan, ref),
      createReadingSite(plan.values, ANCHOR),
      listDays(from, addDays(from, 7)),
    )
    const curve = await read(id, ref, from, addDays(from, 7))
    const watts = [...expected.values()].flatMap((day) => [...day.watts])
    expect(getWatts(curve)).toEqual(watts.filter((value) => value >= 0))
    const quality = new Set([...expected.values()].map((day) => ['', 'raw', 'corrected', 'estimated'][day.quality]))
    expect(new Set(curve.points.map((point) => point.quality))).toEqual(quality)
  })

  test('a correction is visible once it was received', async () => {
    const { ref, from, receivedOn } = listCorrections(ANCHOR).late.open
    const plan = findPlan(BERGES_ID)
    const site = createReadingSite(plan.values, ANCHOR)
    const day = [from, addDays(from, 1)] as const
    await sandbox.control('PUT', 'clock', { now: `${addDays(receivedOn, -1)}T10:00:00Z` })
    const first = await read(BERGES_ID, ref, ...day)
    expect(getWatts(first)).toEqual([
      ...(computeReceivedDays(findMeter(plan, ref), site, [from]).get(from)?.watts ?? []),
    ])
    await sandbox.control('PUT', 'clock', { now: `${ANCHOR}T10:00:00Z` })
    const second = await read(BERGES_ID, ref, ...day)
    const [right] = computeCorrectedRows('', findMeter(plan, ref), site, {
      ...listCorrections(ANCHOR).late.open,
      days: 1,
    })
    expect(getWatts(second)).toEqual([...(right?.watts ?? [])])
    expect(second.points[0]?.quality).toBe('corrected')
    expect(getWatts(second)).not.toEqual(getWatts(first))
  })

  test('a meter that became silent has no data', async () => {
    expect(await catchFaultCode(read(RHONE_SUD_ID, SILENT_METER_REF, addDays(ANCHOR, -5), ANCHOR))).toBe('SGT404')
    expect((await read(RHONE_SUD_ID, SILENT_METER_REF, addDays(ANCHOR, -7), ANCHOR)).points).toHaveLength(192)
  })

  test('the holders of two homes refuse, and no other', async () => {
    const day = [addDays(ANCHOR, -1), ANCHOR] as const
    expect(await catchFaultCode(read(BERGES_ID, WITHDRAWN_HOME, ...day))).toBe('SGT403')
    expect(await catchFaultCode(read(BERGES_ID, OPPOSED_HOME, ...day))).toBe('ADAM-ERR0075')
    expect((await read(BERGES_ID, 'berges home 23', ...day)).points).toHaveLength(96)
    const { prm } = findMeter(findPlan(BERGES_ID), WITHDRAWN_HOME)
    expect((await enedis.services(prm)).map(({ active }) => active)).toEqual([false, false])
  })
})

describe('simulated agreements', () => {
  const month = addMonths(monthOf(ANCHOR), -1)
  const sums = async (acc: string, type: SeriesType, prm?: string) => {
    const [series] = await enedis.series({ acc, type, ...(prm && { prm }), from: month, to: addMonths(month, 1) })
    return new Map(series?.points.map(({ end, watts }) => [end, watts]))
  }
  const add = (...maps: Map<number, number>[]) =>
    new Map([...(maps[0]?.keys() ?? [])].map((end) => [end, maps.reduce((sum, map) => sum + (map.get(end) ?? 0), 0)]))

  test('match the demo plan, with their points', async () => {
    expect((await enedis.agreements()).map(({ acc }) => acc)).toEqual(plans.map(({ values }) => values.accNumber))
    const points = await enedis.agreement('ACC00001862')
    expect(points.map(({ prm }) => prm).sort()).toEqual(
      findPlan(RHONE_SUD_ID)
        .meters.map(({ prm }) => prm)
        .sort(),
    )
  })

  test.each(['ACC00001274', 'ACC00002391', 'ACC00001862'])('%s: allocated energy is conserved', async (acc) => {
    const [cons, autocons, complement] = [
      await sums(acc, 'cons'),
      await sums(acc, 'autocons'),
      await sums(acc, 'complement'),
    ]
    expect(add(autocons, complement)).toEqual(cons)
    expect(add(autocons, await sums(acc, 'surplus'))).toEqual(await sums(acc, 'prod'))
    expect(cons.size).toBeGreaterThan(2800)
    const points = await enedis.agreement(acc)
    const one = points.find(({ role, endsOn }) => role === 'cons' && endsOn === null)?.prm
    expect(add(await sums(acc, 'autocons', one), await sums(acc, 'complement', one))).toEqual(
      await sums(acc, 'cons', one),
    )
    const plant = points.find(({ role }) => role === 'prod')?.prm
    expect(add(await sums(acc, 'autocons', plant), await sums(acc, 'surplus', plant))).toEqual(
      await sums(acc, 'prod', plant),
    )
  })

  test('the shares of all consumers are what the producers shared', async () => {
    const acc = 'ACC00001862'
    const points = await enedis.agreement(acc)
    const shared = (role: string) =>
      Promise.all(points.filter((point) => point.role === role).map(({ prm }) => sums(acc, 'autocons', prm)))
    const received = add(...(await shared('cons')))
    expect(received).toEqual(add(...(await shared('prod'))))
    expect(received).toEqual(await sums(acc, 'autocons'))
  })

  test('quantities are whole kilowatt-hours by class, of complete months', async () => {
    const acc = 'ACC00001274'
    const prm = findMeter(findPlan(TILLEULS_ID), 'tilleuls roof').prm
    const asked = { acc, prm, role: 'prod' as const, from: month, to: addMonths(month, 1) }
    const quantities = await enedis.definitiveEnergy(asked)
    expect(quantities.every(({ wh, calendar }) => wh % 1000 === 0 && calendar === 'DISTRIB')).toBe(true)
    const total = [...(await sums(acc, 'prod', prm)).values()].reduce((sum, watts) => sum + watts / 4, 0)
    const told = quantities.filter(({ type }) => type === 'prod').reduce((sum, { wh }) => sum + wh, 0)
    expect(total - told).toBeGreaterThanOrEqual(0)
    expect(total - told).toBeLessThan(2000)
    const now = { ...asked, from: monthOf(ANCHOR), to: addMonths(monthOf(ANCHOR), 1) }
    expect(await catchFaultCode(enedis.definitiveEnergy(now))).toBe('SGT404')
  })

  test('a change of key and an entry were recorded late', async () => {
    const { prm } = findMeter(findPlan(BERGES_ID), LATE_ENTRY_HOME)
    const { from, to } = getLateEntry(ANCHOR)
    const line = findPlan(BERGES_ID).lines.find((one) => one.prm === prm)
    expect(line?.startsOn).toBe(from)
    expect((await enedis.agreement('ACC00002391')).find((point) => point.prm === prm)?.startsOn).toBe(to)
    const asked = {
      acc: 'ACC00002391',
      type: 'cons' as const,
      prm,
      from: monthOf(from),
      to: addMonths(monthOf(from), 1),
    }
    const [series] = await enedis.series(asked)
    expect(series?.points[0]?.end).toBe(dayStart(to) + 15)
  })
})
