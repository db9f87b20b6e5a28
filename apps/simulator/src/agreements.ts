import type { MonthAlteration } from './alterations.ts'
import type { DemoMeterSource } from './demo-meters.ts'
import type { MeterRegistry } from './meter-registry.ts'
import type { ApiResource } from './resources.ts'
import { SimulatedRefusal, type SimulatorResponse, toJsonResponse } from './responses.ts'
import { answerQuantities, answerSeries, createSettledMonthCache } from './settled-months.ts'
import { buildSettlements, type OperationSettlement, type SettledParticipation } from './settlement.ts'
import type { SimulatorMoment, SimulatorStore } from './simulator-store.ts'

const MAX_UPLOADS = 50
const createInvalidRefusal = (message: string) => new SimulatedRefusal(400, 'SGT400', message)

type AgreementQuestion = {
  query: URLSearchParams
  body: string
  moment: SimulatorMoment
  plant: MonthAlteration | undefined
}

/** The collective self-consumption interface: agreements, their points, and settled quantities. */
export function createAgreementService(store: SimulatorStore, world: MeterRegistry, demo?: DemoMeterSource) {
  const settled = createSettledMonthCache(world)
  let all: OperationSettlement[] | undefined
  const listSettlements = () => (all ??= buildSettlements(store.state.agreements, demo))

  function find(acc: string): OperationSettlement {
    if (!/^ACC\d{8}$/.test(acc)) throw createInvalidRefusal('agreement_id must be ACC followed by 8 digits')
    const found = listSettlements().find((one) => one.acc === acc)
    if (!found) throw new SimulatedRefusal(403, 'SGT403', 'Le client n’est pas autorisé pour la convention demandée')
    return found
  }

  function upload(
    { acc, seats }: OperationSettlement,
    prm: string,
    csv: string,
    { ms }: SimulatorMoment,
  ): SimulatorResponse {
    requireValidKeyUpload(seats, prm, csv)
    const one = { acc, prm, csv, at: new Date(ms).toISOString() }
    store.state.uploads = [...store.state.uploads, one].slice(-MAX_UPLOADS)
    store.save()
    return { status: 204, body: '' }
  }

  return {
    changed() {
      all = undefined
      settled.forget()
    },
    async answer(
      { other, values }: ApiResource,
      { query, body, moment, plant }: AgreementQuestion,
    ): Promise<SimulatorResponse> {
      const row = ({ acc, name, startsOn, endsOn }: OperationSettlement) => ({
        agreement_id: acc,
        name,
        start: startsOn,
        end: endsOn,
      })
      if (other === 'agreements') return toJsonResponse({ agreements: listSettlements().map(row) })
      const settlement = find(values.acc ?? '')
      if (other === 'series') return answerSeries(settled, settlement, { query, moment, plant })
      if (other === 'quantities') return answerQuantities(settled, settlement, values, { query, moment, plant })
      if (other === 'keys') return upload(settlement, values.prm ?? '', body, moment)
      const usage_points = settlement.seats.map(({ prm, role, startsOn, endsOn }) => ({
        usage_point_id: prm,
        role,
        start: startsOn,
        end: endsOn,
      }))
      return toJsonResponse({ ...row(settlement), usage_points })
    },
  }
}
export type AgreementService = ReturnType<typeof createAgreementService>

/** Tenths of a percent, so that sums are exact. */
const SCALE = 10

/** `Horodate;<prm>;…` then a row per step: percentages with a decimal comma, with a total of at most one hundred. */
function requireValidKeyUpload(seats: SettledParticipation[], producer: string, csv: string): void {
  if (!seats.some(({ prm, role }) => prm === producer && role === 'prod'))
    throw new SimulatedRefusal(403, 'SGT403', 'Le client n’est pas autorisé pour le point demandé')
  const [header = '', ...rows] = csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(Boolean)
  const [first, ...prms] = header.split(';')
  if (first !== 'Horodate' || !prms.length) throw createInvalidRefusal('the first line must be Horodate;<prm>;…')
  const known = new Set(seats.filter(({ role }) => role === 'cons').map(({ prm }) => prm))
  const stranger = prms.find((prm) => !known.has(prm))
  if (stranger) throw createInvalidRefusal(`${stranger} is not a consumer of the agreement`)
  if (!rows.length) throw createInvalidRefusal('the file has no coefficients')
  for (const [at, row] of rows.entries()) {
    const [stamp = '', ...cells] = row.split(';')
    const values = cells.map((cell) => (/^\d{1,3}(,\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : Number.NaN))
    if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(stamp) || cells.length !== prms.length || values.some(Number.isNaN))
      throw createInvalidRefusal(`line ${at + 2} is not readable`)
    const sum = values.reduce((total, value) => total + Math.round(value * SCALE), 0)
    if (sum > 100 * SCALE) throw createInvalidRefusal(`the coefficients of line ${at + 2} sum to more than 100`)
  }
}
