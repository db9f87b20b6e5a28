import { useQuery } from '@tanstack/react-query'
import { companies } from '@voisol/contract/companies'
import { energy } from '@voisol/contract/energy'
import { forecasts, type TomorrowHours } from '@voisol/contract/forecasts'
import { invoices } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import type { PortalBlock } from '@voisol/contract/portal-management'
import { addDays, localTime } from '@voisol/energy/calendar'
import Mail from 'lucide-react/icons/mail'
import Phone from 'lucide-react/icons/phone'
import { Fragment, type ReactNode } from 'react'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { formatDayRange } from '../../../../components/period/period-labels.ts'
import { formatInvoiceHeadline, formatInvoicePeriodWithDe } from '../../../../lib/billing-labels.ts'
import { formatCount, formatLongDate, formatMoney, formatPercent } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { useMyPoints } from './my-points.ts'
import { hasLeft } from './participation-notices.tsx'

const bestHoursFormatHour = (at: number) => `${at}\u00a0h`
type HourRange = { fromHour: number; toHour: number }

/** The day as 24 columns; the hours worth waiting for are bright. */
function HourBars({ hours, best }: { hours: number[]; best: HourRange }) {
  const most = Math.max(...hours)
  const isBest = (at: number) => at >= best.fromHour && at < best.toHour
  return (
    <div aria-hidden="true" className="grid gap-1">
      <div className="flex h-20 items-end gap-0.5">
        {hours.map((share, at) => (
          <span
            key={bestHoursFormatHour(at)}
            className={cx('min-h-1 flex-1 rounded-t-sm', isBest(at) ? 'bg-local' : 'bg-amber-200')}
            style={{ height: `${(share / most) * 100}%` }}
          />
        ))}
      </div>
      <div className="flex justify-between text-[0.8125rem] text-ink-soft">
        {[0, 6, 12, 18, 24].map((at) => (
          <span key={at}>{bestHoursFormatHour(at)}</span>
        ))}
      </div>
    </div>
  )
}

