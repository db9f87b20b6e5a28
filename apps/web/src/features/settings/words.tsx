import { isToConfirm, type SettingName } from '@voisol/contract/dated-settings'
import type { Setting, SettingWord } from '@voisol/contract/settings'
import { date, number } from '../../lib/format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { kindOf, perMwh, ratesOf } from './kinds.ts'

const Rates = ({ value }: { value: unknown }) => (
  <dl className="grid w-fit grid-cols-[auto_auto_auto] gap-x-4 gap-y-0.5">
    {ratesOf(value).map((rate) => (
      <div key={rate.class} className="col-span-3 grid grid-cols-subgrid">
        <dt>{rate.class}</dt>
        <dd className="tabular text-right font-medium">{perMwh(rate.centsPerMwh)}</dd>
        <dd className="text-ink-soft">
          {rate.upToVa === null ? 'au-delà' : `jusqu’à ${number(rate.upToVa / 1000)}\u00a0kVA`}
        </dd>
      </div>
    ))}
  </dl>
)

/** A value as somebody reads it: a figure large, a sentence as it is printed. */
export function Value({ name, value }: { name: SettingName; value: unknown }) {
  if (name === 'accise.rates') return <Rates value={value} />
  const kind = kindOf(name)
  const sentence = kind.control === 'text'
  return (
    <span className={cx('break-words', sentence ? 'prose-width block' : 'tabular font-medium')}>
      {sentence ? `«\u00a0${kind.shown(value)}\u00a0»` : kind.shown(value)}
    </span>
  )
}

export const ToConfirm = ({ source }: { source: string }) =>
  isToConfirm(source) ? <Badge tone="warning">À confirmer</Badge> : null

const STATES: Record<SettingWord['state'], { label: string; tone: Tone }> = {
  held: { label: 'En vigueur', tone: 'success' },
  future: { label: 'À venir', tone: 'info' },
  past: { label: 'Passée', tone: 'neutral' },
  replaced: { label: 'Remplacée', tone: 'neutral' },
}
const whose = ({ said }: SettingWord) => (said ? `dite par ${said.by} le ${date(said.at)}` : 'valeur de Voisol')

/** All that was said, the newest day first. */
export const History = ({ setting: { name, words } }: { setting: Setting }) => (
  <ol className="grid gap-4 border-l-2 border-line pl-4">
    {words.toReversed().map((word) => (
      <li key={`${word.from} ${word.said?.at ?? ''}`} className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="tabular font-medium">À partir du {date(word.from)}</span>
          <Badge tone={STATES[word.state].tone}>{STATES[word.state].label}</Badge>
          <ToConfirm source={word.source} />
        </p>
        <Value name={name} value={word.value} />
        <p className="text-[0.8125rem] text-ink-soft">
          {word.source} · {whose(word)}
        </p>
      </li>
    ))}
  </ol>
)
