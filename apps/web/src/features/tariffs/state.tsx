import type { Tariff } from '@voisol/contract/tariffs'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'
import { formatTariffDay } from './links.ts'

export type TariffState = 'draft' | 'current' | 'upcoming' | 'replaced'

export const getTariffState = ({ status, inForce, startsOn }: Tariff, today = getTodayInParis()): TariffState =>
  status === 'draft' ? 'draft' : inForce ? 'current' : startsOn > today ? 'upcoming' : 'replaced'

const STATE_LABELS: Record<TariffState, { label: string; tone: Tone }> = {
  draft: { label: 'Brouillon', tone: 'neutral' },
  current: { label: 'En vigueur', tone: 'success' },
  upcoming: { label: 'À venir', tone: 'info' },
  replaced: { label: 'Remplacé', tone: 'neutral' },
}

export const TariffStateBadge = ({ tariff }: { tariff: Tariff }) => {
  const { label, tone } = STATE_LABELS[getTariffState(tariff)]
  return <Badge tone={tone}>{label}</Badge>
}

/** « du 01/01/2026 au 15/04/2026 exclu », « à partir du 15/04/2026 ». */
export const formatTariffPeriod = ({ startsOn, endsOn }: Pick<Tariff, 'startsOn' | 'endsOn'>) =>
  endsOn
    ? `du ${formatTariffDay(startsOn)} au ${formatTariffDay(endsOn)} exclu`
    : `à partir du ${formatTariffDay(startsOn)}`
