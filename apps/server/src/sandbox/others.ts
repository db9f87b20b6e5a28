import { addDays, addMonths } from '@voisol/energy/calendar'
import { type Answer, json, Refusal } from './answers.ts'
import type { Moment } from './clock.ts'
import type { World } from './world.ts'

const PAGE = 100
const YEARS = 3

function bodyOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}')
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {}
  throw new Refusal(400, 'Invalid_request', 'The body must be a JSON object')
}

/** The points that the client holds itself, a hundred at a time. */
export function perimeter(world: World, moment: Moment, text: string): Answer {
  const { page_number: page = 1 } = bodyOf(text)
  if (typeof page !== 'number' || !Number.isInteger(page) || page < 1)
    throw new Refusal(400, 'Invalid_request', 'page_number parameter must be a positive integer')
  const all = [...new Set(world.meters().map(({ prm }) => prm))]
    .filter((prm) => world.consent(prm, moment).state !== 'withdrawn')
    .sort()
  const total = Math.max(1, Math.ceil(all.length / PAGE))
  return json({
    usage_point_id: all.slice((page - 1) * PAGE, page * PAGE),
    query_parameters: { page_number: page, page_total_count: total },
  })
}

export function address(world: World, prm: string): Answer {
  if (!/^\d{14}$/.test(prm))
    throw new Refusal(400, 'Invalid_request', 'usage_point_id parameter must be 14 digits long')
  const meter = world.meters().find((one) => one.prm === prm)
  if (!meter) throw new Refusal(403, 'ADAM-DC-0008', 'No consent can be found for this customer and this usage point')
  const { place } = meter
  return json({ address: { number_street_name: place.address, postal_code_city: place.city, insee_code: '' } })
}

/** What the holder agreed to: a curve and a daily energy per direction. */
export function services(world: World, moment: Moment, text: string): Answer {
  const { pointId } = bodyOf(text)
  if (typeof pointId !== 'string' || !/^\d{14}$/.test(pointId))
    throw new Refusal(400, 'SGT400', 'pointId parameter must be 14 digits long')
  const { state, until } = world.consent(pointId, moment)
  const own = world.meters().filter(({ prm }) => prm === pointId)
  if (!own.length) return json({ nbTotalServices: 0, serviceSouscrit: [] })
  const serviceSouscrit = own.flatMap(({ direction, step, from }) =>
    (['CDC', 'ENERGIE'] as const).map((kind, at) => ({
      id: `${pointId}-${direction === 'production' ? 'I' : 'S'}${at + 1}`,
      injection: direction === 'production',
      soutirage: direction === 'consumption',
      serviceCode: 'ACCES',
      dateDebut: from,
      dateFin: until?.slice(0, 10) ?? lastDayOf(from, moment),
      etatCode: state === 'active' || (state === 'opposed' && kind === 'ENERGIE') ? 'ACTIF' : 'RESILIE',
      pointId,
      mesuresTypeCode: kind,
      mesuresPas: kind === 'CDC' ? `PT${step}M` : 'P1D',
      autorisation: { autorisationId: `AUT-${pointId}`, autorisationType: 'EXPLICITE' },
    })),
  )
  return json({ nbTotalServices: serviceSouscrit.length, serviceSouscrit })
}

/** An access lasts three years and is renewed by whoever still needs it. */
function lastDayOf(from: string, { today }: Moment): string {
  let end = addMonths(from, 12 * YEARS)
  while (end <= today) end = addMonths(end, 12 * YEARS)
  return addDays(end, -1)
}
