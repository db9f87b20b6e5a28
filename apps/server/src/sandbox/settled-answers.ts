import { addMonths, dayOf, dayStart, isDay, monthOf } from '@voisol/energy/calendar'
import { type Answer, json, Refusal } from './answers.ts'
import type { Moment } from './clock.ts'
import { type MonthPlant, plantMonths } from './plant-months.ts'
import { quantitiesOf, SERIES, type SeriesType, seriesOf } from './series.ts'
import { isSettled, type SettledMonths } from './settled.ts'
import type { Settlement } from './settlement.ts'

const MOST_MONTHS = 36
const invalid = (message: string) => new Refusal(400, 'SGT400', message)
const nothing = () => new Refusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')

/** `20260901T000000Z`, or a local day. */
function minuteOf(name: string, text: string | null): number {
  if (text && isDay(text)) return dayStart(text)
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '')
  const at = match ? Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}Z`) : Number.NaN
  if (Number.isNaN(at)) throw invalid(`${name} parameter must be of the form YYYYMMDDTHHMMSSZ`)
  return Math.floor(at / 60_000)
}

function periodOf(query: URLSearchParams): { from: number; to: number } {
  const [from, to] = [minuteOf('start', query.get('start')), minuteOf('end', query.get('end'))]
  if (from >= to) throw invalid('Start date should be before end date')
  if (dayOf(to) > addMonths(dayOf(from), MOST_MONTHS)) throw invalid('The requested period is too long')
  return { from, to }
}

function typesOf(query: URLSearchParams): SeriesType[] {
  const asked = (query.get('type') ?? '').split(',').filter(Boolean)
  const types = SERIES.filter((type) => asked.includes(type))
  if (!types.length || types.length !== new Set(asked).size) throw invalid(`type must be among ${SERIES.join(', ')}`)
  return types
}

export type Question = { query: URLSearchParams; moment: Moment; plant: MonthPlant | undefined }
type Period = { from: number; to: number }

async function monthsOf(
  settled: SettledMonths,
  settlement: Settlement,
  { from, to }: Period,
  { moment, plant }: Question,
) {
  const months = await settled.months(settlement, from, to, moment)
  if (!plant) return months
  const [before] = await settled.months(settlement, dayStart(addMonths(monthOf(dayOf(from)), -1)), from, moment)
  return plantMonths(plant, months, before)
}

export async function answerSeries(
  settled: SettledMonths,
  settlement: Settlement,
  question: Question,
): Promise<Answer> {
  const { query } = question
  const [period, types, prm] = [periodOf(query), typesOf(query), query.get('prm')]
  if (prm !== null && !settlement.seats.some((seat) => seat.prm === prm)) throw nothing()
  const months = await monthsOf(settled, settlement, period, question)
  const rows = seriesOf(months, period, types, prm)
  if (!rows.length) throw nothing()
  return { status: 200, body: `{"agreement_id":"${settlement.acc}","series":[${rows.join(',')}]}` }
}

/** Quantities are of periods that are over, or of none. */
export async function answerQuantities(
  settled: SettledMonths,
  settlement: Settlement,
  { role = '', prm = '' }: Record<string, string>,
  question: Question,
): Promise<Answer> {
  const { query, moment } = question
  const [{ from, to }, types] = [periodOf(query), typesOf(query)]
  if (role !== 'cons' && role !== 'prod') throw invalid('the role must be cons or prod')
  if (!settlement.seats.some((seat) => seat.prm === prm && seat.role === role)) throw nothing()
  const months = await monthsOf(settled, settlement, { from, to }, question)
  const found = isSettled(monthOf(dayOf(to - 1)), moment)
    ? quantitiesOf(months, { from, to }, types, { prm, role })
    : []
  if (!found.length) throw nothing()
  const iso = (minute: number) => new Date(minute * 60_000).toISOString().replace('.000', '')
  return json({
    [`${role}_id`]: prm,
    startDate: iso(from),
    endDate: iso(to),
    unit: 'kWh',
    quantities: found,
  })
}
