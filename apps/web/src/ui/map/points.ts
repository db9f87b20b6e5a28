import type { GeoPoint } from './geo.ts'

export type PerimeterPoint = GeoPoint & {
  id: string
  label: string
  role: 'producer' | 'consumer' | 'both' | 'storage'
  /** How the place is known; where it is not said, well enough. */
  precision?: 'address' | 'commune' | 'pin'
}

/** A place known by its commune alone is drawn, and measures nothing. */
export const isPreciselyLocated = ({ precision }: PerimeterPoint) => precision !== 'commune'
