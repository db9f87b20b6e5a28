import { SimulatedRefusal, type SimulatorResponse, toJsonResponse } from './answers.ts'
import type { SimulatorMoment } from './clock.ts'
import type { DemoMeterSource } from './demo.ts'
import { requireValidKeyUpload } from './key-upload.ts'
import type { MonthAlteration } from './plant-months.ts'
import type { ApiResource } from './resources.ts'
import { createSettledMonthCache } from './settled.ts'
import { answerQuantities, answerSeries } from './settled-answers.ts'
import { buildSettlements, type OperationSettlement } from './settlement.ts'
import type { SimulatorStore } from './store.ts'
import type { MeterRegistry } from './world.ts'

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
  const known = () => (all ??= buildSettlements(store.state.agreements, demo))

  function find(acc: string): OperationSettlement {
    if (!/^ACC\d{8}$/.test(acc)) throw createInvalidRefusal('agreement_id must be ACC followed by 8 digits')
    const found = known().find((one) => one.acc === acc)
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
      if (other === 'agreements') return toJsonResponse({ agreements: known().map(row) })
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
