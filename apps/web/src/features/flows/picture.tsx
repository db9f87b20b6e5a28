import type { FlowOverview } from '@voisol/contract/flows'
import { useState } from 'react'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { useWidth } from '../../ui/use-width.ts'
import { formatDelay, SUBSCRIBER_KIND_LABELS } from './words.ts'

const ROW_HEIGHT = 38
const PADDING = 12
const MIN_DIAGRAM_WIDTH = 640
type DiagramNode = { id: string; label: string; note: string; y: number }

const truncate = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text

/** What happened and who heard of it: those without a part in the span are in the table alone. */
function layoutDiagram({ events, subscribers, links }: FlowOverview) {
  const emittedEvents = events.filter(({ emitted }) => emitted > 0)
  const activeSubscribers = subscribers.filter(
    ({ id, waiting, failed }) => waiting + failed > 0 || links.some((one) => one.subscriber === id),
  )
  const getRowY = (row: number) => PADDING + row * ROW_HEIGHT + ROW_HEIGHT / 2
  return {
    left: emittedEvents.map(
      ({ name, label, emitted }, row): DiagramNode => ({
        id: name,
        label,
        note: formatNumber(emitted),
        y: getRowY(row),
      }),
    ),
    right: activeSubscribers.map((one, row): DiagramNode => {
      const note = `${SUBSCRIBER_KIND_LABELS[one.kind]}, ${formatCount(one.delivered, 'remis', 'remis')}, p95 ${formatDelay(one.p95Ms)}`
      return { id: one.id, label: one.label, note, y: getRowY(row) }
    }),
    height: 2 * PADDING + ROW_HEIGHT * Math.max(emittedEvents.length, activeSubscribers.length, 1),
  }
}

type NodeMarkProps = {
  node: DiagramNode
  x: number
  side: 'start' | 'end'
  room: number
  faded: boolean
  onActive: (id: string | null) => void
}
const NodeMark = ({ node, x, side, room, faded, onActive }: NodeMarkProps) => (
  // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a part of the drawing; focus only shows its links, as the pointer does
  <g
    role="img"
    aria-label={`${node.label}\u00a0: ${node.note}`}
    tabIndex={0}
    onFocus={() => onActive(node.id)}
    onBlur={() => onActive(null)}
    onPointerEnter={() => onActive(node.id)}
    onPointerLeave={() => onActive(null)}
    opacity={faded ? 0.4 : 1}
  >
    <circle cx={x} cy={node.y} r="4" fill="var(--data-local)" />
    <text
      x={side === 'end' ? x - 10 : x + 10}
      y={node.y - 2}
      textAnchor={side}
      fontSize="13"
      fontWeight="500"
      fill="#0F172A"
    >
      {truncate(node.label, room)}
    </text>
    <text x={side === 'end' ? x - 10 : x + 10} y={node.y + 13} textAnchor={side} fontSize="12" fill="#475569">
      {truncate(node.note, room + 2)}
    </text>
  </g>
)

function FlowDiagram({ data, width }: { data: FlowOverview; width: number }) {
  const [active, setActive] = useState<string | null>(null)
  const { left, right, height } = layoutDiagram(data)
  const gutter = Math.min(300, width * 0.34)
  const [from, to] = [gutter, width - gutter]
  const maxDelivered = Math.max(1, ...data.links.map(({ delivered }) => delivered))
  const isLinkActive = (event: string, subscriber: string) =>
    active === null || active === event || active === subscriber
  const isHighlighted = (id: string) =>
    active === null ||
    active === id ||
    data.links.some((one) => isLinkActive(one.event, one.subscriber) && (one.event === id || one.subscriber === id))
  const lines = data.links.flatMap(({ event, subscriber, delivered }) => {
    const [a, b] = [left.find(({ id }) => id === event), right.find(({ id }) => id === subscriber)]
    const bend = (from + to) / 2
    return a && b
      ? [
          {
            id: `${event}>${subscriber}`,
            d: `M${from + 6},${a.y}C${bend},${a.y} ${bend},${b.y} ${to - 6},${b.y}`,
            width: 1 + (5 * Math.log1p(delivered)) / Math.log1p(maxDelivered),
            on: isLinkActive(event, subscriber),
          },
        ]
      : []
  })
  const maxChars = Math.floor((gutter - 16) / 7.2)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing with several named parts
    <svg
      role="group"
      aria-label="Événements et abonnés"
      data-drawing=""
      width={width}
      height={height}
      className="tabular block max-w-full"
    >
      <g fill="none" stroke="var(--data-local)">
        {lines.map((line) => (
          <path key={line.id} d={line.d} strokeWidth={line.width} strokeOpacity={line.on ? 0.35 : 0.06} />
        ))}
      </g>
      {left.map((node) => (
        <NodeMark
          key={node.id}
          node={node}
          x={from}
          side="end"
          room={maxChars}
          faded={!isHighlighted(node.id)}
          onActive={setActive}
        />
      ))}
      {right.map((node) => (
        <NodeMark
          key={node.id}
          node={node}
          x={to}
          side="start"
          room={maxChars}
          faded={!isHighlighted(node.id)}
          onActive={setActive}
        />
      ))}
    </svg>
  )
}

/** The same as a list, where there is no room to draw. */
function FlowList({ data }: { data: FlowOverview }) {
  const names = new Map(data.subscribers.map(({ id, label }) => [id, label]))
  return (
    <ul className="grid gap-3">
      {data.events
        .filter(({ emitted }) => emitted > 0)
        .map(({ name, label, emitted }) => (
          <li key={name} className="border-l-2 border-line-strong pl-3 text-body">
            <span className="font-medium">{label}</span>, {formatNumber(emitted)}
            <ul className="text-[0.8125rem] text-ink-soft">
              {data.links
                .filter(({ event }) => event === name)
                .map(({ subscriber, delivered }) => (
                  <li key={subscriber} className="break-all">
                    → {names.get(subscriber) ?? subscriber}&nbsp;: {formatNumber(delivered)}
                  </li>
                ))}
            </ul>
          </li>
        ))}
    </ul>
  )
}

export function FlowChart({ data }: { data: FlowOverview }) {
  const [ref, width] = useWidth<HTMLDivElement>(960)
  return (
    <div ref={ref}>
      {width < MIN_DIAGRAM_WIDTH ? <FlowList data={data} /> : <FlowDiagram data={data} width={width} />}
    </div>
  )
}
