import type { Study } from '@voisol/contract/projects'
import type { Coordinates } from '@voisol/energy/model/weather'
import type { TaskResult } from '../../../workers/task.ts'
import { computeStudy } from './compute-study.ts'
import { computeCandidateLoads, computeProductionCurves, type HourlyCurve } from './study-curves.ts'
import type { StudyInputs } from './study-inputs.ts'

type StudyTaskInput = { inputs: StudyInputs; place: Coordinates; measured: Map<string, HourlyCurve> }

export default function computeStudyTask({ inputs, place, measured }: StudyTaskInput): TaskResult<Study> {
  return {
    value: computeStudy(
      inputs,
      computeProductionCurves(inputs.roofs, place),
      computeCandidateLoads(inputs.candidates, measured, place),
    ),
  }
}
