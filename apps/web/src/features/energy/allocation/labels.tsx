import type { TimeClass as Classes } from '@voisol/contract/primitives'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { TIME_CLASS_LABELS } from '../../../lib/energy-labels.ts'
import { formatDate, formatPercent } from '../../../lib/format.ts'

/** Watt-minutes, as the engine counts them, to watt-hours. */
export const toWattHours = (wattMinutes: number) => wattMinutes / 60

/** A local day as 15/11/2026, whatever the zone of the browser. */
export const formatNumericDay = (day: string) => formatDate(`${day}T12:00:00Z`)

export const formatRate = (value: number | null) => (value === null ? '–' : formatPercent(value))

/** A word of the trade with its meaning one hover or one focus away. */
export const Term = ({ children, meaning }: { children: ReactNode; meaning: string }) => (
  <Tooltip label={meaning}>
    <button
      type="button"
      className="inline-flex min-h-6 items-center gap-1 rounded-sm underline decoration-dotted decoration-ink-muted underline-offset-4"
    >
      {children}
      <CircleHelp aria-hidden="true" className="size-3.5 text-ink-muted" />
    </button>
  </Tooltip>
)

type CertaintyProps = { stale: boolean; definitive: boolean; allocated: boolean }

/** How far the figures can be relied on, in a word. */
export function CertaintyBadges({ stale, definitive, allocated }: CertaintyProps) {
  if (!allocated) return <Badge tone="neutral">Pas encore réparti</Badge>
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {definitive ? <Badge tone="success">Définitif</Badge> : <Badge tone="info">Provisoire</Badge>}
      {stale && <Badge tone="warning">À rectifier</Badge>}
    </span>
  )
}

export type TimeClass = z.infer<typeof Classes>
export const TIME_CLASS_ORDER: TimeClass[] = ['P', 'HPH', 'HCH', 'HPB', 'HCB']

/** What the short names of the columns stand for. */
export const TimeClassLegend = ({ shown }: { shown: TimeClass[] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    {shown.map((name) => (
      <li key={name}>
        <Term meaning={TIME_CLASS_HOURS[name]}>
          <span className="font-medium text-ink">{name}</span> {TIME_CLASS_LABELS[name].toLowerCase()}
        </Term>
      </li>
    ))}
  </ul>
)

const TIME_CLASS_HOURS: Record<TimeClass, string> = {
  P: 'De décembre à février, sauf le dimanche, de 9 h à 11 h et de 18 h à 20 h.',
  HPH: 'De novembre à mars, hors heures creuses.',
  HCH: 'De novembre à mars, aux heures creuses de l’opération, la nuit le plus souvent.',
  HPB: 'D’avril à octobre, hors heures creuses.',
  HCB: 'D’avril à octobre, aux heures creuses de l’opération.',
}
