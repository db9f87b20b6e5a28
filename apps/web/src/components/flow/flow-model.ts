import { formatCount, formatEnergy, formatPercent } from '../../lib/format.ts'

/** A battery is on both sides: as it releases, and as it charges. */
type FlowProducer = { id: string; label: string; wh: number; storage?: boolean }
/** `wh` is local energy, `gridWh` the complement bought from the grid. */
export type FlowConsumer = { id: string; label: string; wh: number; gridWh: number; storage?: boolean }
type FlowTransfer = { from: string; to: string; wh: number }
export type FlowData = {
  producers: FlowProducer[]
  consumers: FlowConsumer[]
  links: FlowTransfer[]
  surplusWh: number
}

export const OTHERS_ID = 'others'
const MAX_SHOWN_CONSUMERS = 12

const getTotalWh = (consumer: FlowConsumer) => consumer.wh + consumer.gridWh
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)

/** The largest consumers one by one, the rest as one group; a single one left over is not a group. */
export function groupSmallConsumers(data: FlowData, shown = MAX_SHOWN_CONSUMERS): FlowData & { hidden: number } {
  // A battery is never one of the others.
  const consumers = data.consumers.toSorted(
    (a, b) => Number(b.storage ?? false) - Number(a.storage ?? false) || b.wh - a.wh || getTotalWh(b) - getTotalWh(a),
  )
  if (consumers.length <= shown + 1) return { ...data, consumers, hidden: 0 }
  const rest = consumers.slice(shown)
  const inRest = new Set(rest.map((one) => one.id))
  const others: FlowConsumer = {
    id: OTHERS_ID,
    label: formatCount(rest.length, 'autre'),
    wh: sum(rest.map((one) => one.wh)),
    gridWh: sum(rest.map((one) => one.gridWh)),
  }
  const fromProducer = new Map<string, number>()
  for (const { from, to, wh } of data.links)
    if (inRest.has(to)) fromProducer.set(from, (fromProducer.get(from) ?? 0) + wh)
  const links = [
    ...data.links.filter((link) => !inRest.has(link.to)),
    ...[...fromProducer].map(([from, wh]) => ({ from, to: OTHERS_ID, wh })),
  ]
  return { ...data, consumers: [...consumers.slice(0, shown), others], links, hidden: rest.length }
}

function describeBatteries(all: FlowData, produced: number): string {
  const stored = all.consumers.filter(({ storage }) => storage)
  const released = all.producers.filter(({ storage }) => storage)
  if (stored.length + released.length === 0) return ''
  const storedWh = sum(stored.map((one) => one.wh))
  const share =
    produced > 0 && released.length > 0 ? `, soit ${formatPercent(storedWh / produced)} de la production` : ''
  const phrases = [
    stored.length > 0 && `${formatEnergy(storedWh)} stockés${share}`,
    released.length > 0 && `${formatEnergy(sum(released.map((one) => one.wh)))} restitués`,
  ]
  return ` Batterie\u00a0: ${phrases.filter(Boolean).join(', ')}.`
}

/** Who got what, in sentences. What passes through batteries is told by itself: it would be counted twice. */
export function describeFlow(all: FlowData) {
  const { surplusWh } = all
  const producers = all.producers.filter(({ storage }) => !storage)
  const consumers = all.consumers.filter(({ storage }) => !storage)
  const local = sum(consumers.map((one) => one.wh))
  const grid = sum(consumers.map((one) => one.gridWh))
  const produced = sum(producers.map((one) => one.wh))
  if (produced === 0 && local + grid === 0) return 'Aucune énergie n’a encore été comptée sur cette période.'
  const battery = describeBatteries(all, produced)
  const share = produced > 0 && !battery ? `, soit ${formatPercent(local / produced)} de la production` : ''
  const cover =
    local + grid > 0
      ? ` Elle couvre ${formatPercent(local / (local + grid))} de leurs besoins\u00a0; le réseau apporte ${formatEnergy(grid)}.`
      : ''
  const who = consumers.length < 2 ? 'a reçu' : 'ont reçu'
  const gave = `${formatCount(producers.length, 'producteur')}\u00a0: ${formatEnergy(produced)}. `
  const got = `${formatCount(consumers.length, 'consommateur')} ${who} ${formatEnergy(local)} d’énergie locale${share}.${cover} `
  // Of a battery by itself there is one side alone to tell.
  return [
    battery && producers.length === 0 ? '' : gave,
    battery && consumers.length === 0 ? '' : got,
    `Surplus\u00a0: ${formatEnergy(surplusWh)}.${battery}`,
  ].join('')
}
