import type { AgreementSeries } from '@voisol/contract/enedis'
import type { z } from 'zod'
import type { EnedisCurve, SeriesType } from '../../../integrations/enedis/enedis-types.ts'

/** For a series without values: the step that the distributor has used since 2024. */
const DEFAULT_STEP = 15

/**
 * Resamples to the shortest step in the answer; a longer interval has the same power in each of its steps. Missing
 * values are null, never zero. Bounds are epoch minutes.
 */
export function toAgreementSeries(
  { prm, type, points }: EnedisCurve & { type: SeriesType },
  span: { from: number; to: number },
): z.output<typeof AgreementSeries> {
  const inside = points.filter(({ end, minutes }) => end - minutes >= span.from && end <= span.to)
  const step = inside.length ? Math.min(...new Set(inside.map(({ minutes }) => minutes))) : DEFAULT_STEP
  const watts = new Array<number | null>(Math.ceil((span.to - span.from) / step)).fill(null)
  let wattMinutes = 0
  for (const { end, minutes, watts: power } of inside) {
    wattMinutes += power * minutes
    watts.fill(power, Math.floor((end - minutes - span.from) / step), Math.ceil((end - span.from) / step))
  }
  return {
    prm: prm === '' ? null : prm,
    type,
    step,
    watts,
    startsAt: new Date(span.from * 60_000).toISOString(),
    energyWh: Math.round(wattMinutes / 60),
  }
}
