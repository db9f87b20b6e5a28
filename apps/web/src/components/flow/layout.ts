import { sankey, sankeyLinkHorizontal } from 'd3-sankey'
import type { FlowData } from './flow-model.ts'

export type FlowKind = 'producer' | 'grid' | 'consumer' | 'surplus' | 'battery'
export type DiagramNode = {
  id: string
  label: string
  kind: FlowKind
  /** 0 gives, 1 gets. */
  side: 0 | 1
  wh: number
  x: number
  y: number
  height: number
}
export type DiagramLink = {
  id: string
  from: string
  to: string
  wh: number
  path: string
  width: number
  kind: FlowKind
}
type FlowLayout = { nodes: DiagramNode[]; links: DiagramLink[]; height: number }

const GRID_NODE_ID = 'grid'
const SURPLUS_NODE_ID = 'surplus'
/** What batteries released and nobody took: no surplus of the production. */
const UNUSED_NODE_ID = 'unused'
export const NODE_WIDTH = 12
const NODE_PADDING = 27
const BODY_HEIGHT = 260
const EDGE_MARGIN = 8

type Node = { id: string; label: string; kind: FlowKind; side: 0 | 1; order: number }
type Link = { source: string; target: string; value: number; kind: FlowKind }

function buildGraph(data: FlowData, withGrid: boolean) {
  const gridWh = data.consumers.reduce((all, one) => all + one.gridWh, 0)
  const left: Omit<Node, 'side' | 'order'>[] = [
    ...data.producers.map(({ id, label, storage }) => ({
      id: `p:${id}`,
      label,
      kind: getFlowKind('producer', storage),
    })),
    ...(withGrid && gridWh > 0 ? [{ id: GRID_NODE_ID, label: 'Réseau', kind: 'grid' as const }] : []),
  ]
  const right: Omit<Node, 'side' | 'order'>[] = [
    ...data.consumers.map(({ id, label, storage }) => ({
      id: `c:${id}`,
      label,
      kind: getFlowKind('consumer', storage),
    })),
    { id: SURPLUS_NODE_ID, label: 'Surplus', kind: 'surplus' as const },
    { id: UNUSED_NODE_ID, label: 'Restitué sans preneur', kind: 'surplus' as const },
  ]
  const links: Link[] = [
    ...buildSharedLinks(data),
    ...(withGrid ? data.consumers : []).map(({ id, gridWh: value }) => ({
      source: GRID_NODE_ID,
      target: `c:${id}`,
      value,
      kind: 'grid' as const,
    })),
    ...buildSurplusLinks(data),
  ].filter((link) => link.value > 0)
  const linked = new Set(links.flatMap((link) => [link.source, link.target]))
  const nodes = [left, right].flatMap((column, side) =>
    column
      .filter((node) => linked.has(node.id))
      .map((node, order): Node => ({ ...node, side: side === 0 ? 0 : 1, order })),
  )
  return { nodes, links }
}

const getFlowKind = (kind: FlowKind, storage?: boolean): FlowKind => (storage ? 'battery' : kind)

/** What goes to a battery or comes from one is drawn as such. */
function buildSharedLinks({ producers, consumers, links }: FlowData): Link[] {
  const batteries = (nodes: { id: string; storage?: boolean }[]) =>
    new Set(nodes.flatMap(({ id, storage }) => (storage ? [id] : [])))
  const [releasing, charging] = [batteries(producers), batteries(consumers)]
  return links.map(({ from, to, wh }) => ({
    source: `p:${from}`,
    target: `c:${to}`,
    value: wh,
    kind: getFlowKind('producer', releasing.has(from) || charging.has(to)),
  }))
}

/** What a producer did not give to anyone is its part of the surplus. */
function buildSurplusLinks({ producers, links, surplusWh }: FlowData): Link[] {
  const given = new Map<string, number>()
  for (const { from, wh } of links) given.set(from, (given.get(from) ?? 0) + wh)
  return producers
    .filter(({ storage }) => storage || surplusWh > 0)
    .map(({ id, wh, storage }) => ({
      source: `p:${id}`,
      target: storage ? UNUSED_NODE_ID : SURPLUS_NODE_ID,
      value: Math.max(0, wh - (given.get(id) ?? 0)),
      kind: 'surplus',
    }))
}

/** After the layout the ends of a link are the nodes themselves. */
const getNodeOrder = (end: string | number | Node) => (typeof end === 'object' ? end.order : 0)
const getNodeId = (end: string | number | Node) => (typeof end === 'object' ? end.id : String(end))

/** Producers and the grid at the left, consumers and the surplus at the right; `gutter` is left to the names on each side. */
export function computeFlowLayout(data: FlowData, width: number, gutter: number, withGrid = true): FlowLayout {
  const { nodes, links } = buildGraph(data, withGrid)
  if (links.length === 0) return { nodes: [], links: [], height: 0 }
  const rows = Math.max(...[0, 1].map((side) => nodes.filter((node) => node.side === side).length))
  const height = BODY_HEIGHT + rows * NODE_PADDING + 2 * EDGE_MARGIN
  const draw = sankeyLinkHorizontal<Node, Link>()
  const placed = sankey<Node, Link>()
    .nodeId((node) => node.id)
    .nodeAlign((node) => node.side)
    .nodeSort((a, b) => a.order - b.order)
    .linkSort(
      (a, b) => getNodeOrder(a.target) - getNodeOrder(b.target) || getNodeOrder(a.source) - getNodeOrder(b.source),
    )
    .nodeWidth(NODE_WIDTH)
    .nodePadding(NODE_PADDING)
    .extent([
      [gutter, EDGE_MARGIN],
      [Math.max(gutter + 80, width - gutter), height - EDGE_MARGIN],
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
      id: `${getNodeId(link.source)}>${getNodeId(link.target)}`,
      from: getNodeId(link.source),
      to: getNodeId(link.target),
      wh: link.value,
      path: draw(link) ?? '',
      width: Math.max(1, link.width ?? 1),
      kind: link.kind,
    })),
  }
}
