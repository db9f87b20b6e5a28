import { formatDwellingName } from '@voisol/contract/points'
import { formatPrm } from './energy-labels.ts'

type PointIdentity = { label: string; prm: string; participantName?: string }

/** A point as people know it: the dwelling and its holder together, else its number. A `label` of the server may be both already. */
export const formatPointName = ({ label, participantName = '', prm: digits }: PointIdentity) =>
  formatDwellingName(label, participantName) || formatPrm(digits)
