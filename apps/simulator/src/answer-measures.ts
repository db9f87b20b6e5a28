import { addDays, addMonths, dayOf, dayStart, daysBetween, isDay, listDays } from '@voisol/energy/calendar'
import type { Deformation } from './alterations.ts'
import type { MeterRegistry, SimulatedDayReading, SimulatedMeter } from './meter-registry.ts'
import { SimulatedRefusal, type SimulatorResponse, toJsonResponse } from './responses.ts'
import type { Direction } from './simulator-state.ts'
import type { SimulatorMoment } from './simulator-store.ts'
import { type CurveValue, type ResponseForm, wrapCurve, writeDaily, writeDay, writeValues } from './write-curve.ts'

type Day = SimulatedDayReading & { day: string }

const listReadDays = (
  meter: SimulatedMeter,
  asking: MeasureRequest,
  moment: SimulatorMoment,
  read: 'read' | 'whole',
): Day[] =>
  listDays(asking.from, getKnownUntil(meter, asking.to, moment)).flatMap((day) => {
    const reading = meter[read](day, moment.ms)
    return reading ? [{ day, ...reading }] : []
  })

const toCurveValues = (step: number, days: Day[]): CurveValue[] =>
  days.flatMap(({ day, watts, quality }) => {
    const start = dayStart(day)
    return Array.from(watts, (value, at) => ({ end: start + (at + 1) * step, minutes: step, watts: value, quality }))
  })

const NOON = 12 * 60

const dayOfValue = ({ end, minutes }: CurveValue) => dayOf(end - minutes)

const lastDay = (values: CurveValue[]) => values.map(dayOfValue).reduce((a, b) => (a > b ? a : b), '')

const sinceMidnight = (value: CurveValue) => value.end - value.minutes - dayStart(dayOfValue(value))

/** Two values become one of twice the duration where both are known. */
function mergeSteps(values: CurveValue[]): CurveValue[] {
  const found: CurveValue[] = []
  for (let at = 0; at + 1 < values.length; at += 2) {
    const [a, b] = [values[at], values[at + 1]]
    if (!a || !b || a.watts < 0 || b.watts < 0) continue
    found.push({ ...b, minutes: b.minutes * 2, watts: Math.round((a.watts + b.watts) / 2) })
  }
  return found
}

const splitSteps = (values: CurveValue[]): CurveValue[] =>
  values.flatMap((value) => {
    const minutes = value.minutes / 2
    return [
      { ...value, minutes, end: value.end - minutes },
      { ...value, minutes },
    ]
  })

/** A well-formed answer that differs from what the meter measured. */
function deformValues(kind: Deformation, values: CurveValue[]): CurveValue[] {
  const last = lastDay(values)
  if (kind === 'late') return values.filter((value) => dayOfValue(value) !== last)
  const afternoon = (value: CurveValue) => sinceMidnight(value) >= NOON
  if (kind === 'partial') return values.filter((value) => dayOfValue(value) !== last || !afternoon(value))
  if (kind === 'duplicate') return values.flatMap((value) => (afternoon(value) ? [value, value] : [value]))
  const mornings = values.filter((value) => dayOfValue(value) === last && !afternoon(value))
  const step = mornings[0]?.minutes ?? 15
  const changed =
    step === 15 || step === 5 || step === 30 ? mergeSteps(mornings) : step === 60 ? splitSteps(mornings) : mornings
  const rest = values.filter((value) => dayOfValue(value) !== last || afternoon(value))
  return [...rest, ...changed].sort((a, b) => a.end - b.end)
}

/** Load curves and daily energies, in both formats. */
export function answerMeasure(
  world: MeterRegistry,
  asking: MeasureRequest,
  moment: SimulatorMoment,
  deformed?: Deformation,
): SimulatorResponse {
  requireValidRequest(asking, moment)
  const meter = requireReadableMeter(world, asking, moment)
  const { form, sort } = asking
  if (sort === 'daily') return answerDailyEnergy(meter, asking, moment)
  const days = listReadDays(meter, asking, moment, 'read').filter(({ watts }) => watts.some((value) => value >= 0))
  if (!days.length) throw createNoDataRefusal(form)
  if (!deformed) {
    const text = days.map(({ day, watts, quality }) => writeDay(form, day, meter.step, watts, quality))
    return { status: 200, body: wrapCurve(form, asking, text.join(',')) }
  }
  const values = deformValues(deformed, toCurveValues(meter.step, days)).filter(({ watts }) => watts >= 0)
  if (!values.length) throw createNoDataRefusal(form)
  return { status: 200, body: wrapCurve(form, asking, writeValues(form, values)) }
}

