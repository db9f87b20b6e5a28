import { energy, percent, plural } from '../../lib/format.ts'

/** A battery is on both sides: as it releases, and as it charges. */
export type Producer = { id: string; label: string; wh: number; storage?: boolean }
/** `wh` is local energy, `gridWh` the complement bought from the grid. */
export type Consumer = { id: string; label: string; wh: number; gridWh: number; storage?: boolean }
export type Transfer = { from: string; to: string; wh: number }
export type FlowData = { producers: Producer[]; consumers: Consumer[]; links: Transfer[]; surplusWh: number }

export const OTHERS = 'others'
export const SHOWN = 12

const total = (consumer: Consumer) => consumer.wh + consumer.gridWh
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)

/** The largest consumers one by one, the rest as one group; a single one left over is not a group. */
export function grouped(data: FlowData, shown = SHOWN): FlowData & { hidden: number } {
  // A battery is never one of the others.
  const consumers = data.consumers.toSorted(
    (a, b) => Number(b.storage ?? false) - Number(a.storage ?? false) || b.wh - a.wh || total(b) - total(a),
  )
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

function batteryWords(all: FlowData, produced: number): string {
  const stored = all.consumers.filter(({ storage }) => storage)
  const released = all.producers.filter(({ storage }) => storage)
  if (stored.length + released.length === 0) return ''
  const kept = sum(stored.map((one) => one.wh))
  const share = produced > 0 && released.length > 0 ? `, soit ${percent(kept / produced)} de la production` : ''
  const told = [
    stored.length > 0 && `${energy(kept)} stockés${share}`,
    released.length > 0 && `${energy(sum(released.map((one) => one.wh)))} restitués`,
  ]
  return ` Batterie\u00a0: ${told.filter(Boolean).join(', ')}.`
}

/** Who got what, in sentences. What passes through batteries is told by itself: it would be counted twice. */
export function flowSummary(all: FlowData) {
  const { surplusWh } = all
  const producers = all.producers.filter(({ storage }) => !storage)
  const consumers = all.consumers.filter(({ storage }) => !storage)
  const local = sum(consumers.map((one) => one.wh))
  const grid = sum(consumers.map((one) => one.gridWh))
  const produced = sum(producers.map((one) => one.wh))
  if (produced === 0 && local + grid === 0) return 'Aucune énergie n’a encore été comptée sur cette période.'
  const battery = batteryWords(all, produced)
  const share = produced > 0 && !battery ? `, soit ${percent(local / produced)} de la production` : ''
  const cover =
    local + grid > 0
      ? ` Elle couvre ${percent(local / (local + grid))} de leurs besoins\u00a0; le réseau apporte ${energy(grid)}.`
      : ''
  const who = consumers.length < 2 ? 'a reçu' : 'ont reçu'
  const gave = `${plural(producers.length, 'producteur')}\u00a0: ${energy(produced)}. `
  const got = `${plural(consumers.length, 'consommateur')} ${who} ${energy(local)} d’énergie locale${share}.${cover} `
  // Of a battery by itself there is one side alone to tell.
  return [
    battery && producers.length === 0 ? '' : gave,
    battery && consumers.length === 0 ? '' : got,
    `Surplus\u00a0: ${energy(surplusWh)}.${battery}`,
  ].join('')
}
