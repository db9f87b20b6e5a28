import { SEGMENTS_BY_DIRECTION } from '@voisol/contract/points'

export const KIND_OPTIONS = [
  { value: 'person', label: 'Particulier' },
  { value: 'organisation', label: 'Organisation' },
]

export const METER_OPTIONS = [
  { value: 'home', label: 'Consommation' },
  { value: 'battery', label: 'Batterie, charge et décharge' },
]

/** It follows from the role; another one is chosen where it is known. */
const toSegmentOptions = (values: readonly string[]) =>
  values.map((value, at) => ({ value, label: at === 0 ? `${value}, le plus courant` : value }))
export const SEGMENT_OPTIONS = {
  consumption: toSegmentOptions(SEGMENTS_BY_DIRECTION.consumption),
  production: toSegmentOptions(SEGMENTS_BY_DIRECTION.production),
}
