import { expect, test } from 'vitest'
import { describeFlow, type FlowData, groupSmallConsumers, OTHERS_ID } from './flow-model.ts'
import { computeFlowLayout } from './layout.ts'

const consumers = Array.from({ length: 120 }, (_, n) => ({
  id: `${n}`,
  label: `Logement ${n}`,
  wh: 120 - n,
  gridWh: 50,
}))
const data: FlowData = {
  producers: [
    { id: 'a', label: 'École', wh: 6000 },
    { id: 'b', label: 'Halle', wh: 2000 },
  ],
  consumers,
  links: consumers.flatMap(({ id, wh }) => [
    { from: 'a', to: id, wh: wh * 0.75 },
    { from: 'b', to: id, wh: wh * 0.25 },
  ]),
  surplusWh: 8000 - 7260,
}
const all = (values: { wh: number }[]) => values.reduce((sum, one) => sum + one.wh, 0)

test('beyond twelve consumers the rest is one group, and no energy is lost', () => {
  const few = groupSmallConsumers(data)
  expect(few.consumers).toHaveLength(13)
  expect(few.consumers.at(-1)).toMatchObject({ id: OTHERS_ID, label: '108\u00a0autres' })
  expect(all(few.consumers)).toBe(all(consumers))
  expect(all(few.links)).toBeCloseTo(all(data.links), 6)
  expect(few.links).toHaveLength(26)
})

test('a single consumer left over is shown by its name, and all can be shown', () => {
  const thirteen = { ...data, consumers: consumers.slice(0, 13) }
  expect(groupSmallConsumers(thirteen).consumers.at(-1)?.label).toBe('Logement 12')
  expect(groupSmallConsumers(data, Number.POSITIVE_INFINITY).consumers).toHaveLength(120)
})

test('producers and grid stand at the left, consumers and surplus at the right, inside the picture', () => {
  const { nodes, links, height } = computeFlowLayout(groupSmallConsumers(data), 900, 150)
  const left = nodes.filter((node) => node.x < 450).map((node) => node.kind)
  expect(left).toEqual(['producer', 'producer', 'grid'])
  expect(nodes.find((node) => node.kind === 'surplus')?.wh).toBeCloseTo(740, 6)
  expect(links.filter((link) => link.kind === 'surplus')).toHaveLength(2)
  for (const node of nodes) {
    expect(node.y).toBeGreaterThanOrEqual(0)
    expect(node.y + node.height).toBeLessThanOrEqual(height)
  }
})

test('the grid can be left out, and nothing at all is no error', () => {
  expect(computeFlowLayout(groupSmallConsumers(data), 900, 150, false).nodes.some((node) => node.kind === 'grid')).toBe(
    false,
  )
  const nothing = { producers: [], consumers: [], links: [], surplusWh: 0 }
  expect(computeFlowLayout(nothing, 900, 150).nodes).toEqual([])
  expect(describeFlow(nothing)).toBe('Aucune énergie n’a encore été comptée sur cette période.')
})

test('the summary says who gave, who got and what is left', () => {
  expect(describeFlow(data)).toBe(
    '2\u00a0producteurs\u00a0: 8,0\u00a0kWh. 120\u00a0consommateurs ont reçu 7,3\u00a0kWh d’énergie locale, soit 90,8\u00a0% de la production. ' +
      'Elle couvre 54,8\u00a0% de leurs besoins\u00a0; le réseau apporte 6,0\u00a0kWh. Surplus\u00a0: 740\u00a0Wh.',
  )
})

test('a battery is on both sides under its name, and is never one of the others', () => {
  const withBattery: FlowData = {
    ...data,
    producers: [...data.producers, { id: 'r', label: 'Batterie', wh: 500, storage: true }],
    consumers: [...consumers, { id: 'b', label: 'Batterie', wh: 0.5, gridWh: 0, storage: true }],
    links: [...data.links, { from: 'r', to: '0', wh: 430 }, { from: 'a', to: 'b', wh: 0.5 }],
  }
  const { nodes, links } = computeFlowLayout(groupSmallConsumers(withBattery), 900, 150)
  const batteries = nodes.filter(({ kind }) => kind === 'battery')
  expect(batteries.map(({ label, side }) => [label, side])).toEqual([
    ['Batterie', 0],
    ['Batterie', 1],
  ])
  expect(links.filter(({ kind }) => kind === 'battery').map(({ from, to }) => `${from} ${to}`)).toEqual([
    'p:r c:0',
    'p:a c:b',
  ])
  expect(nodes.find(({ label }) => label === 'Restitué sans preneur')?.wh).toBeCloseTo(70, 6)
  const summary = describeFlow(withBattery)
  expect(summary).toContain('2\u00a0producteurs\u00a0: 8,0\u00a0kWh.')
  expect(summary).toContain('120\u00a0consommateurs ont reçu 7,3\u00a0kWh')
  expect(summary).toContain('restitués.')
})
