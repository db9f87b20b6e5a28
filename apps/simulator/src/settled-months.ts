import { addDays, addMonths, dayOf, dayStart, isDay, monthOf } from '@voisol/energy/calendar'
import type { MonthAlteration } from './alterations.ts'
import type { MeterRegistry } from './meter-registry.ts'
import { SimulatedRefusal, type SimulatorResponse, toJsonResponse } from './responses.ts'
import {
  GRID_CLASSES,
  getGridClassIndex,
  type OperationSettlement,
  SETTLEMENT_STEP_MINUTES,
  type SettledMonth,
  type SharedPoint,
  settleMonth,
} from './settlement.ts'
import type { SimulatorMoment } from './simulator-store.ts'

const MAX_MONTHS = 36
const createInvalidRefusal = (message: string) => new SimulatedRefusal(400, 'SGT400', message)
const createNoDataRefusal = () => new SimulatedRefusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')

/** `20260901T000000Z`, or a local day. */
function parseMinute(name: string, text: string | null): number {
  if (text && isDay(text)) return dayStart(text)
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '')
  const at = match ? Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}Z`) : Number.NaN
  if (Number.isNaN(at)) throw createInvalidRefusal(`${name} parameter must be of the form YYYYMMDDTHHMMSSZ`)
  return Math.floor(at / 60_000)
}

function parsePeriod(query: URLSearchParams): { from: number; to: number } {
  const [from, to] = [parseMinute('start', query.get('start')), parseMinute('end', query.get('end'))]
  if (from >= to) throw createInvalidRefusal('Start date should be before end date')
  if (dayOf(to) > addMonths(dayOf(from), MAX_MONTHS)) throw createInvalidRefusal('The requested period is too long')
  return { from, to }
}

function parseTypes(query: URLSearchParams): SeriesType[] {
  const asked = (query.get('type') ?? '').split(',').filter(Boolean)
  const types = SIMULATED_SERIES.filter((type) => asked.includes(type))
  if (!types.length || types.length !== new Set(asked).size)
    throw createInvalidRefusal(`type must be among ${SIMULATED_SERIES.join(', ')}`)
  return types
}

type SettlementQuestion = { query: URLSearchParams; moment: SimulatorMoment; plant: MonthAlteration | undefined }
type Period = { from: number; to: number }

const DAY_STEPS = 96

/** Members of a side are swapped in pairs. */
const swapMembers = (points: SharedPoint[]): SharedPoint[] =>
  (['cons', 'prod'] as const).flatMap((role) => {
    const side = points.filter((point) => point.role === role)
    return side.map((point, at) => {
      const other = side[at % 2 ? at - 1 : at + 1] ?? point
      return { ...point, total: other.total, local: other.local }
    })
  })

/** Each day gets the figures of the day before. */
function shiftDays(points: SharedPoint[], before: SettledMonth | undefined): SharedPoint[] {
  return points.map((point) => {
    const last = before?.points.find(({ prm, role }) => prm === point.prm && role === point.role)
    const late = (now: Int32Array, then: Int32Array | undefined) =>
      now.map((_, at) => (at < DAY_STEPS ? (then?.at(at - DAY_STEPS) ?? -1) : (now[at - DAY_STEPS] ?? -1)))
    return { ...point, total: late(point.total, last?.total), local: late(point.local, last?.local) }
  })
}

const addOnePercent = (watts: number) => (watts < 0 ? watts : Math.round(watts * 1.01))

/** One per cent more is consumed and shared. */
const increaseByOnePercent = ({ total, local, ...point }: SharedPoint): SharedPoint => ({
  ...point,
  total: total.map(addOnePercent),
  local: local.map(addOnePercent),
})

/** Settled months with a fault in them. `before` is the month before the first. */
function alterMonths(kind: MonthAlteration, months: SettledMonth[], before: SettledMonth | undefined): SettledMonth[] {
  return months.map((month, at) => {
    const points =
      kind === 'swapped-members'
        ? swapMembers(month.points)
        : kind === 'shifted-day'
          ? shiftDays(month.points, months[at - 1] ?? before)
          : month.points.map(increaseByOnePercent)
    return { ...month, points }
  })
}

async function loadMonths(
  settled: SettledMonthCache,
  settlement: OperationSettlement,
  { from, to }: Period,
  { moment, plant }: SettlementQuestion,
) {
  const months = await settled.months(settlement, from, to, moment)
  if (!plant) return months
  const [before] = await settled.months(settlement, dayStart(addMonths(monthOf(dayOf(from)), -1)), from, moment)
  return alterMonths(plant, months, before)
}

export async function answerSeries(
  settled: SettledMonthCache,
  settlement: OperationSettlement,
  question: SettlementQuestion,
): Promise<SimulatorResponse> {
  const { query } = question
  const [period, types, prm] = [parsePeriod(query), parseTypes(query), query.get('prm')]
  if (prm !== null && !settlement.seats.some((seat) => seat.prm === prm)) throw createNoDataRefusal()
  const months = await loadMonths(settled, settlement, period, question)
  const rows = writeSeries(months, period, types, prm)
  if (!rows.length) throw createNoDataRefusal()
  return { status: 200, body: `{"agreement_id":"${settlement.acc}","series":[${rows.join(',')}]}` }
}

/** Quantities exist only for complete periods. */
export async function answerQuantities(
  settled: SettledMonthCache,
  settlement: OperationSettlement,
  { role = '', prm = '' }: Record<string, string>,
  question: SettlementQuestion,
): Promise<SimulatorResponse> {
  const { query, moment } = question
  const [{ from, to }, types] = [parsePeriod(query), parseTypes(query)]
  if (role !== 'cons' && role !== 'prod') throw createInvalidRefusal('the role must be cons or prod')
  if (!settlement.seats.some((seat) => seat.prm === prm && seat.role === role)) throw createNoDataRefusal()
  const months = await loadMonths(settled, settlement, { from, to }, question)
  const found = isMonthSettled(monthOf(dayOf(to - 1)), moment)
    ? computeQuantities(months, { from, to }, types, { prm, role })
    : []
  if (!found.length) throw createNoDataRefusal()
  const iso = (minute: number) => new Date(minute * 60_000).toISOString().replace('.000', '')
  return toJsonResponse({
    [`${role}_id`]: prm,
    startDate: iso(from),
    endDate: iso(to),
    unit: 'kWh',
    quantities: found,
  })
}

const SIMULATED_SERIES = ['cons', 'prod', 'autocons', 'surplus', 'complement'] as const
type SeriesType = (typeof SIMULATED_SERIES)[number]
const MISSING = -1

const ROLES: Record<SeriesType, SharedPoint['role'][]> = {
  cons: ['cons'],
  complement: ['cons'],
  autocons: ['cons', 'prod'],
  prod: ['prod'],
  surplus: ['prod'],
}

function getWattsAt(type: SeriesType, { total, local }: SharedPoint, at: number): number {
  const [all, own] = [total[at] ?? MISSING, local[at] ?? MISSING]
  if (all < 0 || own < 0) return MISSING
  return type === 'cons' || type === 'prod' ? all : type === 'autocons' ? own : all - own
}

/** The points of a series: one point, or all; shared energy is then counted at its consumers. */
const selectPoints = (points: SharedPoint[], type: SeriesType, prm: string | null) =>
  prm === null
    ? points.filter(({ role }) => role === ROLES[type][0])
    : points.filter((point) => point.prm === prm && ROLES[type].includes(point.role))

const formatStamp = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`

