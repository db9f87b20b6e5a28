import { addDays, addMonths } from '@voisol/energy/calendar'
import { SimulatedRefusal, type SimulatorResponse, toJsonResponse } from './answers.ts'
import type { SimulatorMoment } from './clock.ts'
import type { MeterRegistry } from './world.ts'

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
