import type { FlowOverview } from '@voisol/contract/flows'
import { useState } from 'react'
import { number, plural } from '../../lib/format.ts'
import { useWidth } from '../../ui/use-width.ts'
import { delay, KINDS } from './words.ts'

const ROW = 38
const EDGE = 12
const NARROW = 640
type Node = { id: string; label: string; note: string; y: number }

const clip = (text: string, room: number) => (text.length > room ? `${text.slice(0, room - 1)}…` : text)

/** What happened and who heard of it: those without a part in the span are in the table alone. */
function parts({ events, subscribers, links }: FlowOverview) {
  const told = events.filter(({ emitted }) => emitted > 0)
  const heard = subscribers.filter(
    ({ id, waiting, failed }) => waiting + failed > 0 || links.some((one) => one.subscriber === id),
  )
  const at = (row: number) => EDGE + row * ROW + ROW / 2
  return {
    left: told.map(({ name, label, emitted }, row): Node => ({ id: name, label, note: number(emitted), y: at(row) })),
    right: heard.map((one, row): Node => {
      const note = `${KINDS[one.kind]}, ${plural(one.delivered, 'remis', 'remis')}, p95 ${delay(one.p95Ms)}`
      return { id: one.id, label: one.label, note, y: at(row) }
    }),
    height: 2 * EDGE + ROW * Math.max(told.length, heard.length, 1),
  }
}

type MarkProps = {
  node: Node
  x: number
  side: 'start' | 'end'
  room: number
  faded: boolean
  onActive: (id: string | null) => void
}
const Mark = ({ node, x, side, room, faded, onActive }: MarkProps) => (
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
      {clip(node.label, room)}
    </text>
    <text x={side === 'end' ? x - 10 : x + 10} y={node.y + 13} textAnchor={side} fontSize="12" fill="#475569">
      {clip(node.note, room + 2)}
    </text>
  </g>
)

function Drawing({ data, width }: { data: FlowOverview; width: number }) {
  const [active, setActive] = useState<string | null>(null)
  const { left, right, height } = parts(data)
  const gutter = Math.min(300, width * 0.34)
  const [from, to] = [gutter, width - gutter]
  const most = Math.max(1, ...data.links.map(({ delivered }) => delivered))
  const touches = (event: string, subscriber: string) => active === null || active === event || active === subscriber
  const lit = (id: string) =>
    active === null ||
    active === id ||
    data.links.some((one) => touches(one.event, one.subscriber) && (one.event === id || one.subscriber === id))
  const lines = data.links.flatMap(({ event, subscriber, delivered }) => {
    const [a, b] = [left.find(({ id }) => id === event), right.find(({ id }) => id === subscriber)]
    const bend = (from + to) / 2
    return a && b
      ? [
          {
            id: `${event}>${subscriber}`,
            d: `M${from + 6},${a.y}C${bend},${a.y} ${bend},${b.y} ${to - 6},${b.y}`,
            width: 1 + (5 * Math.log1p(delivered)) / Math.log1p(most),
            on: touches(event, subscriber),
          },
        ]
      : []
  })
  const room = Math.floor((gutter - 16) / 7.2)
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
        <Mark key={node.id} node={node} x={from} side="end" room={room} faded={!lit(node.id)} onActive={setActive} />
      ))}
      {right.map((node) => (
        <Mark key={node.id} node={node} x={to} side="start" room={room} faded={!lit(node.id)} onActive={setActive} />
      ))}
    </svg>
  )
}

/** The same as a list, where there is no room to draw. */
function Listed({ data }: { data: FlowOverview }) {
  const names = new Map(data.subscribers.map(({ id, label }) => [id, label]))
  return (
    <ul className="grid gap-3">
      {data.events
        .filter(({ emitted }) => emitted > 0)
        .map(({ name, label, emitted }) => (
          <li key={name} className="border-l-2 border-line-strong pl-3 text-body">
            <span className="font-medium">{label}</span>, {number(emitted)}
            <ul className="text-[0.8125rem] text-ink-soft">
              {data.links
                .filter(({ event }) => event === name)
                .map(({ subscriber, delivered }) => (
                  <li key={subscriber} className="break-all">
                    → {names.get(subscriber) ?? subscriber}&nbsp;: {number(delivered)}
                  </li>
                ))}
            </ul>
          </li>
        ))}
    </ul>
  )
}

export function Picture({ data }: { data: FlowOverview }) {
  const [ref, width] = useWidth<HTMLDivElement>(960)
  return <div ref={ref}>{width < NARROW ? <Listed data={data} /> : <Drawing data={data} width={width} />}</div>
}
