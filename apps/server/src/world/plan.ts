import { buildBerges } from './berges.ts'
import type { OperationPlan } from './blueprint.ts'
import { buildRhoneSud } from './rhone-sud.ts'
import type { DemoScale } from './scale.ts'
import { buildTilleuls } from './tilleuls.ts'
import { buildWaitingOperations } from './waiting.ts'

/** Everything in the demo except readings. */
export const buildDemoOperations = (scale: DemoScale): OperationPlan[] =>
  scale.whole
    ? [buildTilleuls(scale), buildBerges(scale), buildRhoneSud(scale), ...buildWaitingOperations(scale)]
    : [buildTilleuls(scale)]
export const buildRunningOperations = (scale: DemoScale) =>
  buildDemoOperations(scale).filter(({ values }) => values.status === 'active')
