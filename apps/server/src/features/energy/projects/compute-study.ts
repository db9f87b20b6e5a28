import type { Project, Study } from '@voisol/contract/projects'
import { type AllocationResult, allocateEnergy } from '@voisol/energy/allocate'
import { dayStart, localTime } from '@voisol/energy/calendar'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import { type AllocationKey, WHOLE_SHARE } from '@voisol/energy/keys'
import { computeRates } from '@voisol/energy/metrics'
import { TYPICAL_STEPS, TYPICAL_YEAR } from '@voisol/energy/model/typical-year'
import { sumKnown } from '@voisol/energy/series'
import { computeEnergyCents as cents } from '@voisol/money/amounts'
import type { CandidateLoad, HourlyCurve } from './study-curves.ts'
import type { StudyInputs } from './study-inputs.ts'

type HourlyEnergies = { produced: Float64Array; consumed: Float64Array; allocated: Float64Array }
const ALWAYS_ACTIVE: [number, number][] = [[0, TYPICAL_STEPS]]
const sumCurves = (curves: HourlyCurve[]) => curves.reduce((sum, curve) => sum + sumKnown(curve), 0)

function allocateTypicalYear(
  { project }: StudyInputs,
  production: HourlyCurve[],
  loads: CandidateLoad[],
): AllocationResult {
  const consumers = loads.map(({ curve }, at) => ({ id: String(at), values: curve, active: ALWAYS_ACTIVE }))
  const weightedConsumers = loads.map(({ curve }, at) => ({ id: String(at), weight: sumKnown(curve) }))
  return allocateEnergy({
    steps: TYPICAL_STEPS,
    producers: production.map((values, at) => ({ id: `roof ${at}`, values, active: ALWAYS_ACTIVE })),
    consumers,
    keys: [{ from: 0, to: TYPICAL_STEPS, key: buildStudyKey(project.method, weightedConsumers) }],
  })
}

function addCurves(curves: HourlyCurve[]): Float64Array {
  const sum = new Float64Array(TYPICAL_STEPS)
  for (const curve of curves) for (let at = 0; at < TYPICAL_STEPS; at++) sum[at] = (sum[at] ?? 0) + (curve[at] ?? 0)
  return sum
}

function sumByMonth(hours: HourlyEnergies): Study['months'] {
  const { month } = getTypicalCalendar()
  const months = Array.from({ length: 12 }, (_, at) => ({ month: at + 1, produced: 0, consumed: 0, allocated: 0 }))
  for (let at = 0; at < TYPICAL_STEPS; at++) {
    const line = months[(month[at] ?? 1) - 1]
    if (!line) continue
    line.produced += hours.produced[at] ?? 0
    line.consumed += hours.consumed[at] ?? 0
    line.allocated += hours.allocated[at] ?? 0
  }
  return months
}

/** The mean of each hour of the day over one season. */
function computeAverageDay(values: Float64Array, wantedSeason: number): number[] {
  const { season, hour } = getTypicalCalendar()
  const sums = new Float64Array(24)
  const counts = new Uint16Array(24)
  for (let at = 0; at < TYPICAL_STEPS; at++) {
    if (season[at] !== wantedSeason) continue
    const h = hour[at] ?? 0
    sums[h] = (sums[h] ?? 0) + (values[at] ?? 0)
    counts[h] = (counts[h] ?? 0) + 1
  }
  return Array.from(sums, (sum, h) => Math.round(sum / Math.max(1, counts[h] ?? 1)))
}

const buildSeasonDays = ({ produced, consumed, allocated }: HourlyEnergies): Study['days'] =>
  SEASONS.map((season, at) => ({
    season,
    produced: computeAverageDay(produced, at),
    consumed: computeAverageDay(consumed, at),
    allocated: computeAverageDay(allocated, at),
  }))

function buildParticipantResults(
  { project, candidates }: StudyInputs,
  loads: CandidateLoad[],
  shared: AllocationResult,
): Study['participants'] {
  return candidates.map(({ name, profile }, at) => {
    const consumed = sumKnown(loads[at]?.curve ?? new Int32Array())
    const allocated = sumKnown(shared.allocated[at] ?? new Int32Array())
    return {
      name,
      profile,
      measured: loads[at]?.measured ?? false,
      consumed,
      allocated,
      coverage: consumed > 0 ? allocated / consumed : null,
      savingsCents: computeSavingsCents(allocated, project),
    }
  })
}

