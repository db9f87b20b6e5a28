import { SEGMENTS } from '@voisol/contract/points'

export const KIND_OPTIONS = [
  { value: 'person', label: 'Particulier' },
  { value: 'organisation', label: 'Organisation' },
]

/** It follows from the role; another one is chosen where it is known. */
const options = (values: readonly string[]) =>
  values.map((value, at) => ({ value, label: at === 0 ? `${value}, le plus courant` : value }))
export const SEGMENT_OPTIONS = {
  consumption: options(SEGMENTS.consumption),
  production: options(SEGMENTS.production),
}
