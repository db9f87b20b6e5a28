import type { TimeCalendar } from '@voisol/energy/time-classes'
import type { Answer } from '../../../compute/task.ts'
import { gridCosts, gridRule } from './grid-rule.ts'
import type { Joiner } from './joiners.ts'
import { joinRule, keyRule } from './key-rules.ts'
import { meterRules } from './meter-rules.ts'
import type { Raw } from './numbers.ts'
import { type Deliveries, type Ending, peopleRules } from './people-rules.ts'
import { plantRules } from './plant-rules.ts'
import type { Known } from './prices.ts'
import type { Scene } from './scene.ts'
import { sharedOver } from './sharing.ts'

export type ToLookAt = {
  operationId: string
  today: string
  scene: Scene
  prices: Known
  names: Record<string, string>
  /** Degree-days below 16 °C of each day, NaN where the temperature is not known. */
  cold: Float64Array
  endings: Ending[]
  deliveries: Deliveries[]
  joiners: Joiner[]
  kvas: Record<string, number>
  calendar: TimeCalendar
}

const MONTH = 30

/** Every rule on one operation. */
export default function find(given: ToLookAt): Answer<Raw[]> {
  const { scene, operationId, prices, names, today, endings, deliveries } = given
  const { share, local } = sharedOver(scene, MONTH)
  return {
    value: [
      ...plantRules(scene, share),
      ...meterRules(scene, given.cold),
      ...peopleRules(scene, { today, endings, deliveries, local }),
      ...keyRule(scene, operationId, prices, names),
      ...joinRule(scene, operationId, given.joiners),
      ...gridRule(scene, operationId, gridCosts(scene, given.kvas, given.calendar), names),
    ],
  }
}
