import { useQuery } from '@tanstack/react-query'
import { isToConfirm } from '@voisol/contract/dated-settings'
import { type Setting, settings } from '@voisol/contract/settings'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Suspense, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { formatCount, formatDate } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { getLabelWithoutUnit, getShortLabel, SETTING_GROUPS } from './kinds.ts'
import { SettingHistory, SettingValueText, ToConfirmBadge } from './words.tsx'

const NewSettingValueDialog = lazy(() => import('./say.tsx'))

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