/** The study of a typical year hour by hour, with the same allocation engine as real months. */
export function computeStudy(inputs: StudyInputs, production: HourlyCurve[], loads: CandidateLoad[]): Study {
  const shared = allocateTypicalYear(inputs, production, loads)
  const hours = {
    produced: addCurves(production),
    consumed: addCurves(loads.map(({ curve }) => curve)),
    allocated: addCurves(shared.allocated),
  }
  const sums = {
    produced: sumCurves(production),
    consumed: sumCurves(loads.map(({ curve }) => curve)),
    allocated: sumCurves(shared.allocated),
  }
  const { surplus, selfConsumption, selfProduction } = computeRates(sums)
  const watts = inputs.roofs.reduce((sum, { peakWatts }) => sum + peakWatts, 0)
  const participants = buildParticipantResults(inputs, loads, shared)
  return {
    ...sums,
    surplus,
    selfConsumption,
    selfProduction,
    ...computeProfitability({ allocated: sums.allocated, surplus, watts }, inputs.project),
    savingsCents: participants.reduce((sum, { savingsCents }) => sum + savingsCents, 0),
    months: sumByMonth(hours),
    days: buildSeasonDays(hours),
    participants,
    engineVersion: ENGINE_VERSION,
  }
}

type StudyPrices = StudyInputs['project']

/** What is no longer paid to the supplier, minus what is paid for local energy. */
export const computeSavingsCents = (allocated: number, { gridPrice, localPrice }: StudyPrices) =>
  cents(allocated, gridPrice) - cents(allocated, localPrice)

export function computeProfitability(
  { allocated, surplus, watts }: { allocated: number; surplus: number; watts: number },
  prices: StudyPrices,
): Pick<Study, 'investmentCents' | 'incomeCents' | 'payback'> {
  const investmentCents = Math.round((watts * prices.investmentPerKwc) / 1000)
  const incomeCents = cents(allocated, prices.localPrice) + cents(surplus, prices.surplusPrice)
  const yearlyGain = incomeCents - prices.yearlyCosts
  const payback = yearlyGain > 0 ? Math.round((investmentCents / yearlyGain) * 10) / 10 : null
  return { investmentCents, incomeCents, payback }
}

const SEASONS = ['winter', 'spring', 'summer', 'autumn'] as const
/** December counts with the winter it begins. */
const getSeason = (month: number) => Math.floor((month % 12) / 3)

type TypicalCalendar = { days: string[]; month: Uint8Array; hour: Uint8Array; season: Uint8Array }
let cachedCalendar: TypicalCalendar | undefined

/** For each hour of the typical year: its day, month from 1, local hour and season. */
export function getTypicalCalendar(): TypicalCalendar {
  if (cachedCalendar) return cachedCalendar
  const from = dayStart(`${TYPICAL_YEAR}-01-01`)
  const hours = Array.from({ length: TYPICAL_STEPS }, (_, at) => localTime(from + at * 60))
  const month = Uint8Array.from(hours, ({ day }) => Number(day.slice(5, 7)))
  cachedCalendar = {
    days: hours.map(({ day }) => day),
    month,
    hour: Uint8Array.from(hours, ({ minuteOfDay }) => Math.floor(minuteOfDay / 60)),
    season: month.map(getSeason),
  }
  return cachedCalendar
}

/** Millionths in proportion to the weights, adding up to the whole; equal when all weights are zero. */
export function splitProportionally(weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const exact = weights.map((weight) => (sum > 0 ? weight / sum : 1 / weights.length) * WHOLE_SHARE)
  const shares = exact.map(Math.floor)
  const rest = WHOLE_SHARE - shares.reduce((total, share) => total + share, 0)
  const byRemainder = exact.map((value, at) => ({ at, part: value % 1 })).sort((a, b) => b.part - a.part || a.at - b.at)
  for (const { at } of byRemainder.slice(0, rest)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

type WeightedConsumer = { id: string; weight: number }

/** The key of a study: fixed shares by yearly consumption, ranks by list order. */
function buildStudyKey(method: Project['method'], consumers: WeightedConsumer[]): AllocationKey {
  if (method === 'default' || method === 'equal') return { method }
  if (method === 'priority') return { method, ranks: Object.fromEntries(consumers.map(({ id }, at) => [id, at + 1])) }
  const shares = splitProportionally(consumers.map(({ weight }) => weight))
  return { method, shares: Object.fromEntries(consumers.map(({ id }, at) => [id, shares[at] ?? 0])) }
}
