import { energy, percent, plural } from '../../lib/format.ts'

export type Producer = { id: string; label: string; wh: number }
/** `wh` is local energy, `gridWh` the complement bought from the grid. */
export type Consumer = { id: string; label: string; wh: number; gridWh: number }
export type Transfer = { from: string; to: string; wh: number }
export type FlowData = { producers: Producer[]; consumers: Consumer[]; links: Transfer[]; surplusWh: number }

export const OTHERS = 'others'
export const SHOWN = 12

const total = (consumer: Consumer) => consumer.wh + consumer.gridWh
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)

/** The largest consumers one by one, the rest as one group; a single one left over is not a group. */
export function grouped(data: FlowData, shown = SHOWN): FlowData & { hidden: number } {
  const consumers = data.consumers.toSorted((a, b) => b.wh - a.wh || total(b) - total(a))
  if (consumers.length <= shown + 1) return { ...data, consumers, hidden: 0 }
  const rest = consumers.slice(shown)
  const inRest = new Set(rest.map((one) => one.id))
  const others: Consumer = {
    id: OTHERS,
    label: plural(rest.length, 'autre'),
    wh: sum(rest.map((one) => one.wh)),
    gridWh: sum(rest.map((one) => one.gridWh)),
  }
  const fromProducer = new Map<string, number>()
  for (const { from, to, wh } of data.links)
    if (inRest.has(to)) fromProducer.set(from, (fromProducer.get(from) ?? 0) + wh)
  const links = [
    ...data.links.filter((link) => !inRest.has(link.to)),
    ...[...fromProducer].map(([from, wh]) => ({ from, to: OTHERS, wh })),
  ]
  return { ...data, consumers: [...consumers.slice(0, shown), others], links, hidden: rest.length }
}

/** Who got what, in sentences. */
export function flowSummary({ producers, consumers, surplusWh }: FlowData) {
  const local = sum(consumers.map((one) => one.wh))
  const grid = sum(consumers.map((one) => one.gridWh))
  const produced = sum(producers.map((one) => one.wh))
  if (produced === 0 && local + grid === 0) return 'Aucune énergie n’a encore été comptée sur cette période.'
  const share = produced > 0 ? `, soit ${percent(local / produced)} de la production` : ''
  const cover =
    local + grid > 0
      ? ` Elle couvre ${percent(local / (local + grid))} de leurs besoins\u00a0; le réseau apporte ${energy(grid)}.`
      : ''
  const who = consumers.length < 2 ? 'a reçu' : 'ont reçu'
  return (
    `${plural(producers.length, 'producteur')}\u00a0: ${energy(produced)}. ` +
    `${plural(consumers.length, 'consommateur')} ${who} ${energy(local)} d’énergie locale${share}.${cover} ` +
    `Surplus\u00a0: ${energy(surplusWh)}.`
  )
}
