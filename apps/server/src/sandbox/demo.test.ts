import { addDays, addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../test/sandbox.ts'
import { openEnedis } from '../adapters/enedis/client.ts'
import type { Curve, Enedis, SeriesType } from '../adapters/enedis/types.ts'
import type { OperationPlan } from '../world/blueprint.ts'
import { BERGES, RHONE_SUD, TILLEULS } from '../world/ids.ts'
import { correctionsOf } from '../world/incidents.ts'
import { running } from '../world/plan.ts'
import { correctedRows, receivedDays, siteOver } from '../world/readings.ts'
import { SILENT } from '../world/rhone-sud.ts'
import { fullScale } from '../world/scale.ts'
import { SANDBOX_CLIENT } from './client.ts'
import { LATE_ENTRY, lateEntry, OPPOSED, WITHDRAWN } from './troubles.ts'

const ANCHOR = '2026-11-15'
const plans = running(fullScale(ANCHOR))
const planOf = (id: string): OperationPlan => {
  const plan = plans.find(({ values }) => values.id === id)
  if (!plan) throw new Error(id)
  return plan
}
const meterOf = (plan: OperationPlan, ref: string) => {
  const meter = plan.meters.find((one) => one.ref === ref)
  if (!meter) throw new Error(ref)
  return meter
}
let sandbox: Sandbox
let enedis: Enedis
beforeAll(async () => {
  sandbox = await startSandbox({ demo: true, anchor: ANCHOR })
  await sandbox.control('PUT', 'clock', { now: `${ANCHOR}T10:00:00Z` })
  enedis = openEnedis({ host: sandbox.url, backend: 'dataconnect-v2', ...SANDBOX_CLIENT })
})
afterAll(() => sandbox.stop())

const wattsOf = ({ points }: Curve) => points.map(({ watts }) => watts)
const read = (id: string, ref: string, from: string, to: string) => {
  const { prm, direction } = meterOf(planOf(id), ref)
  return enedis.loadCurve({ prm, direction, from, to })
}
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ fault }) => fault.code,
  )

describe('meters', () => {
  test.each([
    [TILLEULS, 'tilleuls 3', '2026-10-22'],
    [TILLEULS, 'tilleuls roof', '2026-03-26'],
    [BERGES, 'berges home 27', '2026-10-01'],
    [BERGES, 'berges roof ponton', '2026-11-08'],
    [RHONE_SUD, 'rhone canteen', '2026-06-01'],
  ])('%s %s reads what the demo keeps', async (id, ref, from) => {
    const plan = planOf(id)
    const expected = receivedDays(meterOf(plan, ref), siteOver(plan.values, ANCHOR), listDays(from, addDays(from, 7)))
    const curve = await read(id, ref, from, addDays(from, 7))
    const watts = [...expected.values()].flatMap((day) => [...day.watts])
    expect(wattsOf(curve)).toEqual(watts.filter((value) => value >= 0))
    const quality = new Set([...expected.values()].map((day) => ['', 'raw', 'corrected', 'estimated'][day.quality]))
    expect(new Set(curve.points.map((point) => point.quality))).toEqual(quality)
  })

  test('a correction shows once it was received', async () => {
    const { ref, from, receivedOn } = correctionsOf(ANCHOR).late.open
    const plan = planOf(BERGES)
    const site = siteOver(plan.values, ANCHOR)
    const day = [from, addDays(from, 1)] as const
    await sandbox.control('PUT', 'clock', { now: `${addDays(receivedOn, -1)}T10:00:00Z` })
    const first = await read(BERGES, ref, ...day)
    expect(wattsOf(first)).toEqual([...(receivedDays(meterOf(plan, ref), site, [from]).get(from)?.watts ?? [])])
    await sandbox.control('PUT', 'clock', { now: `${ANCHOR}T10:00:00Z` })
    const second = await read(BERGES, ref, ...day)
    const [right] = correctedRows('', meterOf(plan, ref), site, { ...correctionsOf(ANCHOR).late.open, days: 1 })
    expect(wattsOf(second)).toEqual([...(right?.watts ?? [])])
    expect(second.points[0]?.quality).toBe('corrected')
    expect(wattsOf(second)).not.toEqual(wattsOf(first))
  })

  test('a meter that fell silent has no data', async () => {
    expect(await faultOf(read(RHONE_SUD, SILENT, addDays(ANCHOR, -5), ANCHOR))).toBe('SGT404')
    expect((await read(RHONE_SUD, SILENT, addDays(ANCHOR, -7), ANCHOR)).points).toHaveLength(192)
  })

  test('the holders of two homes refuse, and nobody else', async () => {
    const day = [addDays(ANCHOR, -1), ANCHOR] as const
    expect(await faultOf(read(BERGES, WITHDRAWN, ...day))).toBe('SGT403')
    expect(await faultOf(read(BERGES, OPPOSED, ...day))).toBe('ADAM-ERR0075')
    expect((await read(BERGES, 'berges home 23', ...day)).points).toHaveLength(96)
    const { prm } = meterOf(planOf(BERGES), WITHDRAWN)
    expect((await enedis.services(prm)).map(({ active }) => active)).toEqual([false, false])
  })
})

describe('agreements', () => {
  const month = addMonths(monthOf(ANCHOR), -1)
  const sums = async (acc: string, type: SeriesType, prm?: string) => {
    const [series] = await enedis.series({ acc, type, ...(prm && { prm }), from: month, to: addMonths(month, 1) })
    return new Map(series?.points.map(({ end, watts }) => [end, watts]))
  }
  const add = (...maps: Map<number, number>[]) =>
    new Map([...(maps[0]?.keys() ?? [])].map((end) => [end, maps.reduce((sum, map) => sum + (map.get(end) ?? 0), 0)]))

  test('are those of the plan, with their points', async () => {
    expect((await enedis.agreements()).map(({ acc }) => acc)).toEqual(plans.map(({ values }) => values.accNumber))
    const points = await enedis.agreement('ACC00001862')
    expect(points.map(({ prm }) => prm).sort()).toEqual(
      planOf(RHONE_SUD)
        .meters.map(({ prm }) => prm)
        .sort(),
    )
  })

  test.each(['ACC00001274', 'ACC00002391', 'ACC00001862'])('%s: nothing is lost and nothing is made', async (acc) => {
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

  test('whole kilowatt-hours by class, of months that are over', async () => {
    const acc = 'ACC00001274'
    const prm = meterOf(planOf(TILLEULS), 'tilleuls roof').prm
    const asked = { acc, prm, role: 'prod' as const, from: month, to: addMonths(month, 1) }
    const quantities = await enedis.definitiveEnergy(asked)
    expect(quantities.every(({ wh, calendar }) => wh % 1000 === 0 && calendar === 'DISTRIB')).toBe(true)
    const total = [...(await sums(acc, 'prod', prm)).values()].reduce((sum, watts) => sum + watts / 4, 0)
    const told = quantities.filter(({ type }) => type === 'prod').reduce((sum, { wh }) => sum + wh, 0)
    expect(total - told).toBeGreaterThanOrEqual(0)
    expect(total - told).toBeLessThan(2000)
    const now = { ...asked, from: monthOf(ANCHOR), to: addMonths(monthOf(ANCHOR), 1) }
    expect(await faultOf(enedis.definitiveEnergy(now))).toBe('SGT404')
  })

  test('a change of key came late, and so did somebody', async () => {
    const { prm } = meterOf(planOf(BERGES), LATE_ENTRY)
    const { from, to } = lateEntry(ANCHOR)
    const line = planOf(BERGES).lines.find((one) => one.prm === prm)
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
