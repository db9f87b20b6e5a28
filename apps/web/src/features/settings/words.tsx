import { isToConfirm, type SettingName } from '@voisol/contract/dated-settings'
import type { DatedSettingValue, Setting } from '@voisol/contract/settings'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { formatPerMwh, getSettingKind, parseAcciseRates } from './kinds.ts'

const AcciseRatesTable = ({ value }: { value: unknown }) => (
  <dl className="grid w-fit grid-cols-[auto_auto_auto] gap-x-4 gap-y-0.5">
    {parseAcciseRates(value).map((rate) => (
      <div key={rate.class} className="col-span-3 grid grid-cols-subgrid">
        <dt>{rate.class}</dt>
        <dd className="tabular text-right font-medium">{formatPerMwh(rate.centsPerMwh)}</dd>
        <dd className="text-ink-soft">
          {rate.upToVa === null ? 'au-delà' : `jusqu’à ${formatNumber(rate.upToVa / 1000)}\u00a0kVA`}
        </dd>
      </div>
    ))}
  </dl>
)

/** A value as somebody reads it: a figure large, a sentence as it is printed. */
export function SettingValueText({ name, value }: { name: SettingName; value: unknown }) {
  if (name === 'accise.rates') return <AcciseRatesTable value={value} />
  const kind = getSettingKind(name)
  const sentence = kind.control === 'text'
  return (
    <span className={cx('break-words', sentence ? 'prose-width block' : 'tabular font-medium')}>
      {sentence ? `«\u00a0${kind.shown(value)}\u00a0»` : kind.shown(value)}
    </span>
  )
}

export const ToConfirmBadge = ({ source }: { source: string }) =>
  isToConfirm(source) ? <Badge tone="warning">À confirmer</Badge> : null

const STATE_LABELS: Record<DatedSettingValue['state'], { label: string; tone: Tone }> = {
  held: { label: 'En vigueur', tone: 'success' },
  future: { label: 'À venir', tone: 'info' },
  past: { label: 'Passée', tone: 'neutral' },
  replaced: { label: 'Remplacée', tone: 'neutral' },
}
const describeAuthor = ({ said }: DatedSettingValue) =>
  said ? `dite par ${said.by} le ${formatDate(said.at)}` : 'valeur de Voisol'

/** All that was said, the newest day first. */
export const SettingHistory = ({ setting: { name, words: datedValues } }: { setting: Setting }) => (
  <ol className="grid gap-4 border-l-2 border-line pl-4">
    {datedValues.toReversed().map((datedValue) => (
      <li key={`${datedValue.from} ${datedValue.said?.at ?? ''}`} className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="tabular font-medium">À partir du {formatDate(datedValue.from)}</span>
          <Badge tone={STATE_LABELS[datedValue.state].tone}>{STATE_LABELS[datedValue.state].label}</Badge>
          <ToConfirmBadge source={datedValue.source} />
        </p>
        <SettingValueText name={name} value={datedValue.value} />
        <p className="text-[0.8125rem] text-ink-soft">
          {datedValue.source} · {describeAuthor(datedValue)}
        </p>
      </li>
    ))}
  </ol>
)
