import type { CandidateGain } from '@voisol/energy/insights/joins-next'
import type { TaskResult } from '../../../compute/task.ts'
import type { StoredCandidate } from './joiners.ts'
import { computeUnusedSurplusWh, findCandidatesToJoin } from './key-rules.ts'
import type { InsightData } from './scene.ts'

export default function rankCandidatesTask({
  scene,
  joiners,
}: {
  scene: InsightData
  joiners: StoredCandidate[]
}): TaskResult<{ ranked: CandidateGain[]; surplus: number }> {
  return { value: { ranked: findCandidatesToJoin(scene, joiners), surplus: computeUnusedSurplusWh(scene) } }
}
