import type { KeyComparison } from '@voisol/energy/insights/better-key'
import type { Answer } from '../../../compute/task.ts'
import { compared, proposal } from './key-rules.ts'
import type { Known } from './prices.ts'
import type { Scene } from './scene.ts'

export type KeyTried = { comparison: KeyComparison; proposed: string | null } | null

export default function compareKey({ scene, prices }: { scene: Scene; prices: Known }): Answer<KeyTried> {
  const comparison = compared(scene)
  if (!comparison) return { value: null }
  return { value: { comparison, proposed: proposal(comparison, prices)?.evidence.offer.name ?? null } }
}
