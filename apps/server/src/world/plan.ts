import { berges } from './berges.ts'
import type { OperationPlan } from './blueprint.ts'
import { rhoneSud } from './rhone-sud.ts'
import type { Scale } from './scale.ts'
import { tilleuls } from './tilleuls.ts'
import { waiting } from './waiting.ts'

/** Everything the demo holds, but the readings. */
export const operationsOf = (scale: Scale): OperationPlan[] =>
  scale.whole ? [tilleuls(scale), berges(scale), rhoneSud(scale), ...waiting(scale)] : [tilleuls(scale)]
export const running = (scale: Scale) => operationsOf(scale).filter(({ values }) => values.status === 'active')
