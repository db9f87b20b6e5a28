import type { Tariff } from '@voisol/contract/tariffs'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { dayWords } from './links.ts'

export type TariffState = 'draft' | 'current' | 'upcoming' | 'replaced'

export const stateOf = ({ status, inForce, startsOn }: Tariff, today = todayInParis()): TariffState =>
  status === 'draft' ? 'draft' : inForce ? 'current' : startsOn > today ? 'upcoming' : 'replaced'

const STATES: Record<TariffState, { label: string; tone: Tone }> = {
  draft: { label: 'Brouillon', tone: 'neutral' },
  current: { label: 'En vigueur', tone: 'success' },
  upcoming: { label: 'À venir', tone: 'info' },
  replaced: { label: 'Remplacé', tone: 'neutral' },
}

export const TariffMark = ({ tariff }: { tariff: Tariff }) => {
  const { label, tone } = STATES[stateOf(tariff)]
  return <Badge tone={tone}>{label}</Badge>
}

/** « du 01/01/2026 au 15/04/2026 exclu », « à partir du 15/04/2026 ». */
export const spanWords = ({ startsOn, endsOn }: Pick<Tariff, 'startsOn' | 'endsOn'>) =>
  endsOn ? `du ${dayWords(startsOn)} au ${dayWords(endsOn)} exclu` : `à partir du ${dayWords(startsOn)}`
