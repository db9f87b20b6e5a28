import { addDays, daysBetween, isDay } from '@voisol/energy/calendar'
import { Refusal } from './answers.ts'
import { historyOf, type Moment } from './clock.ts'
import type { Direction } from './schemas.ts'
import type { Meter, World } from './world.ts'
import type { Form } from './write-curve.ts'

type Sort = 'curve' | 'daily'
export type Asking = { form: Form; sort: Sort; direction: Direction; prm: string; from: string; to: string }

const LIMITS = { curve: { days: 7, months: 24 }, daily: { days: 365, months: 36 } } as const

const invalid = (form: Form, message: string) =>
  new Refusal(400, form === 'new' ? 'SGT400' : 'Invalid_request', message)

/** The form of the question, before who it is about. */
export function checkForm({ form, sort, prm, from, to }: Asking, moment: Moment): void {
  const [point, start, end] = form === 'new' ? ['pointId', 'dateDebut', 'dateFin'] : ['usage_point_id', 'start', 'end']
  if (!/^\d{14}$/.test(prm)) throw invalid(form, `${point} parameter must be 14 digits long`)
  if (!isDay(from)) throw invalid(form, `${start} parameter must be a date of the form YYYY-MM-DD`)
  if (!isDay(to)) throw invalid(form, `${end} parameter must be a date of the form YYYY-MM-DD`)
  if (from >= to) throw invalid(form, 'Start date should be before end date')
  if (to > moment.today) throw invalid(form, 'The end date parameter must be earlier than the current date')
  const { days, months } = LIMITS[sort]
  if (daysBetween(from, to) > days) {
    if (sort === 'daily') throw invalid(form, 'The requested period must be less than 365 days')
    const message = 'The requested period must be less than 7 days for an access to the load curve'
    throw new Refusal(400, form === 'new' ? 'ADAM-DC-0015' : 'ADAM-ERR0126', message)
  }
  if (from < historyOf(moment, months)) {
    const message = 'The start date must be greater than the history deadline'
    throw new Refusal(400, form === 'new' ? 'ADAM-DC-0016' : 'ADAM-ERR0125', message)
  }
}

const unknown = (form: Form) =>
  form === 'new'
    ? new Refusal(403, 'SGT403', 'Le client n’est pas autorisé pour le point demandé')
    : new Refusal(403, 'ADAM-DC-0008', 'No consent can be found for this customer and this usage point')

export const noData = (form: Form) =>
  form === 'new'
    ? new Refusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')
    : new Refusal(404, 'STM-ERR-0000020', 'no measure found for this usage point')

/** Whether the holder of the point lets us read it. */
export function checkPoint(world: World, asking: Asking, moment: Moment): Meter {
  const { form, sort, prm, direction, from } = asking
  const meter = world.find(prm, direction)
  const other = world.find(prm, direction === 'consumption' ? 'production' : 'consumption')
  const { state } = world.consent(prm, moment)
  if ((!meter && !other) || state === 'withdrawn') throw unknown(form)
  if (state === 'moved') throw new Refusal(403, 'ADAM-DC-0007', 'Le client n’est pas titulaire du point demandé')
  if (!meter) throw new Refusal(400, 'ADAM-ERR0069', 'Le sens de la mesure ne correspond pas pour le PRM demandé')
  if (state === 'opposed' && sort === 'curve')
    throw new Refusal(400, 'ADAM-ERR0075', 'The customer objected to the load curve recording')
  if (from < meter.from)
    throw new Refusal(403, 'ADAM-DC-0009', 'The start date must be greater than the consent start date')
  return meter
}

/** The last day, exclusive, of which anything can be told. */
export const knownUntil = ({ to }: Meter, asked: string, { published }: Moment): string =>
  [asked, addDays(published, 1), ...(to ? [to] : [])].reduce((a, b) => (a < b ? a : b))
