import { addMonths, dayOf, dayStart, isDay, monthOf } from '@voisol/energy/calendar'
import { SimulatedRefusal, type SimulatorResponse, toJsonResponse } from './answers.ts'
import type { SimulatorMoment } from './clock.ts'
import { alterMonths, type MonthAlteration } from './plant-months.ts'
import { computeQuantities, type SeriesType, SIMULATED_SERIES, writeSeries } from './series.ts'
import { isMonthSettled, type SettledMonthCache } from './settled.ts'
import type { OperationSettlement } from './settlement.ts'

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

export type SettlementQuestion = { query: URLSearchParams; moment: SimulatorMoment; plant: MonthAlteration | undefined }
type Period = { from: number; to: number }

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
