import type { TimeCalendar } from '@voisol/energy/time-classes'
import type { TaskResult } from '../../../workers/task.ts'
import { computeGridCosts, type GridCost } from './grid-tariff-rule.ts'
import type { InsightData } from './insight-data.ts'

type GridTaskInput = { scene: InsightData; kvas: Record<string, number>; calendar: TimeCalendar }

export default function computeGridCostsTask({ scene, kvas, calendar }: GridTaskInput): TaskResult<GridCost[]> {
  return { value: computeGridCosts(scene, kvas, calendar) }
}
