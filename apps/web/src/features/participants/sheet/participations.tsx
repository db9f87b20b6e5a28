import { withDe } from '@voisol/contract/elision'
import type { ParticipantDetail } from '@voisol/contract/participants'
import { type Participation, participations } from '@voisol/contract/points'
import { addDays, monthOf } from '@voisol/energy/calendar'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Can } from '../../../lib/can.tsx'
import { formatPrm, PARTICIPANT_STATE_LABELS } from '../../../lib/energy-labels.ts'
import { formatDate } from '../../../lib/format.ts'
import { useUser } from '../../../lib/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { Link } from '../../../ui/link.tsx'
import { formatMonthYear } from '../../../ui/period/label.ts'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { MeterSideLabel } from '../../../ui/side-mark.tsx'
import { formatPointPower } from '../labels.ts'
import { ParticipationActions } from './participation-actions.tsx'
import { EditPointButton } from './point-edit.tsx'
import { Section } from './section.tsx'

const EntryFields = lazy(async () => ({ default: (await import('../entry-form.tsx')).EntryFields }))

const formatParticipationDates = ({ startsOn, endsOn }: Participation) =>
  endsOn ? `Du ${formatDate(startsOn)} au ${formatDate(endsOn)} (exclu)` : `Depuis le ${formatDate(startsOn)}`

const formatAgreement = ({ agreementSignedOn, noticeOn }: Participation) =>
  [
    agreementSignedOn ? `Accord signé le ${formatDate(agreementSignedOn)}` : 'Accord non signé',
    noticeOn && `notification du ${formatDate(noticeOn)}`,
  ]
    .filter(Boolean)
    .join(', ')

/** The latest month of the stay that readings can be known of. */
const getMonthToExplain = ({ startsOn, endsOn }: Participation) => {
  const yesterday = addDays(getTodayInParis(), -1)
  const last = endsOn && endsOn <= yesterday ? addDays(endsOn, -1) : yesterday
  return last < startsOn ? null : monthOf(last)
}

/** For the member who asks: the page that explains the figure of the month. */
const ExplanationLink = ({ participation }: { participation: Participation }) => {
  const { operationId, participantId, point } = participation
  const mois = getMonthToExplain(participation)
  if (mois === null || point.direction !== 'consumption') return null
  return (
    <Link
      to={`/acc-operations/${operationId}/why?${new URLSearchParams({ membre: participantId, mois })}`}
      className="mt-1 inline-block text-link"
    >
      Énergie locale {withDe(formatMonthYear(mois).toLowerCase())}&#160;: pourquoi ce chiffre&#160;?
    </Link>
  )
}

const ParticipationItem = ({ participation }: { participation: Participation }) => (
  <li className="relative pb-4 pl-6 last:pb-0">
    <span
      aria-hidden="true"
      className={cx(
        'absolute top-1.5 left-0 size-2.5 rounded-full border-2',
        participation.state === 'active' ? 'border-primary-solid bg-primary-solid' : 'border-control bg-card',
      )}
    />
    <div className="flex items-start justify-between gap-x-2 text-body">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={`/acc-operations/${participation.operationId}`} className="font-medium text-link">
            {participation.operationName}
          </Link>
          <Badge tone={PARTICIPANT_STATE_LABELS[participation.state].tone}>
            {PARTICIPANT_STATE_LABELS[participation.state].label}
          </Badge>
        </p>
        <p className="mt-0.5">{formatParticipationDates(participation)}</p>
        <p className={cx('text-[0.8125rem]', participation.agreementSignedOn ? 'text-ink-soft' : 'text-warning')}>
          {formatAgreement(participation)}
        </p>
        <ExplanationLink participation={participation} />
      </div>
      <ParticipationActions participation={participation} />
    </div>
  </li>
)

/** The curve of the point, in the operation of its latest stay. */
function useCurvePathBuilder() {
  const { companyId } = useUser()
  return ([latest]: Participation[]) =>
    `/companies/${companyId}/operations/${latest?.operationId}/load-curves/${latest?.point.id}`
}

/** A point, and the stays it had in operations, the latest first. */
const PointCard = ({ stays: periods }: { stays: Participation[] }) => {
  const buildCurvePath = useCurvePathBuilder()
  const point = periods[0]?.point
  if (!point) return null
  return (
    <li className="rounded-card border border-line">
      <header className="flex items-center justify-between gap-x-2 border-b border-line bg-page px-4 py-2.5 text-body">
        <div className="min-w-0">
          <h4 className="tabular font-medium">
            <Link to={buildCurvePath(periods)} className="text-link">
              PRM {formatPrm(point.prm)}
            </Link>
          </h4>
          <p className="text-[0.8125rem] text-ink-soft">
            <MeterSideLabel direction={point.direction} storage={point.storage} />
            {[formatPointPower(point), point.label].filter(Boolean).map((text) => ` · ${text}`)}
          </p>
        </div>
        <EditPointButton point={point} />
      </header>
      <ol className="px-4 py-3 [&>li:not(:last-child)]:before:absolute [&>li:not(:last-child)]:before:top-3 [&>li:not(:last-child)]:before:bottom-0 [&>li:not(:last-child)]:before:left-[0.28rem] [&>li:not(:last-child)]:before:w-px [&>li:not(:last-child)]:before:bg-line-strong">
        {periods.map((participationPeriod) => (
          <ParticipationItem key={participationPeriod.id} participation={participationPeriod} />
        ))}
      </ol>
    </li>
  )
}

const groupByPoint = (list: Participation[]) =>
  [...Map.groupBy(list, ({ point }) => point.id).values()].map((periods) => periods.toReversed())

export function ParticipationSection({ participant }: { participant: ParticipantDetail }) {
  const [open, setOpen] = useState(false)
  const groups = groupByPoint(participant.participations)
  return (
    <Section
      title="Points et participations"
      actions={
        <Can call={participations.create}>
          <Dialog
            title="Ajouter un point"
            description={participant.name}
            open={open}
            onOpenChange={setOpen}
            trigger={
              <Button variant="secondary" size="small" icon={<Plus aria-hidden="true" />}>
                Ajouter un point
              </Button>
            }
          >
            <Suspense fallback={null}>
              <EntryFields participantId={participant.id} onDone={() => setOpen(false)} />
            </Suspense>
          </Dialog>
        </Can>
      }
    >
      {groups.length === 0 ? (
        <p className="text-body text-ink-soft">Aucun point de livraison n’est encore rattaché à ce participant.</p>
      ) : (
        <ul className="grid gap-3">
          {groups.map((periods) => (
            <PointCard key={periods[0]?.point.id} stays={periods} />
          ))}
        </ul>
      )}
    </Section>
  )
}
