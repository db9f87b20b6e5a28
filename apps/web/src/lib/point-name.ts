import { seatName } from '@voisol/contract/points'
import { prm } from './energy-labels.ts'

type Named = { label: string; prm: string; participantName?: string }

/** A point as people know it: the dwelling and its holder together, else its number. A `label` of the server may be both already. */
export const pointName = ({ label, participantName = '', prm: digits }: Named) =>
  seatName(label, participantName) || prm(digits)
