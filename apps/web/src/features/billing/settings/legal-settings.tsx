import { useQuery } from '@tanstack/react-query'
import { isToConfirm, type SettingName } from '@voisol/contract/dated-settings'
import { type DatedSettingValue, type Setting, settings } from '@voisol/contract/settings'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Suspense, useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import {
  getLabelWithoutUnit,
  getSettingKind,
  getShortLabel,
  parseAcciseRates,
  SETTING_GROUPS,
} from './setting-kinds.ts'

const NewSettingValueDialog = lazy(() => import('./new-value-dialog.tsx'))

const NewSettingValueButton = withAccess(settings.say, ({ setting }: { setting: Setting }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        aria-label={`Dire une nouvelle valeur\u00a0: ${getLabelWithoutUnit(setting.label)}`}
        onClick={() => setOpen(true)}
      >
        Dire une nouvelle valeur
      </Button>
      <Suspense fallback={null}>
        {open && <NewSettingValueDialog setting={setting} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

const findFutureValue = ({ words }: Setting) => words.find(({ state }) => state === 'future')

function SettingRow({ setting }: { setting: Setting }) {
  const { name, label, held: effective, words: datedValues } = setting
  const futureValue = findFutureValue(setting)
  return (
    <li className="grid gap-x-8 gap-y-2 px-5 py-4 text-body lg:grid-cols-[16rem_minmax(0,1fr)_auto]">
      <h3 className="flex flex-wrap content-start items-center gap-x-3 gap-y-1 font-medium">
        {getShortLabel(label)}
        <ToConfirmBadge source={effective.source} />
      </h3>
      <div className="grid min-w-0 content-start gap-1">
        <SettingValueText name={name} value={effective.value} />
        <p className="text-[0.8125rem] text-ink-soft">
          Depuis le {formatDate(effective.from)} · {effective.source}
          {futureValue && ` · change le ${formatDate(futureValue.from)}`}
        </p>
        {datedValues.length > 1 && <SettingHistoryDetails setting={setting} />}
      </div>
      <div className="lg:justify-self-end">
        <NewSettingValueButton setting={setting} />
      </div>
    </li>
  )
}

function SettingHistoryDetails({ setting }: { setting: Setting }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 text-[0.8125rem] text-link">
        Historique ({formatCount(setting.words.length, 'valeur')})
        <ChevronDown aria-hidden="true" className="size-4 transition-transform duration-150 group-open:rotate-180" />
      </summary>
      <div className="pt-3">
        <SettingHistory setting={setting} />
      </div>
    </details>
  )
}

const SettingGroup = ({ title, items }: { title: string; items: Setting[] }) => (
  <section aria-label={title} className="grid gap-3">
    <h2 className="text-base font-semibold tracking-[-0.01em]">{title}</h2>
    <ul className={cx(cardClass, 'divide-y divide-line')}>
      {items.map((setting) => (
        <SettingRow key={setting.name} setting={setting} />
      ))}
    </ul>
  </section>
)

/** Every rate, delay, threshold and sentence of an invoice, with what holds today and all that was said of it. */
export default function LegalSettings() {
  const { data, error, refetch } = useQuery(query(settings.list, {}))
  const [confirmationFilter, setConfirmationFilter] = useState<string>()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const toConfirm = data.items.filter(({ held }) => isToConfirm(held.source))
  const shownSettings = confirmationFilter ? toConfirm : data.items
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      <div className="grid gap-3">
        <p className="prose-width text-body text-ink-soft">
          Une valeur vaut à partir de son jour, jusqu’à la suivante. Ce qui a été dit reste écrit, avec sa source&nbsp;;
          une facture émise garde celles de son jour.
        </p>
        <FilterChips
          label="Ce qui reste à confirmer"
          options={[{ value: 'open', label: 'À confirmer', count: toConfirm.length }]}
          value={confirmationFilter}
          onChange={setConfirmationFilter}
        />
      </div>
      {SETTING_GROUPS.map(({ title, has }) => ({ title, items: shownSettings.filter(({ name }) => has(name)) }))
        .filter(({ items }) => items.length > 0)
        .map((group) => (
          <SettingGroup key={group.title} {...group} />
        ))}
    </div>
  )
}

const formatPerMwh = (cents: number) => `${formatNumber(cents / 100, 2)}\u00a0€/MWh`

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
function SettingValueText({ name, value }: { name: SettingName; value: unknown }) {
  if (name === 'accise.rates') return <AcciseRatesTable value={value} />
  const kind = getSettingKind(name)
  const sentence = kind.control === 'text'
  return (
    <span className={cx('break-words', sentence ? 'prose-width block' : 'tabular font-medium')}>
      {sentence ? `«\u00a0${kind.shown(value)}\u00a0»` : kind.shown(value)}
    </span>
  )
}

const ToConfirmBadge = ({ source }: { source: string }) =>
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
const SettingHistory = ({ setting: { name, words: datedValues } }: { setting: Setting }) => (
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