/** When the neighbourhood most often had energy to spare: what was seen, not a forecast. */
function BestHours() {
  const { data, error, refetch } = useQuery(query(energy.bestHours, { query: {} }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const { best, days, from, to, hours } = data
  if (!best || !from || !to)
    return (
      <Card title="Vos meilleures heures">
        <p className="text-ink-soft">
          Elles seront connues dès que quelques journées de production auront été mesurées dans votre opération.
        </p>
      </Card>
    )
  const part = hours.slice(best.fromHour, best.toHour).reduce((sum, share) => sum + share, 0)
  const dateRange = formatDayRange(from, addDays(to, -1))
  return (
    <Card title="Vos meilleures heures">
      <div className="grid gap-4">
        <p className="text-xl leading-snug font-semibold tracking-[-0.01em]">
          Lancez vos appareils entre {bestHoursFormatHour(best.fromHour)} et {bestHoursFormatHour(best.toHour)}.
        </p>
        <HourBars hours={hours} best={best} />
        <p className="text-ink-soft">
          {formatPercent(part, 0)} de l’énergie disponible a été produite à ces heures, d’après les{' '}
          {formatCount(days, 'dernier jour connu', 'derniers jours connus')} ({dateRange}). C’est une observation, pas
          une prévision.
        </p>
      </div>
    </Card>
  )
}

const formatHour = (instant: string) => {
  const { minuteOfDay } = localTime(Date.parse(instant) / 60_000)
  return `${Math.floor(minuteOfDay / 60)}\u00a0h`
}

/** Of an operation whose name is said where there are several. */
function describeTomorrow({ state, from, to, day }: TomorrowHours): string {
  if (state === 'hours' && from && to)
    return `Demain, lancez vos appareils entre ${formatHour(from)} et ${formatHour(to)}.`
  if (state === 'none') return `Demain ${formatLongDate(day)}, aucune heure n’est assez sûre.`
  return 'Les heures de demain ne peuvent pas encore être annoncées.'
}

const STATE_EXPLANATIONS = {
  hours: 'À ces heures, il devrait rester de l’énergie locale dans au moins huit cas sur dix.',
  none: 'Il faudrait deux heures de suite où il reste de l’énergie locale dans au moins huit cas sur dix.',
  unmeasured: 'Il faut d’abord quatorze jours de prévisions comparées à ce que les compteurs ont mesuré.',
  unknown: 'La prévision de ce matin n’a pas été émise.',
}

const describeAccuracy = ({ hits }: TomorrowHours) =>
  hits
    ? `Sur les ${formatCount(hits.days, 'jour annoncé', 'jours annoncés')} avant, il en restait vraiment ${formatPercent(hits.rate, 0)} du temps.`
    : 'Trop peu de jours ont été annoncés pour dire combien de fois c’était juste.'

const OperationHours = ({ hours, named }: { hours: TomorrowHours; named: boolean }) => (
  <div className="grid gap-1">
    {named && <p className="text-[0.8125rem] font-medium text-ink-soft">{hours.operationName}</p>}
    <p className="text-xl leading-snug font-semibold tracking-[-0.01em]">{describeTomorrow(hours)}</p>
    <p className="text-ink-soft">
      {STATE_EXPLANATIONS[hours.state]} {(hours.state === 'hours' || hours.state === 'none') && describeAccuracy(hours)}
    </p>
  </div>
)

/** Tomorrow's hours as they are foreseen; what is not sure is said too. */
function TomorrowCard() {
  const { data } = useQuery(query(forecasts.bestHours, { query: {} }))
  if (!data?.items.length) return null
  return (
    <Card title="Demain">
      <div className="grid gap-4">
        {data.items.map((hours) => (
          <OperationHours key={hours.operationId} hours={hours} named={data.items.length > 1} />
        ))}
        <p>
          <Link className="text-link" to="/client-portal/notifications?tab=preferences">
            Être prévenu la veille au soir
          </Link>
        </p>
      </div>
    </Card>
  )
}

const linkClass = 'inline-flex min-h-11 items-center gap-3 text-lg text-link break-all'

/** Whom to ask, by name, mail and telephone. */
function OrganizerContact() {
  const { data, error, refetch } = useQuery(query(companies.contact, {}))
  return (
    <Card title="Une question&#160;?">
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-20 w-full" />}
      {data && (
        <div className="grid justify-items-start gap-1">
          <p>
            <strong className="font-semibold">{data.name}</strong> organise votre opération.
          </p>
          {data.phone && (
            <a href={`tel:${data.phone.replace(/[^+\d]/g, '')}`} className={linkClass}>
              <Phone aria-hidden="true" className="size-5 shrink-0" />
              {data.phone}
            </a>
          )}
          {data.email && (
            <a href={`mailto:${data.email}`} className={linkClass}>
              <Mail aria-hidden="true" className="size-5 shrink-0" />
              {data.email}
            </a>
          )}
          {!data.phone && !data.email && <p className="text-ink-soft">Ses coordonnées ne sont pas encore indiquées.</p>}
        </div>
      )}
    </Card>
  )
}

/** The last document in one sentence, as the screen of invoices says it; nothing before the first one. */
function LastInvoice() {
  const { data } = useQuery(query(invoices.list, { query: { size: 1 } }))
  const last = data?.items[0]
  if (!data || !last) return null
  const others = data.totals.open - (last.state === 'due' || last.state === 'overdue' ? last.open : 0)
  return (
    <Card
      title="Ma dernière facture"
      description={`${INVOICE_KIND_LABELS[last.kind]} ${formatInvoicePeriodWithDe(last)}, par ${last.seller.name}.`}
    >
      <p className="text-xl font-semibold tracking-[-0.01em]">{formatInvoiceHeadline(last)}</p>
      {others > 0 && (
        <p className="mt-1 text-ink-soft">Avec les précédentes, il vous reste {formatMoney(data.totals.open)}.</p>
      )}
      <ButtonLink
        to={`/client-portal/invoices?facture=${last.id}`}
        variant="secondary"
        size="large"
        className="mt-4 w-full sm:w-auto"
      >
        Voir ma facture
      </ButtonLink>
    </Card>
  )
}

/** When to run the machine: no advice to a battery, nor to whoever has left. */
function HoursCards() {
  const { mine } = useMyPoints()
  if (!mine || mine.battery || hasLeft(mine.all, getTodayInParis())) return null
  return (
    <>
      <TomorrowCard />
      <BestHours />
    </>
  )
}

const BLOCK_CARDS: Partial<Record<PortalBlock['key'], ReactNode>> = {
  hours: <HoursCards />,
  invoice: <LastInvoice />,
  contact: <OrganizerContact />,
}
type Props = { keys: PortalBlock['key'][]; messages: ReactNode }

/** Under the month, in the organiser's order: down one column, then down the other where there is room for two. */
export const HomeCards = ({ keys, messages }: Props) => (
  <div className="-mb-6 gap-6 lg:columns-2 [&>*]:mb-6 [&>*]:min-w-0 [&>*]:break-inside-avoid">
    {keys.map((key) => (
      <Fragment key={key}>{key === 'messages' ? messages : BLOCK_CARDS[key]}</Fragment>
    ))}
  </div>
)
