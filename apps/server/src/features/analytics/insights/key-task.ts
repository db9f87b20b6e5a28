import type { KeyComparison } from '@voisol/energy/insights/better-key'
import type { TaskResult } from '../../../workers/task.ts'
import type { EnergyPrices } from './energy-prices.ts'
import type { InsightData } from './insight-data.ts'
import { compareCurrentKey, findKeyProposal } from './key-rules.ts'

type KeyComparisonResult = { comparison: KeyComparison; proposed: string | null } | null

export default function compareCurrentKeyTask({
  scene,
  prices,
}: {
  scene: InsightData
  prices: EnergyPrices
}): TaskResult<KeyComparisonResult> {
  const comparison = compareCurrentKey(scene)
  if (!comparison) return { value: null }
  return { value: { comparison, proposed: findKeyProposal(comparison, prices)?.evidence.offer.name ?? null } }
}
