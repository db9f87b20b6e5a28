import { tariffs } from '@voisol/contract/tariffs'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'
import { number } from '../../lib/format.ts'
import { todayInParis } from '../../ui/period/period.ts'

/** In the address, in the place of a version: one that does not exist yet. */
export const NEW = 'nouvelle'

/** What a change of a version touches. */
export const CHANGED = [tariffs.list, tariffs.get, tariffs.matrix, tariffs.indexes]

/** A price is changed for the future, at the start of a month unless told otherwise. */
export const nextMonth = () => addMonths(monthOf(todayInParis()), 1)

/** The address of a version of the same operation. */
export function useVersionLink() {
  const [search] = useSearchParams()
  const operation = search.get('operation')
  return (more: Record<string, string>) =>
    `?${new URLSearchParams({ tab: 'tarifs', ...(operation && { operation }), ...more })}`
}

/** A day as people write it: 2026-03-15 is 15/03/2026. */
export const dayWords = (day: string) => day.split('-').reverse().join('/')

/** A price of a tariff, always with both decimals: 1 350 is « 13,50 c€/kWh ». */
export const priceWords = (stored: number) => `${number(stored / 100, 2)}\u00a0c€/kWh`
