import { useMemo, useState } from 'react'
import { formatEnergy, formatPercent } from '../../lib/format.ts'
import { cx } from '../cx.ts'
import { useWidth } from '../use-width.ts'
import './flow.css'
import type { FlowData } from './flow-model.ts'
import { computeFlowLayout, type DiagramLink, type DiagramNode, type FlowKind, NODE_WIDTH } from './layout.ts'

const KIND_COLOURS: Record<FlowKind, string> = {
  producer: 'var(--data-local)',
  grid: 'var(--data-grid)',
  consumer: 'var(--data-consumption)',
  surplus: 'var(--data-surplus)',
  battery: 'var(--data-storage)',
}

/** A node in a sentence: what goes through it, and each link with its share. */
function describeNode(node: DiagramNode, links: DiagramLink[], nameOf: (id: string) => string) {
  const own = links.filter((link) => link.from === node.id || link.to === node.id).toSorted((a, b) => b.wh - a.wh)
  const namedLinks = own.slice(0, 6).map((link) => {
    const other = nameOf(link.from === node.id ? link.to : link.from)
    return `${other} ${formatEnergy(link.wh)} (${formatPercent(link.wh / node.wh)})`
  })
  const way = node.side === 0 ? 'vers' : 'depuis'
  const more = own.length > 6 ? ', …' : ''
  return `${node.label}\u00a0: ${formatEnergy(node.wh)}, ${way} ${namedLinks.join(', ')}${more}`
}

/** Producers and the surplus against the production, the grid against the needs, a consumer by its local part. */
function formatNodeShare(node: DiagramNode, nodes: DiagramNode[], links: DiagramLink[]) {
  const sum = (kind: FlowKind) => nodes.reduce((all, one) => all + (one.kind === kind ? one.wh : 0), 0)
  const ratio = (part: number, whole: number) => (whole > 0 ? formatPercent(part / whole, 0) : '')
  if (node.kind === 'battery') return node.side === 0 ? 'décharge' : 'charge'
  if (node.kind === 'grid') return ratio(node.wh, sum('consumer'))
  if (node.kind !== 'consumer') return ratio(node.wh, sum('producer'))
  const local = links.reduce(
    (all, one) => all + (one.to === node.id && (one.kind === 'producer' || one.kind === 'battery') ? one.wh : 0),
    0,
  )
  return sum('grid') > 0 ? `${ratio(local, node.wh)} local` : ratio(local, sum('consumer'))
}

function FlowLinks({ links, active }: { links: DiagramLink[]; active: string | null }) {
  const touches = (link: DiagramLink) => active === null || link.from === active || link.to === active
  return (
    <g fill="none">
      {links.map((link) => (
        <path
          key={link.id}
          d={link.path}
          stroke={KIND_COLOURS[link.kind]}
          strokeWidth={link.width}
          strokeOpacity={touches(link) ? (active === null ? 0.32 : 0.6) : 0.07}
          className="transition-[stroke-opacity] duration-150"
        />
      ))}
      {links.map(
        (link) =>
          (link.kind === 'producer' || link.kind === 'battery') &&
          touches(link) &&
          link.width >= 2 && (
            <path
              key={link.id}
              d={link.path}
              stroke={KIND_COLOURS[link.kind]}
              strokeWidth={Math.min(2.5, link.width)}
              strokeDasharray="6 22"
              strokeLinecap="round"
              className="flow-dashes"
            />
          ),
      )}
    </g>
  )
}

const truncateText = (text: string, room: number) => (text.length > room ? `${text.slice(0, room - 1)}…` : text)

type NodeMarkProps = {
  node: DiagramNode
  text: string
  share: string
  room: number
  faded: boolean
  onActive: (id: string | null) => void
}

function NodeMark({ node, text, share, room, faded, onActive }: NodeMarkProps) {
  const left = node.side === 0
  const x = left ? node.x - 8 : node.x + NODE_WIDTH + 8
  const middle = node.y + node.height / 2
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a part of the drawing; focus only shows its links, as the pointer does
    <g
      role="img"
      aria-label={text}
      tabIndex={0}
      onFocus={() => onActive(node.id)}
      onBlur={() => onActive(null)}
      onPointerEnter={() => onActive(node.id)}
      onPointerLeave={() => onActive(null)}
      opacity={faded ? 0.45 : 1}
      className="cursor-default transition-opacity duration-150"
    >
      <rect
        x={left ? 0 : node.x}
        y={Math.min(node.y, middle - 16)}
        width={left ? node.x + NODE_WIDTH : room * 7.4 + NODE_WIDTH}
        height={Math.max(node.height, 32)}
        fill="transparent"
      />
      <rect x={node.x} y={node.y} width={NODE_WIDTH} height={node.height} rx="3" fill={KIND_COLOURS[node.kind]} />
      <text x={x} y={middle - 3} textAnchor={left ? 'end' : 'start'} fontSize="13" fontWeight="500" fill="#0F172A">
        {truncateText(node.label, room)}
      </text>
      <text x={x} y={middle + 12} textAnchor={left ? 'end' : 'start'} fontSize="12" fill="#475569">
        {formatEnergy(node.wh)}
        {share && ` · ${share}`}
      </text>
    </g>
  )
}

/** The picture for a wide screen: a node under the pointer or in focus shows its own links. */
export function Sankey({ data, withGrid }: { data: FlowData; withGrid: boolean }) {
  const [ref, width] = useWidth<HTMLDivElement>(960)
  const [active, setActive] = useState<string | null>(null)
  const gutter = Math.min(220, Math.max(150, width * 0.2))
  const { nodes, links, height } = useMemo(
    () => computeFlowLayout(data, width, gutter, withGrid),
    [data, width, gutter, withGrid],
  )
  const names = new Map(nodes.map((node) => [node.id, node.label]))
  const nameOf = (id: string) => names.get(id) ?? id
  const current = nodes.find((node) => node.id === active)
  const isFaded = (id: string) =>
    active !== null &&
    id !== active &&
    !links.some((link) => (link.from === active && link.to === id) || (link.to === active && link.from === id))
  return (
    <div ref={ref} className="grid w-full min-w-0 gap-2">
      <p aria-hidden="true" className={cx('tabular min-h-10 text-[0.8125rem]', current ? 'text-ink' : 'text-ink-soft')}>
        {current
          ? describeNode(current, links, nameOf)
          : 'Survolez un producteur ou un consommateur, ou allez à lui avec la touche Tab, pour suivre ses échanges.'}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing with several named parts */}
      <svg
        role="group"
        aria-label="Échanges d’énergie"
        data-drawing=""
        width={width}
        height={height}
        className="tabular block max-w-full overflow-visible"
      >
        <FlowLinks links={links} active={active} />
        {nodes.map((node) => (
          <NodeMark
            key={node.id}
            node={node}
            text={describeNode(node, links, nameOf)}
            share={formatNodeShare(node, nodes, links)}
            room={Math.floor((gutter - 12) / 7.4)}
            faded={isFaded(node.id)}
            onActive={setActive}
          />
        ))}
      </svg>
    </div>
  )
}
