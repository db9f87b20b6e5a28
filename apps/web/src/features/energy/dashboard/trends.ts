import type { EnergySeries } from '@voisol/contract/energy'

export type Trends = Pick<EnergySeries, 'produced' | 'shared' | 'surplus'>
const NO_TRENDS: Trends = { produced: [], shared: [], surplus: [] }
/** More points than that would only be noise beside a figure. */
const MAX_TREND_POINTS = 96

export const pickTrends = (series: EnergySeries | undefined): Trends =>
  series && series.starts.length <= MAX_TREND_POINTS ? series : NO_TRENDS
