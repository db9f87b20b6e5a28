import { SEGMENTS } from '@voisol/contract/points'

export const KIND_OPTIONS = [
  { value: 'person', label: 'Particulier' },
  { value: 'organisation', label: 'Organisation' },
]

export const METER_OPTIONS = [
  { value: 'home', label: 'Consommation' },
  { value: 'battery', label: 'Batterie, charge et décharge' },
]

/** It follows from the role; another one is chosen where it is known. */
const options = (values: readonly string[]) =>
  values.map((value, at) => ({ value, label: at === 0 ? `${value}, le plus courant` : value }))
export const SEGMENT_OPTIONS = {
  consumption: options(SEGMENTS.consumption),
  production: options(SEGMENTS.production),
}
