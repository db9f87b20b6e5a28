import type { EnergySeries } from '@voisol/contract/energy'

export type Trends = Pick<EnergySeries, 'produced' | 'shared' | 'surplus'>
const NONE: Trends = { produced: [], shared: [], surplus: [] }
/** More points than that would only be noise beside a figure. */
const MOST = 96

export const trendsOf = (series: EnergySeries | undefined): Trends =>
  series && series.starts.length <= MOST ? series : NONE
