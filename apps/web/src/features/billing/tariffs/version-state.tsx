import { type Tariff, tariffs } from '@voisol/contract/tariffs'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { formatNumber } from '../../../lib/format.ts'

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

/** In the address, in the place of a version: one that does not exist yet. */
export const NEW_TARIFF_VERSION = 'nouvelle'

/** What a change of a version touches. */
export const TARIFF_DEPENDENT_QUERIES = [tariffs.list, tariffs.get, tariffs.matrix, tariffs.indexes]

/** A price is changed for the future, at the start of a month unless told otherwise. */
export const getNextMonthStart = () => addMonths(monthOf(getTodayInParis()), 1)

/** The address of a version of the same operation. */
export function useVersionLink() {
  const [search] = useSearchParams()
  const operation = search.get('operation')
  return (more: Record<string, string>) =>
    `?${new URLSearchParams({ tab: 'tarifs', ...(operation && { operation }), ...more })}`
}

/** A day as people write it: 2026-03-15 is 15/03/2026. */
export const formatTariffDay = (day: string) => day.split('-').reverse().join('/')

/** A price of a tariff, always with both decimals: 1 350 is « 13,50 c€/kWh ». */
export const formatTariffPrice = (stored: number) => `${formatNumber(stored / 100, 2)}\u00a0c€/kWh`
