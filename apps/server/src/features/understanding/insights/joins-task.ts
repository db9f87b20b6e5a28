import type { Joining } from '@voisol/energy/insights/joins-next'
import type { Answer } from '../../../compute/task.ts'
import type { Joiner } from './joiners.ts'
import { joining, surplusOf } from './key-rules.ts'
import type { Scene } from './scene.ts'

export default function joins({
  scene,
  joiners,
}: {
  scene: Scene
  joiners: Joiner[]
}): Answer<{ ranked: Joining[]; surplus: number }> {
  return { value: { ranked: joining(scene, joiners), surplus: surplusOf(scene) } }
}
