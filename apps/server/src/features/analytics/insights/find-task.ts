import type { TimeCalendar } from '@voisol/energy/time-classes'
import type { TaskResult } from '../../../workers/task.ts'
import type { EnergyPrices } from './energy-prices.ts'
import type { RuleFinding } from './finding-numbers.ts'
import { computeGridCosts, findGridTariffInsights } from './grid-tariff-rule.ts'
import { computeSharedEnergy } from './insight-curves.ts'
import type { InsightData, StoredCandidate } from './insight-data.ts'
import { findBetterKeyInsights, findJoinInsights } from './key-rules.ts'
import { findMeterInsights } from './meter-rules.ts'
import { type EndingConsent, findPeopleInsights, type PointDeliveries } from './people-rules.ts'
import { findPlantInsights } from './plant-rules.ts'

export type FindInsightsInput = {
  operationId: string
  today: string
  scene: InsightData
  prices: EnergyPrices
  names: Record<string, string>
  /** Degree-days below 16 °C of each day; NaN when the temperature is unknown. */
  cold: Float64Array
  endings: EndingConsent[]
  deliveries: PointDeliveries[]
  joiners: StoredCandidate[]
  kvas: Record<string, number>
  calendar: TimeCalendar
}

const SHARED_DAYS = 30

/** Runs every rule on one operation. */
export default function findInsights(input: FindInsightsInput): TaskResult<RuleFinding[]> {
  const { scene, operationId, prices, names, today, endings, deliveries } = input
  const { share, local } = computeSharedEnergy(scene, SHARED_DAYS)
  return {
    value: [
      ...findPlantInsights(scene, share),
      ...findMeterInsights(scene, input.cold),
      ...findPeopleInsights(scene, { today, endings, deliveries, local }),
      ...findBetterKeyInsights(scene, operationId, prices, names),
      ...findJoinInsights(scene, operationId, input.joiners),
      ...findGridTariffInsights(scene, operationId, computeGridCosts(scene, input.kvas, input.calendar), names),
    ],
  }
}