function* iterateValues(month: SettledMonth, { from, to }: Period, type: SeriesType, points: SharedPoint[]) {
  const first = Math.max(0, Math.ceil((from - month.startsAt) / SETTLEMENT_STEP_MINUTES))
  const last = Math.min(points[0]?.total.length ?? 0, Math.floor((to - month.startsAt) / SETTLEMENT_STEP_MINUTES))
  for (let at = first; at < last; at++) {
    let sum = 0
    let known = 0
    for (const point of points) {
      const value = getWattsAt(type, point, at)
      if (value < 0) continue
      sum += value
      known++
    }
    if (known) yield { at, watts: sum }
  }
}

/** The requested series, as JSON. An unsettled step is left out. */
function writeSeries(months: SettledMonth[], period: Period, types: SeriesType[], prm: string | null): string[] {
  return types.flatMap((type) => {
    let points = ''
    for (const month of months)
      for (const { at, watts } of iterateValues(month, period, type, selectPoints(month.points, type, prm)))
        points += `${points === '' ? '' : ','}{"v":"${watts}","d":"${formatStamp(month.startsAt + (at + 1) * SETTLEMENT_STEP_MINUTES)}"}`
    const who = prm === null ? '' : `"usage_point_id":"${prm}",`
    return points === '' ? [] : [`{${who}"type":"${type}","step":"PT15M","points":[${points}]}`]
  })
}

