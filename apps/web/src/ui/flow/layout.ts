import { sankey, sankeyLinkHorizontal } from 'd3-sankey'
import type { FlowData } from './model.ts'

export type Kind = 'producer' | 'grid' | 'consumer' | 'surplus' | 'battery'
export type FlowNode = {
  id: string
  label: string
  kind: Kind
  /** 0 gives, 1 gets. */
  side: 0 | 1
  wh: number
  x: number
  y: number
  height: number
}
export type FlowLink = { id: string; from: string; to: string; wh: number; path: string; width: number; kind: Kind }
export type Layout = { nodes: FlowNode[]; links: FlowLink[]; height: number }

export const GRID = 'grid'
export const SURPLUS = 'surplus'
/** What batteries released and nobody took: no surplus of the production. */
export const UNUSED = 'unused'
export const NODE_WIDTH = 12
const PADDING = 27
const BODY = 260
const EDGE = 8

type Node = { id: string; label: string; kind: Kind; side: 0 | 1; order: number }
type Link = { source: string; target: string; value: number; kind: Kind }

function graph(data: FlowData, withGrid: boolean) {
  const gridWh = data.consumers.reduce((all, one) => all + one.gridWh, 0)
  const left: Omit<Node, 'side' | 'order'>[] = [
    ...data.producers.map(({ id, label, storage }) => ({ id: `p:${id}`, label, kind: kindOf('producer', storage) })),
    ...(withGrid && gridWh > 0 ? [{ id: GRID, label: 'Réseau', kind: 'grid' as const }] : []),
  ]
  const right: Omit<Node, 'side' | 'order'>[] = [
    ...data.consumers.map(({ id, label, storage }) => ({ id: `c:${id}`, label, kind: kindOf('consumer', storage) })),
    { id: SURPLUS, label: 'Surplus', kind: 'surplus' as const },
    { id: UNUSED, label: 'Restitué sans preneur', kind: 'surplus' as const },
  ]
  const links: Link[] = [
    ...sharedLinks(data),
    ...(withGrid ? data.consumers : []).map(({ id, gridWh: value }) => ({
      source: GRID,
      target: `c:${id}`,
      value,
      kind: 'grid' as const,
    })),
    ...surplusLinks(data),
  ].filter((link) => link.value > 0)
  const linked = new Set(links.flatMap((link) => [link.source, link.target]))
  const nodes = [left, right].flatMap((column, side) =>
    column
      .filter((node) => linked.has(node.id))
      .map((node, order): Node => ({ ...node, side: side === 0 ? 0 : 1, order })),
  )
  return { nodes, links }
}

const kindOf = (kind: Kind, storage?: boolean): Kind => (storage ? 'battery' : kind)

/** What goes to a battery or comes from one is drawn as such. */
function sharedLinks({ producers, consumers, links }: FlowData): Link[] {
  const batteries = (nodes: { id: string; storage?: boolean }[]) =>
    new Set(nodes.flatMap(({ id, storage }) => (storage ? [id] : [])))
  const [releasing, charging] = [batteries(producers), batteries(consumers)]
  return links.map(({ from, to, wh }) => ({
    source: `p:${from}`,
    target: `c:${to}`,
    value: wh,
    kind: kindOf('producer', releasing.has(from) || charging.has(to)),
  }))
}

/** What a producer did not give to anyone is its part of the surplus. */
function surplusLinks({ producers, links, surplusWh }: FlowData): Link[] {
  const given = new Map<string, number>()
  for (const { from, wh } of links) given.set(from, (given.get(from) ?? 0) + wh)
  return producers
    .filter(({ storage }) => storage || surplusWh > 0)
    .map(({ id, wh, storage }) => ({
      source: `p:${id}`,
      target: storage ? UNUSED : SURPLUS,
      value: Math.max(0, wh - (given.get(id) ?? 0)),
      kind: 'surplus',
    }))
}

/** After the layout the ends of a link are the nodes themselves. */
const orderOf = (end: string | number | Node) => (typeof end === 'object' ? end.order : 0)
const idOf = (end: string | number | Node) => (typeof end === 'object' ? end.id : String(end))

/** Producers and the grid at the left, consumers and the surplus at the right; `gutter` is left to the names on each side. */
export function flowLayout(data: FlowData, width: number, gutter: number, withGrid = true): Layout {
  const { nodes, links } = graph(data, withGrid)
  if (links.length === 0) return { nodes: [], links: [], height: 0 }
  const rows = Math.max(...[0, 1].map((side) => nodes.filter((node) => node.side === side).length))
  const height = BODY + rows * PADDING + 2 * EDGE
  const draw = sankeyLinkHorizontal<Node, Link>()
  const placed = sankey<Node, Link>()
    .nodeId((node) => node.id)
    .nodeAlign((node) => node.side)
    .nodeSort((a, b) => a.order - b.order)
    .linkSort((a, b) => orderOf(a.target) - orderOf(b.target) || orderOf(a.source) - orderOf(b.source))
    .nodeWidth(NODE_WIDTH)
    .nodePadding(PADDING)
    .extent([
      [gutter, EDGE],
      [Math.max(gutter + 80, width - gutter), height - EDGE],
    ])({ nodes, links })
  return {
    height,
    nodes: placed.nodes.map((node) => ({
      id: node.id,
      label: node.label,
      kind: node.kind,
      side: node.side,
      wh: node.value ?? 0,
      x: node.x0 ?? 0,
      y: node.y0 ?? 0,
      height: Math.max(2, (node.y1 ?? 0) - (node.y0 ?? 0)),
    })),
    links: placed.links.map((link) => ({
      id: `${idOf(link.source)}>${idOf(link.target)}`,
      from: idOf(link.source),
      to: idOf(link.target),
      wh: link.value,
      path: draw(link) ?? '',
      width: Math.max(1, link.width ?? 1),
      kind: link.kind,
    })),
  }
}
