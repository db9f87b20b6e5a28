import type { TimeCalendar } from '@voisol/energy/time-classes'
import type { Answer } from '../../../compute/task.ts'
import { type Costed, gridCosts } from './grid-rule.ts'
import type { Scene } from './scene.ts'

type Given = { scene: Scene; kvas: Record<string, number>; calendar: TimeCalendar }

export default function grid({ scene, kvas, calendar }: Given): Answer<Costed[]> {
  return { value: gridCosts(scene, kvas, calendar) }
}