/** Whole kilowatt-hours by time class, rounded down. */
function computeQuantities(
  months: SettledMonth[],
  period: Period,
  types: SeriesType[],
  { prm, role }: Pick<SharedPoint, 'prm' | 'role'>,
) {
  return types.flatMap((type) => {
    if (!ROLES[type].includes(role)) return []
    const sums = new Float64Array(GRID_CLASSES.length)
    const met = new Set<number>()
    for (const month of months) {
      const points = selectPoints(month.points, type, prm).filter((point) => point.role === role)
      for (const { at, watts } of iterateValues(month, period, type, points)) {
        const index = getGridClassIndex(month.startsAt + at * SETTLEMENT_STEP_MINUTES)
        met.add(index)
        sums[index] = (sums[index] ?? 0) + watts
      }
    }
    const quantities = GRID_CLASSES.flatMap((name, index) =>
      met.has(index) ? [{ name, value: Math.floor(((sums[index] ?? 0) * SETTLEMENT_STEP_MINUTES) / 60_000) }] : [],
    )
    return quantities.length ? [{ type, calendar_type: 'DISTRIB', quantities }] : []
  })
}

const MAX_CACHE_BYTES = 96_000_000

const getMonthEnd = (month: string) => addDays(addMonths(month, 1), -1)

/** A month is settled once its last day is published. */
const isMonthSettled = (month: string, { published }: SimulatorMoment) => getMonthEnd(month) <= published

/** A cache of settled months, limited by memory; concurrent callers wait for the same computation. */
export function createSettledMonthCache(world: MeterRegistry) {
  const held = new Map<string, Promise<SettledMonth>>()
  const sizes = new Map<string, number>()

  function trim() {
    for (const key of held.keys()) {
      const sum = [...sizes.values()].reduce((a, b) => a + b, 0)
      if (sum <= MAX_CACHE_BYTES || held.size <= 1) return
      held.delete(key)
      sizes.delete(key)
    }
  }

  function monthAt(settlement: OperationSettlement, month: string, at: number): Promise<SettledMonth> {
    const key = `${settlement.acc} ${month}`
    const known = held.get(key)
    // Moved to the end: the least recently used is dropped first.
    if (known) held.delete(key)
    const found = known ?? settleMonth(world, settlement, month, at)
    held.set(key, found)
    if (!known)
      found.then(
        ({ bytes }) => {
          if (held.get(key) !== found) return
          sizes.set(key, bytes)
          trim()
        },
        () => held.delete(key),
      )
    return found
  }

  return {
    forget() {
      held.clear()
      sizes.clear()
    },
    /** The settled months within [from, to), in epoch minutes, from the first to the last. */
    async months(
      settlement: OperationSettlement,
      from: number,
      to: number,
      moment: SimulatorMoment,
    ): Promise<SettledMonth[]> {
      const found: SettledMonth[] = []
      const { startsOn, endsOn } = settlement
      for (let month = monthOf(dayOf(from)); month <= dayOf(to - 1); month = addMonths(month, 1)) {
        const during = getMonthEnd(month) >= startsOn && (endsOn === null || month < endsOn)
        if (during && isMonthSettled(month, moment)) found.push(await monthAt(settlement, month, moment.ms))
      }
      return found
    },
  }
}
type SettledMonthCache = ReturnType<typeof createSettledMonthCache>
