import type { Study } from '@voisol/contract/projects'
import type { Place } from '@voisol/energy/model/weather'
import type { Answer } from '../../../compute/task.ts'
import { balance } from './balance.ts'
import { type Curve, loads, production } from './study-curves.ts'
import type { StudyInputs } from './study-inputs.ts'

type Given = { inputs: StudyInputs; place: Place; measured: Map<string, Curve> }

export default function study({ inputs, place, measured }: Given): Answer<Study> {
  return { value: balance(inputs, production(inputs.roofs, place), loads(inputs.candidates, measured, place)) }
}