function answerDailyEnergy(meter: SimulatedMeter, asking: MeasureRequest, moment: SimulatorMoment): SimulatorResponse {
  const energies = listReadDays(meter, asking, moment, 'whole').map(({ day, watts }) => ({
    day,
    wh: Math.round((watts.reduce((sum, value) => sum + Math.max(0, value), 0) * meter.step) / 60),
  }))
  if (!energies.length) throw createNoDataRefusal(asking.form)
  return { status: 200, body: writeDaily(asking.form, asking, energies) }
}

type MeasureKind = 'curve' | 'daily'
type MeasureRequest = {
  form: ResponseForm
  sort: MeasureKind
  direction: Direction
  prm: string
  from: string
  to: string
}

const LIMITS = { curve: { days: 7, months: 24 }, daily: { days: 365, months: 36 } } as const

const createInvalidRefusal = (form: ResponseForm, message: string) =>
  new SimulatedRefusal(400, form === 'new' ? 'SGT400' : 'Invalid_request', message)

const EXTRA_DAYS = 15

/** The first day of the retained history. */
const getHistoryStart = ({ today }: SimulatorMoment, months: number): string =>
  addDays(addMonths(today, -months), -EXTRA_DAYS)

/** Validates the request itself, before its point. */
function requireValidRequest({ form, sort, prm, from, to }: MeasureRequest, moment: SimulatorMoment): void {
  const [point, start, end] = form === 'new' ? ['pointId', 'dateDebut', 'dateFin'] : ['usage_point_id', 'start', 'end']
  if (!/^\d{14}$/.test(prm)) throw createInvalidRefusal(form, `${point} parameter must be 14 digits long`)
  if (!isDay(from)) throw createInvalidRefusal(form, `${start} parameter must be a date of the form YYYY-MM-DD`)
  if (!isDay(to)) throw createInvalidRefusal(form, `${end} parameter must be a date of the form YYYY-MM-DD`)
  if (from >= to) throw createInvalidRefusal(form, 'Start date should be before end date')
  if (to > moment.today)
    throw createInvalidRefusal(form, 'The end date parameter must be earlier than the current date')
  const { days, months } = LIMITS[sort]
  if (daysBetween(from, to) > days) {
    if (sort === 'daily') throw createInvalidRefusal(form, 'The requested period must be less than 365 days')
    const message = 'The requested period must be less than 7 days for an access to the load curve'
    throw new SimulatedRefusal(400, form === 'new' ? 'ADAM-DC-0015' : 'ADAM-ERR0126', message)
  }
  if (from < getHistoryStart(moment, months)) {
    const message = 'The start date must be greater than the history deadline'
    throw new SimulatedRefusal(400, form === 'new' ? 'ADAM-DC-0016' : 'ADAM-ERR0125', message)
  }
}

const createUnknownPointRefusal = (form: ResponseForm) =>
  form === 'new'
    ? new SimulatedRefusal(403, 'SGT403', 'Le client n’est pas autorisé pour le point demandé')
    : new SimulatedRefusal(403, 'ADAM-DC-0008', 'No consent can be found for this customer and this usage point')

const createNoDataRefusal = (form: ResponseForm) =>
  form === 'new'
    ? new SimulatedRefusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')
    : new SimulatedRefusal(404, 'STM-ERR-0000020', 'no measure found for this usage point')

/** Whether the holder of the point allows it to be read. */
function requireReadableMeter(world: MeterRegistry, asking: MeasureRequest, moment: SimulatorMoment): SimulatedMeter {
  const { form, sort, prm, direction, from } = asking
  const meter = world.find(prm, direction)
  const other = world.find(prm, direction === 'consumption' ? 'production' : 'consumption')
  const { state } = world.consent(prm, moment)
  if ((!meter && !other) || state === 'withdrawn') throw createUnknownPointRefusal(form)
  if (state === 'moved')
    throw new SimulatedRefusal(403, 'ADAM-DC-0007', 'Le client n’est pas titulaire du point demandé')
  if (!meter)
    throw new SimulatedRefusal(400, 'ADAM-ERR0069', 'Le sens de la mesure ne correspond pas pour le PRM demandé')
  if (state === 'opposed' && sort === 'curve')
    throw new SimulatedRefusal(400, 'ADAM-ERR0075', 'The customer objected to the load curve recording')
  if (from < meter.from)
    throw new SimulatedRefusal(403, 'ADAM-DC-0009', 'The start date must be greater than the consent start date')
  return meter
}

