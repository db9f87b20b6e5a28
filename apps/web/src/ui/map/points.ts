import type { Place } from './geo.ts'

export type PerimeterPoint = Place & {
  id: string
  label: string
  role: 'producer' | 'consumer' | 'both' | 'storage'
  /** How the place is known; where it is not said, well enough. */
  precision?: 'address' | 'commune' | 'pin'
}

/** A place known by its commune alone is drawn, and measures nothing. */
export const isMeasured = ({ precision }: PerimeterPoint) => precision !== 'commune'
