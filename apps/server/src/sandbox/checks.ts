import { addDays, daysBetween, isDay } from '@voisol/energy/calendar'
import { SimulatedRefusal } from './answers.ts'
import { getHistoryStart, type SimulatorMoment } from './clock.ts'
import type { Direction } from './schemas.ts'
import type { MeterRegistry, SimulatedMeter } from './world.ts'
import type { ResponseForm } from './write-curve.ts'

type MeasureKind = 'curve' | 'daily'
export type MeasureRequest = {
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

/** Validates the request itself, before its point. */
export function requireValidRequest({ form, sort, prm, from, to }: MeasureRequest, moment: SimulatorMoment): void {
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

export const createNoDataRefusal = (form: ResponseForm) =>
  form === 'new'
    ? new SimulatedRefusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')
    : new SimulatedRefusal(404, 'STM-ERR-0000020', 'no measure found for this usage point')

/** Whether the holder of the point allows it to be read. */
export function requireReadableMeter(
  world: MeterRegistry,
  asking: MeasureRequest,
  moment: SimulatorMoment,
): SimulatedMeter {
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
export const getKnownUntil = ({ to }: SimulatedMeter, asked: string, { published }: SimulatorMoment): string =>
  [asked, addDays(published, 1), ...(to ? [to] : [])].reduce((a, b) => (a < b ? a : b))