/** The end (exclusive) of the days with data. */
const getKnownUntil = ({ to }: SimulatedMeter, asked: string, { published }: SimulatorMoment): string =>
  [asked, addDays(published, 1), ...(to ? [to] : [])].reduce((a, b) => (a < b ? a : b))

const PAGE_SIZE = 100
const ACCESS_YEARS = 3

function parseJsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}')
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {}
  throw new SimulatedRefusal(400, 'Invalid_request', 'The body must be a JSON object')
}

/** Points held by the client, in pages of a hundred. */
export function answerPerimeter(world: MeterRegistry, moment: SimulatorMoment, text: string): SimulatorResponse {
  const { page_number: page = 1 } = parseJsonObject(text)
  if (typeof page !== 'number' || !Number.isInteger(page) || page < 1)
    throw new SimulatedRefusal(400, 'Invalid_request', 'page_number parameter must be a positive integer')
  const all = [...new Set(world.meters().map(({ prm }) => prm))]
    .filter((prm) => world.consent(prm, moment).state !== 'withdrawn')
    .sort()
  const total = Math.max(1, Math.ceil(all.length / PAGE_SIZE))
  return toJsonResponse({
    usage_point_id: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    query_parameters: { page_number: page, page_total_count: total },
  })
}

export function answerAddress(world: MeterRegistry, prm: string): SimulatorResponse {
  if (!/^\d{14}$/.test(prm))
    throw new SimulatedRefusal(400, 'Invalid_request', 'usage_point_id parameter must be 14 digits long')
  const meter = world.meters().find((one) => one.prm === prm)
  if (!meter)
    throw new SimulatedRefusal(403, 'ADAM-DC-0008', 'No consent can be found for this customer and this usage point')
  const { place } = meter
  return toJsonResponse({
    address: { number_street_name: place.address, postal_code_city: place.city, insee_code: '' },
  })
}

/** Services the holder agreed to: a curve and a daily energy per direction. */
export function answerServices(world: MeterRegistry, moment: SimulatorMoment, text: string): SimulatorResponse {
  const { pointId } = parseJsonObject(text)
  if (typeof pointId !== 'string' || !/^\d{14}$/.test(pointId))
    throw new SimulatedRefusal(400, 'SGT400', 'pointId parameter must be 14 digits long')
  const { state, until } = world.consent(pointId, moment)
  const own = world.meters().filter(({ prm }) => prm === pointId)
  if (!own.length) return toJsonResponse({ nbTotalServices: 0, serviceSouscrit: [] })
  const serviceSouscrit = own.flatMap(({ direction, step, from }) =>
    (['CDC', 'ENERGIE'] as const).map((kind, at) => ({
      id: `${pointId}-${direction === 'production' ? 'I' : 'S'}${at + 1}`,
      injection: direction === 'production',
      soutirage: direction === 'consumption',
      serviceCode: 'ACCES',
      dateDebut: from,
      dateFin: until?.slice(0, 10) ?? getAccessEnd(from, moment),
      etatCode: state === 'active' || (state === 'opposed' && kind === 'ENERGIE') ? 'ACTIF' : 'RESILIE',
      pointId,
      mesuresTypeCode: kind,
      mesuresPas: kind === 'CDC' ? `PT${step}M` : 'P1D',
      autorisation: { autorisationId: `AUT-${pointId}`, autorisationType: 'EXPLICITE' },
    })),
  )
  return toJsonResponse({ nbTotalServices: serviceSouscrit.length, serviceSouscrit })
}

/** An access lasts three years, and is renewed by a client that still needs it. */
function getAccessEnd(from: string, { today }: SimulatorMoment): string {
  let end = addMonths(from, 12 * ACCESS_YEARS)
  while (end <= today) end = addMonths(end, 12 * ACCESS_YEARS)
  return addDays(end, -1)
}
