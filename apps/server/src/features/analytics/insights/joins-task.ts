import type { CandidateGain } from '@voisol/energy/insights/join-candidates'
import type { TaskResult } from '../../../workers/task.ts'
import type { InsightData, StoredCandidate } from './insight-data.ts'
import { computeUnusedSurplusWh, findCandidatesToJoin } from './key-rules.ts'

export default function rankCandidatesTask({
  scene,
  joiners,
}: {
  scene: InsightData
  joiners: StoredCandidate[]
}): TaskResult<{ ranked: CandidateGain[]; surplus: number }> {
  return { value: { ranked: findCandidatesToJoin(scene, joiners), surplus: computeUnusedSurplusWh(scene) } }
}
