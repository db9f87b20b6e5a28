import { formatFrenchDay } from '../../../french.ts'
import type { MonthSource } from './month-input.ts'

/** How sentences name the members, producers and meters of a month. */
export type MonthNames = {
  member: (id: string) => string
  producer: (id: string) => string
  seller: (id: string) => string
  point: (prm: string) => string
  rule: (id: string) => string
}

export function buildMonthNames({ quantities, frame }: MonthSource, sellers: ReadonlyMap<string, string>): MonthNames {
  const members = new Map(quantities.members.map((member) => [member.id, member]))
  const byPrm = new Map(quantities.members.map((member) => [member.prm, member]))
  const producers = new Map(quantities.producers.map((producer) => [producer.id, producer]))
  const withMeter = (name: string, prm: string) => `${name} (compteur ${prm})`
  return {
    member: (id) => {
      const found = members.get(id)
      return found ? withMeter(found.name, found.prm) : id
    },
    producer: (id) => {
      const found = producers.get(id)
      if (!found) return id
      return found.id === found.pointId ? found.label : `${found.label} (repris le ${formatFrenchDay(found.from)})`
    },
    seller: (id) => sellers.get(id) || 'ce vendeur',
    point: (prm) => withMeter(byPrm.get(prm)?.name ?? 'un compteur', prm),
    rule: (id) => getRuleLabel(frame.labels, id) || id,
  }
}

/** The id of a rule for a meter that changed holder has a day added after its own id. */
export const getRuleLabel = (labels: Record<string, string>, id: string): string =>
  labels[id] ?? labels[id.replace(/@.*$/, '')] ?? ''
